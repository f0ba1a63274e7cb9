import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkJsonSchema } from '../../src/checks/json-schema.ts';
import { sampled } from '../support/sample.ts';
import {
  anchorOf,
  auditOf,
  characterFile,
  fileOf,
  type Measure,
  type Move,
  measures,
  type Picture,
  phases,
  png,
  readExample,
  readMove,
  standin,
  taskOf,
} from './example.ts';

beforeAll(() => {
  vi.stubEnv('SPRITES_PAUSE_MS', '0');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const blaze = readMove('blaze-idle.yaml');
const ember = readMove('ember-walk.yaml');
const indices = Array.from({ length: 8 }, (_, index) => index);
const seeds = [0, 7, 9, 4711];
const frames = sampled(indices.flatMap((index) => seeds.map((seed) => ({ index, seed }))));
const thresholds = blaze.params.audit.thresholds as Readonly<Record<string, number>>;

const draw = (move: Move, index: number, seed: number, slip?: Measure, name = move.identity.move): Picture =>
  standin.drawFrame(
    characterFile(move).json() as object,
    { move: name, sparks: 4, rules: [] },
    index,
    { ...move.params.generate, seed },
    slip,
  );

/** Audits a picture of frame `index`; the frame before it was drawn from another seed. */
async function judge(move: Move, index: number, picture: Picture, name = move.identity.move) {
  const candidate = png.writePng(picture);
  const before = index === 0 ? undefined : frameBefore(move, index, name);
  return (await auditOf(move, index, { candidate, anchor: await anchorOf(move), before })).report;
}

const framesBefore = new Map<string, Uint8Array>();

/** Many candidates have the same one before them. */
function frameBefore(move: Move, index: number, name: string): Uint8Array {
  const key = [move.identity.character, name, index].join(' ');
  const known = framesBefore.get(key);
  if (known !== undefined) return known;
  const made = png.writePng(draw(move, index - 1, 5, undefined, name));
  framesBefore.set(key, made);
  return made;
}

describe.each([
  ['blaze', 'idle', blaze],
  ['blaze', 'walk', blaze],
  ['ember', 'idle', ember],
  ['ember', 'walk', ember],
])('%s, %s', (_, name, move) => {
  test('good frames of all indices pass', async () => {
    for (const { index, seed } of frames) {
      const report = await judge(move, index, draw(move, index, seed, undefined, name), name);
      expect(report, `frame ${index}, seed ${seed}`).toMatchObject({ verdict: 'approved', reasons: [] });
    }
  });

  test.each(measures)('a slip of %s is caught by its own measure and by no other', async (slip) => {
    for (const { index, seed } of frames) {
      const report = await judge(move, index, draw(move, index, seed, slip, name), name);
      const caught = measures.filter(
        (measure) => report.scores[measure] < (thresholds[`${measure}_min`] ?? 0),
      );
      expect(caught, `frame ${index}, seed ${seed}`).toEqual([slip]);
      expect(report.verdict).toBe('rejected');
      expect(report.reasons[0]).toMatch(new RegExp(`^${slip} [\\d.]+, at least .* is needed: `));
    }
  });
});

describe('what is measured', () => {
  const good = draw(blaze, 1, 7);
  const scoresOf = async (picture: Picture) => (await judge(blaze, 1, picture)).scores;

  test('size: pixels more or fewer on any side', async () => {
    for (const [width, height] of [
      [63, 64],
      [64, 63],
      [65, 64],
      [128, 128],
    ] as const) {
      const scores = await scoresOf(moved(good, width, height, 0, 0));
      expect(scores.size).toBeLessThan(1);
    }
  });

  test('feet: the further from the ground line, the worse, up or down', async () => {
    const scores = await Promise.all(
      [0, 1, 2, 3].map(async (down) => (await scoresOf(moved(good, 64, 64, 0, down))).feet),
    );
    expect(scores).toEqual([1, 0.833, 0.666, 0.5]);
    expect((await scoresOf(moved(good, 64, 64, 0, -1))).feet).toBe(0.833);
  });

  test('alpha: the border, half-clear pixels, holes, too much and too little', async () => {
    expect((await scoresOf(good)).alpha).toBe(1);
    expect((await scoresOf(painted(good, 0, 0, 64, 1, [9, 9, 9, 255]))).alpha).toBe(0);
    expect((await scoresOf(painted(good, 2, 2, 8, 8, [9, 9, 9, 128]))).alpha).toBe(0);
    expect((await scoresOf(painted(good, 30, 30, 4, 4, [0, 0, 0, 0]))).alpha).toBeCloseTo(1 - 16 / 24, 3);
    // Open to the outside, it is no hole.
    expect((await scoresOf(painted(good, 30, 50, 4, 14, [0, 0, 0, 0]))).alpha).toBe(1);
    expect((await scoresOf(painted(good, 0, 0, 64, 40, [0, 0, 0, 0]))).alpha).toBeLessThan(0.75);
    expect((await scoresOf(painted(good, 2, 2, 60, 57, [9, 9, 9, 255]))).alpha).toBeLessThan(0.75);
  });

  test('identity: colours that the anchor does not have, and the right ones in the wrong amount', async () => {
    const tinted = (share: number) => recoloured(good, ([r, g, b]) => [r, g, Math.min(255, b + share * 255)]);
    const scores = await Promise.all(
      [0, 0.1, 0.3, 0.6].map(async (share) => (await scoresOf(tinted(share))).identity),
    );
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect(new Set(scores).size).toBe(4);
    const grey = await scoresOf(
      recoloured(good, ([r, g, b]) => [(r + g + b) / 3, (r + g + b) / 3, (r + g + b) / 3]),
    );
    expect(grey.identity).toBeLessThan(0.85);
    const line: Rgb = [0x1b, 0x14, 0x30];
    const shadow = await scoresOf(recoloured(good, () => line));
    expect(shadow.identity).toBeLessThan(0.85);
  });

  test('neighbour: a silhouette that has moved away from the frame before', async () => {
    const scores = await Promise.all(
      [0, 3, 6, 12].map(async (right) => (await scoresOf(moved(good, 64, 64, right, 0))).neighbour),
    );
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect(scores[3]).toBe(0);
  });

  test('an empty picture has no good side', async () => {
    const report = await judge(blaze, 1, png.blankPicture(64, 64));
    expect(report).toMatchObject({ verdict: 'rejected', scores: { identity: 0, feet: 0, neighbour: 0 } });
    expect(report.composite).toBeLessThan(0.3);
  });
});

describe('the report', () => {
  test('the first frame is held against the anchor: it does not pass for want of a neighbour', async () => {
    const report = await judge(blaze, 0, draw(blaze, 0, 7, 'neighbour'));
    expect(report.verdict).toBe('rejected');
    expect(report.scores.neighbour).toBeLessThan(0.4);
  });

  test('it fits its schema, and what is rejected comes with it', async () => {
    const schema = JSON.parse(readExample('audit.schema.json'));
    const anchor = await anchorOf(blaze);
    for (const slip of [undefined, ...measures]) {
      const candidate = png.writePng(draw(blaze, 3, 7, slip));
      const { report, ...rest } = await auditOf(blaze, 3, { candidate, anchor, before: anchor }, 2);
      expect(report).toMatchObject({ frame: 3, round: 1 });
      expect(checkJsonSchema(schema, Buffer.from(JSON.stringify(report)), 1000)).toEqual({ passed: true });
      expect(Object.keys(rest)).toEqual(slip === undefined ? [] : ['rejected']);
      if (rest.rejected) expect(Buffer.compare(rest.rejected, candidate)).toBe(0);
    }
  });

  test('the composite is the mean by weight', async () => {
    const { composite, scores } = await judge(blaze, 1, draw(blaze, 1, 7, 'feet'));
    const { size, alpha, identity, feet, neighbour } = scores;
    expect(composite).toBeCloseTo((size + alpha + 3 * identity + 2 * feet + 2 * neighbour) / 9, 2);
  });

  test('a threshold above what a frame has rejects it', async () => {
    const params = { ...blaze.params.audit, thresholds: { composite_min: 1 } };
    const report = await auditWith(params);
    expect(report).toMatchObject({ verdict: 'rejected' });
    expect(report.reasons).toEqual([expect.stringMatching(/^composite 0\.99\d, at least 1 is needed: /)]);
  });

  test.each([
    [
      { weights: { size: 1 }, thresholds: { identiy_min: 0.9 } },
      'params.thresholds.identiy_min: there is size_min',
    ],
    [{ weights: { sise: 1 }, thresholds: {} }, 'params.weights.sise: there is size'],
    [{ weights: {}, thresholds: {} }, 'leaves nothing to measure'],
    [{ weights: { size: '1' }, thresholds: {} }, 'params.weights.size is not a number'],
    [{ weights: { size: 1 } }, 'params.thresholds is missing'],
  ])('a mistake in the manifest is no silent pass: %j', async (params, message) => {
    await expect(auditWith(params)).rejects.toThrow(message);
  });

  test('a candidate that is no picture is an error, not a verdict', async () => {
    const anchor = await anchorOf(blaze);
    await expect(auditOf(blaze, 1, { candidate: Buffer.from('no'), anchor })).rejects.toThrow(
      'not a PNG file',
    );
  });

  async function auditWith(params: object) {
    const inputs = {
      candidate: fileOf(png.writePng(draw(blaze, 1, 7))),
      anchor: fileOf(await anchorOf(blaze)),
    };
    return (await phases.audit(taskOf(1, { params, inputs }))).report;
  }
});

test('what is approved stays as it is, to the byte', async () => {
  const bytes = png.writePng(draw(blaze, 1, 7), { Title: 'a frame' });
  const { frame } = await phases.approve(taskOf(1, { inputs: { candidate: fileOf(bytes) } }));
  expect(Buffer.compare(frame, bytes)).toBe(0);
});

type Rgb = readonly [number, number, number];

/** The picture on another canvas, moved; what falls off is gone. */
function moved(picture: Picture, width: number, height: number, right: number, down: number): Picture {
  const to = png.blankPicture(width, height);
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const [column, row] = [x + right, y + down];
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const at = (y * picture.width + x) * 4;
      to.pixels.set(picture.pixels.subarray(at, at + 4), (row * width + column) * 4);
    }
  }
  return to;
}

function painted(
  picture: Picture,
  x: number,
  y: number,
  w: number,
  h: number,
  rgba: readonly number[],
): Picture {
  const pixels = Uint8Array.from(picture.pixels);
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w; column++) pixels.set(rgba, (row * picture.width + column) * 4);
  }
  return { ...picture, pixels };
}

function recoloured(picture: Picture, change: (rgb: Rgb) => Rgb): Picture {
  const pixels = Uint8Array.from(picture.pixels);
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] === 0) continue;
    const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
    pixels.set(change([r, g, b]), at);
  }
  return { ...picture, pixels };
}
