import { beforeEach, describe, expect, it } from 'vitest';
import { letters } from '../../../../test/fixtures/letters.ts';
import {
  demand,
  failureOf,
  memoryEnvironment,
  readText,
  root,
  run,
} from '../../../../test/fixtures/memory.ts';
import { type Sprites, sprites } from '../../../../test/fixtures/sprites.ts';
import { definePipeline } from '../../../pipeline/define.ts';
import { gatherPage, type PageRequest } from './gather.ts';
import type { PagePicture, PageUnit } from './page.ts';
import { writePage } from './page-file.ts';

/** `f1`: `draw#1 disliked picture, …`, and what is shown of it. */
function told({ unit, final, tries }: PageUnit): object {
  return {
    unit: unit.unit,
    final: final.map(shown),
    tries: tries.map(({ attempt, judged, pictures }) =>
      [`${attempt.phase}#${attempt.attempt}`, judged?.verdict, ...pictures.map(shown)].join(' '),
    ),
  };
}

function shown({ output, content }: PagePicture): string {
  return content.kind === 'embedded'
    ? `${output} ${content.width}x${content.height}`
    : `${output} ${content.because}`;
}

describe('a page of pictures', () => {
  let world: Sprites;
  beforeEach(async () => {
    world = sprites();
    await run(world.env, world.definition);
  });

  const gather = async (more: PageRequest = {}) =>
    demand(await gatherPage(world.env, { ...world.target, ...more }));

  it('begins with what the run was for, and shows of each unit what it came to and the way there', async () => {
    const page = await gather();
    expect(page.stages.map(({ name, isResult }) => [name, isResult])).toEqual([
      ['export', true],
      ['frames', false],
    ]);
    const [result, frames] = page.stages;
    expect(result?.units.map(told)).toEqual([{ unit: 'sheet', final: ['sheet 4x4'], tries: ['pack#1 '] }]);
    expect(result?.units[0]?.texts).toMatchObject([{ phase: 'pack', output: 'atlas', isCut: false }]);
    expect(frames?.units.map(told)).toEqual([
      { unit: 'f0', final: ['frame 4x4'], tries: ['draw#1 liked'] },
      {
        unit: 'f1',
        final: ['frame 4x4'],
        tries: ['draw#1 disliked picture 4x4', 'draw#2 liked picture 4x4', 'look#2 liked'],
      },
      { unit: 'f2', final: ['frame 4x4'], tries: ['draw#1 liked'] },
    ]);
    expect(page.pictures).toEqual({ shown: 6, leftOut: 0 });
    expect(page).toMatchObject({
      madeAt: '2026-11-15T12:00:00.000Z',
      totals: { units: 4, unitsFinished: 4, sentBack: 1 },
      manifests: [{ hash: expect.stringMatching(/^sha256:/), at: expect.any(String) }],
    });
  });

  it('shows the very bytes that were recorded', async () => {
    const { content } = (await gather()).stages[1]?.units[0]?.final[0] ?? {};
    const bytes = world.env.disk.read(`${root}/kept/f0.png`) ?? new Uint8Array();
    expect(content).toMatchObject({ type: 'image/png', base64: Buffer.from(bytes).toString('base64') });
  });

  it('gives what room there is to results first, then to units, then to their attempts', async () => {
    const size = world.env.disk.stat(`${root}/kept/f0.png`)?.size ?? 0;
    const page = await gather({ limits: { totalBytesMax: size * 2 + 20 } });
    expect(page.stages.flatMap(({ units }) => units.map(told))).toEqual([
      { unit: 'sheet', final: ['sheet 4x4'], tries: ['pack#1 '] },
      { unit: 'f0', final: ['frame 4x4'], tries: ['draw#1 liked'] },
      {
        unit: 'f1',
        final: ['frame too-much'],
        tries: ['draw#1 disliked picture too-much', 'draw#2 liked picture too-much', 'look#2 liked'],
      },
      { unit: 'f2', final: ['frame too-much'], tries: ['draw#1 liked'] },
    ]);
    expect(page.pictures).toEqual({ shown: 2, leftOut: 4 });
    expect((await gather({ limits: { pictureBytesMax: 10 } })).pictures).toEqual({ shown: 0, leftOut: 6 });
  });

  it('says which bytes are lost; those that still lie at their path are not', async () => {
    for (const name of world.env.disk.list(`${root}/.pawl/objects/packs`) ?? [])
      world.env.disk.remove(`${root}/.pawl/objects/packs/${name}`);
    const page = await gather();
    const [f1] = page.stages[1]?.units.filter(({ unit }) => unit.unit === 'f1') ?? [];
    expect(f1 && told(f1)).toEqual({
      unit: 'f1',
      final: ['frame 4x4'],
      tries: ['draw#1 disliked picture missing', 'draw#2 liked picture 4x4', 'look#2 liked'],
    });
  });

  it('tells each manifest that was in force', async () => {
    const { env, definition } = world;
    await run(
      env,
      { ...definition, identity: { character: 'blaze' }, durability: 'process' },
      { force: true },
    );
    expect((await gather()).manifests).toHaveLength(2);
  });
});

