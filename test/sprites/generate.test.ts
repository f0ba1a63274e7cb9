import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  anchorOf,
  auditOf,
  candidateOf,
  characterFile,
  drawAnchorOf,
  phases,
  png,
  promptOf,
  type Report,
  readMove,
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

const generate = async (index: number, params: object, text?: string) => {
  const prompt = text === undefined ? promptOf(blaze, 'templates/frame.md', index) : { text };
  const inputs = { character: characterFile(blaze) };
  const task = taskOf(index, { params: { ...blaze.params.generate, ...params }, prompt, inputs });
  return (await phases.generate(task)).candidate;
};

test('the same seed gives the same bytes', async () => {
  for (const index of indices) {
    expect(Buffer.compare(await generate(index, { seed: 7 }), await generate(index, { seed: 7 }))).toBe(0);
  }
  expect(Buffer.compare(await drawAnchorOf(blaze), await drawAnchorOf(blaze))).toBe(0);
});

test('another seed gives other pixels', async () => {
  const strict = promptOf(blaze, 'templates/frame-strict.md', 0).text;
  const drawn = await Promise.all(
    [1, 2, 3, 4].map(async (seed) =>
      Buffer.from(png.readPng(await generate(0, { seed }, strict)).pixels).toString('hex'),
    ),
  );
  expect(new Set(drawn).size).toBe(4);
});

test('no two frames of a move are the same, nor is one the anchor', async () => {
  for (const move of [blaze, ember]) {
    const made = await Promise.all(indices.map((index) => candidateOf(move, index, 4)));
    const pixels = [await anchorOf(move), ...made].map((bytes) =>
      Buffer.from(png.readPng(bytes).pixels).toString('hex'),
    );
    expect(new Set(pixels).size).toBe(9);
  }
});

test('a frame beyond the end of the loop has a name of its own', async () => {
  const strict = promptOf(blaze, 'templates/frame-strict.md', 0).text;
  const [first, again] = [await generate(0, {}, strict), await generate(8, {}, strict)];
  expect(Buffer.compare(png.readPng(first).pixels, png.readPng(again).pixels)).toBe(0);
  expect(Buffer.compare(first, again)).not.toBe(0);
});

describe('the prompt is read', () => {
  const prompt = promptOf(blaze, 'templates/frame.md', 2).text;

  test('a rule keeps the stand-in from slipping', async () => {
    const careless = png.readPng(await generate(2, { seed: 7 }));
    const rules = '\n## Rules\n\n- identity: the colours of the reference picture\n';
    const careful = png.readPng(await generate(2, { seed: 7 }, prompt + rules));
    expect(Buffer.compare(careless.pixels, careful.pixels)).not.toBe(0);
    const others = '\n## Rules\n\n- feet: on the ground\n';
    const stillCareless = png.readPng(await generate(2, { seed: 7 }, prompt + others));
    expect(Buffer.compare(careless.pixels, stillCareless.pixels)).toBe(0);
  });

  test('it says how many sparks fly', async () => {
    const few = png.readPng(await generate(2, {}, prompt.replace('Sparks: 4', 'Sparks: 1')));
    const many = png.readPng(await generate(2, {}, prompt.replace('Sparks: 4', 'Sparks: 9')));
    expect(opaque(many)).toBeGreaterThan(opaque(few));
  });

  test('it names the move', async () => {
    await expect(generate(2, {}, prompt.replace('Move: idle', 'Move: moonwalk'))).rejects.toThrow(
      'there is no move moonwalk; there is idle, walk',
    );
    await expect(phases.generate(taskOf(2, { inputs: {} }))).rejects.toThrow('needs a prompt');
  });

  test('what was wrong the last time stands in it', () => {
    const report = { reasons: ['feet 0.50, at least 0.9 is needed'] } as unknown as Report;
    expect(promptOf(blaze, 'templates/frame.md', 2, report).text).toContain('- feet 0.50, at least 0.9');
    expect(prompt).not.toContain('wrong the last time');
  });
});

test.each([
  ['blaze-idle.yaml', [1, 1, 2, 1, 2, 4, 1, 1]],
  ['ember-walk.yaml', [1, 1, 1, 1, 2, 1, 4, 2]],
])('%s: some frames need another seed, one needs the strict prompt', async (path, expected) => {
  const move = readMove(path);
  const anchor = await anchorOf(move);
  const rounds: number[] = [];
  let before: Uint8Array | undefined;
  for (let index = 0; index < move.count; index++) {
    let report: Report | undefined;
    let round = 0;
    while (report?.verdict !== 'approved') {
      round += 1;
      expect(round).toBeLessThanOrEqual(4);
      const candidate = await candidateOf(move, index, round, report);
      report = (await auditOf(move, index, { candidate, anchor, before })).report;
      if (report.verdict === 'approved') before = candidate;
    }
    rounds.push(round);
  }
  expect(rounds).toEqual(expected);
});

test('two manifests are two identities of one pipeline', () => {
  expect(blaze.identity).toEqual({ character: 'blaze', move: 'idle' });
  expect(ember.identity).toEqual({ character: 'ember', move: 'walk' });
  expect(ember.params.audit).toEqual(blaze.params.audit);
});

function opaque({ pixels }: { pixels: Uint8Array }): number {
  return pixels.filter((value, at) => at % 4 === 3 && value > 0).length;
}