describe('a page', () => {
  it('of a unit that failed shows the last of what it came to', async () => {
    const world = sprites();
    world.bad.f2 = 9;
    await run(world.env, world.definition);
    const page = demand(await gatherPage(world.env, world.target));
    const [f2] = page.stages[1]?.units.filter(({ unit }) => unit.unit === 'f2') ?? [];
    expect(f2?.unit).toMatchObject({ status: 'failed', verdict: 'disliked' });
    expect(f2 && told(f2)).toEqual({
      unit: 'f2',
      final: ['picture 4x4'],
      tries: ['draw#1 disliked picture 4x4', 'draw#2 disliked picture 4x4', 'look#2 disliked'],
    });
  });

  it('of texts shows their beginnings, those of results that stand', async () => {
    const { env, definition, target, work } = letters({ units: ['ann'] });
    work.draft = () => ({ text: 'line\n'.repeat(100) });
    work.seal = () => ({ letter: new Uint8Array([0, 1, 2]) });
    await run(env, definition);
    const page = demand(await gatherPage(env, target));
    const [ann] = page.stages[0]?.units ?? [];
    expect(ann?.final).toEqual([]);
    expect(ann?.texts.map(({ phase, output, isCut }) => [phase, output, isCut])).toEqual([
      ['draft', 'text', true],
      ['read', 'report', false],
    ]);
    expect(ann?.texts[0]?.text.split('\n')).toHaveLength(40);
  });

  it('of very many units shows those that somebody will look for', async () => {
    const { env, definition, bad } = sprites();
    bad.f2 = 9;
    await run(env, definition);
    const request = { path: root, pipeline: definePipeline(definition), limits: { unitsMax: 2 } };
    const page = demand(await gatherPage(env, request));
    expect(page.unitsLeftOut).toBe(2);
    expect(page.stages.flatMap(({ units }) => units.map(({ unit }) => unit.unit))).toEqual(['f1', 'f2']);
    expect(page.totals.units).toBe(4);
  });
});

describe('the file', () => {
  const mark = '<meta mine>';
  const page = { root, folder: 'runs/one' };

  it('is put into the folder of the run, over a page of ours and over nothing else', () => {
    const env = memoryEnvironment();
    const write = (html: string) => writePage(env, page, { html, mark, out: undefined });
    expect(demand(write(`${mark} first`))).toEqual({ path: 'runs/one/report.html', bytes: 17 });
    demand(write(`${mark} second`));
    expect(readText(env, 'runs/one/report.html')).toBe(`${mark} second`);
    env.disk.putFile(`${root}/runs/one/report.html`, 'my own notes');
    expect(failureOf(write(`${mark} third`))).toEqual({ path: 'runs/one/report.html' });
    expect(readText(env, 'runs/one/report.html')).toBe('my own notes');
    expect(env.disk.list(`${root}/runs/one`)).toEqual(['report.html']);
  });

  it('is put where somebody says, a file or a folder, and never over what is no page of ours', () => {
    const env = memoryEnvironment({ 'out/old.html': 'old', 'out/report.html': 'not ours' });
    const write = (out: string) => writePage(env, page, { html: `${mark} new`, mark, out });
    expect(failureOf(write('out/old.html'))).toEqual({ path: 'out/old.html' });
    expect(readText(env, 'out/old.html')).toBe('old');
    expect(failureOf(write('out'))).toEqual({ path: 'out/report.html' });
    expect(demand(write('deep/er/page.html')).path).toBe('deep/er/page.html');
  });
});
