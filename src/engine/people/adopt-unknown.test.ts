import { describe, expect, it } from 'vitest';
import {
  attemptsOf,
  type CodePipeline,
  demand,
  eventsOf,
  failureOf,
  memoryEnvironment,
  nextProcess,
  readText,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import { hashBytes } from '../../base/hash.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { adoptFiles } from './adopt.ts';

const reason = 'drawn by hand';

/** Pictures that are sketched, drawn, looked at and hung up. Nothing can be sketched, and so nothing is done. */
function gallery(sketches = false) {
  const env = memoryEnvironment();
  const ran: string[] = [];
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'gallery',
    units: [{ id: 'ann', title: 'Ann' }, 'bob'],
    phases: {
      sketch: {
        run: ({ unit }) => {
          if (!sketches) throw new Error('no ink');
          ran.push(`${unit.id}/sketch`);
          return { out: 'sketch' };
        },
        outputs: { out: 'out/{unit}.sketch' },
      },
      draw: {
        run: ({ unit }) => {
          ran.push(`${unit.id}/draw`);
          return { picture: 'drawn', frame: 'framed' };
        },
        outputs: {
          picture: { path: 'out/{unit}.picture', check: { regex: '^by ' } },
          frame: 'out/{unit}.frame',
          notes: { path: 'out/{unit}.notes', optional: true },
        },
      },
      look: {
        run: ({ unit }) => {
          ran.push(`${unit.id}/look`);
          return { report: { status: 'good' } };
        },
        outputs: { report: { path: 'out/{unit}.json', check: 'json' } },
        gate: { verdict: 'report.status', pass: ['good'], back_to: 'draw', iterations: 2 },
      },
      hang: {
        run: ({ unit, inputs }) => {
          ran.push(`${unit.id}/hang`);
          return { wall: `wall with ${inputs.picture?.text()}` };
        },
        needs: ['look'],
        inputs: { picture: 'draw.picture' },
        outputs: { wall: 'out/{unit}.wall' },
      },
    },
    layout: { progress: 'progress.json' },
  };
  const target = { path: root, pipeline: definePipeline(definition) };
  const put = (name: string, text: string) => env.disk.putFile(`${root}/out/${name}`, text);
  const adopt = (...targets: string[]) => adoptFiles(env, { ...target, targets, reason });
  return { env, definition, ran, put, adopt };
}

async function begun() {
  const world = gallery();
  await run(world.env, world.definition);
  return world;
}

describe('a file that nothing has made', () => {
  it('is told of, and left', async () => {
    const { env, definition, put } = await begun();
    put('ann.wall', 'my wall');
    const answer = await run(env, definition);
    expect(answer.notices).toEqual([
      { code: 'file-unknown', unit: 'ann', phase: 'hang', output: 'wall', path: 'out/ann.wall' },
    ]);
    expect(readText(env, 'out/ann.wall')).toBe('my wall');
  });

  it('is moved aside when its phase makes one, and told of no more', async () => {
    const { env, definition, put } = await begun();
    put('ann.sketch', 'my sketch');
    expect((await run(env, definition)).notices).toMatchObject([{ code: 'file-unknown', phase: 'sketch' }]);
    const sketch = { ...definition.phases?.sketch, run: () => ({ out: 'sketch' }) };
    const answer = await run(env, { ...definition, phases: { ...definition.phases, sketch } });
    expect(answer.notices).toEqual([]);
    expect(readText(env, 'out/ann.sketch')).toBe('sketch');
    const [id] = env.disk.list(`${root}/.pawl/runs`) ?? [];
    const aside = env.disk.list(`${root}/.pawl/runs/${id}/aside`);
    expect(aside).toHaveLength(1);
  });

  it.each(['out/ann.wall', './out/ann.wall', 'ann/hang'])('is taken in as %s', async (target) => {
    const { env, definition, ran, put, adopt } = await begun();
    put('ann.wall', 'my wall');
    const answer = demand(await adopt(target));
    expect(answer.adopted).toEqual([
      {
        unit: 'ann',
        phase: 'hang',
        output: 'wall',
        path: 'out/ann.wall',
        before: undefined,
        after: hashBytes('my wall'),
      },
    ]);
    await run(nextProcess(env), definition);
    expect(ran).toEqual([]);
    expect(attemptsOf(env).filter((line) => line.startsWith('ann/'))).toEqual([
      'ann/sketch#1 started',
      'ann/sketch#1 failed',
      'ann/hang#1 artifact_adopted',
    ]);
    expect(readText(env, 'out/ann.wall')).toBe('my wall');
  });

  it('is kept in the store, with the reason and the fields of its unit', async () => {
    const { env, definition, put, adopt } = await begun();
    put('ann.wall', 'my wall');
    demand(await adopt('ann/hang'));
    const event = eventsOf(env).find(({ type }) => type === 'artifact_adopted');
    expect(event).toMatchObject({ reason, attempt: 1, unitData: expect.stringMatching(/^sha256:/) });
    env.disk.remove(`${root}/out/ann.wall`);
    await run(env, definition, { restore: true });
    expect(readText(env, 'out/ann.wall')).toBe('my wall');
  });

  it('is made anew by its phases when it goes', async () => {
    const { env, put, adopt } = await begun();
    put('ann.wall', 'my wall');
    demand(await adopt('ann/hang'));
    env.disk.remove(`${root}/out/ann.wall`);
    const { definition } = gallery();
    const answer = await run(env, definition);
    expect(answer.stops.map(({ unit, phase }) => `${unit}/${phase}`)).toEqual(['ann/sketch', 'bob/sketch']);
  });

  it('is not the whole run: how far that is is told by what is finished', async () => {
    const { env, put, adopt } = await begun();
    put('ann.picture', 'by ann');
    put('ann.frame', 'wood');
    put('bob.wall', 'my wall');
    demand(await adopt('ann/draw', 'bob/hang'));
    expect(JSON.parse(readText(env, 'progress.json') ?? '')).toMatchObject({
      finished_units: ['bob'],
      pending_units: ['ann'],
    });
  });

  it('is no folder', async () => {
    const { env, adopt } = await begun();
    env.disk.makeFolder(`${root}/out/ann.wall`);
    expect(failureOf(await adopt('ann/hang'))).toEqual({ reason: 'nothing-to-adopt', path: 'ann/hang' });
  });
});

describe('files of a cell', () => {
  it('come in together', async () => {
    const { put, adopt, ran, env, definition } = await begun();
    put('ann.picture', 'by ann');
    put('ann.frame', 'wood');
    put('ann.notes', 'nice');
    const answer = demand(await adopt('out/ann.frame'));
    expect(answer.adopted.map(({ output }) => output)).toEqual(['picture', 'frame', 'notes']);
    expect(answer.reruns).toEqual(['ann/look', 'bob/sketch']);
    await run(nextProcess(env), definition);
    expect(ran).toEqual(['ann/look', 'ann/hang']);
    expect(readText(env, 'out/ann.wall')).toBe('wall with by ann');
  });

  it('of which one is missing are none', async () => {
    const { env, put, adopt } = await begun();
    put('ann.picture', 'by ann');
    const before = eventsOf(env).length;
    expect(failureOf(await adopt('out/ann.picture'))).toEqual({
      reason: 'nothing-to-adopt',
      path: 'ann/draw frame',
    });
    expect(eventsOf(env)).toHaveLength(before);
  });

  it('may do without one that is optional', async () => {
    const { put, adopt } = await begun();
    put('ann.picture', 'by ann');
    put('ann.frame', 'wood');
    expect(demand(await adopt('ann/draw')).adopted).toHaveLength(2);
  });

  it('have to pass their checks, all of them', async () => {
    const { env, put, adopt } = await begun();
    put('ann.picture', 'who knows');
    put('ann.frame', 'wood');
    put('bob.wall', 'my wall');
    const before = eventsOf(env).length;
    expect(failureOf(await adopt('bob/hang', 'ann/draw'))).toMatchObject({
      reason: 'adopt-check-failed',
      path: 'out/ann.picture',
      check: 'regex',
    });
    expect(eventsOf(env)).toHaveLength(before);
    expect(readText(env, 'out/ann.picture')).toBe('who knows');
  });

  it('are not adopted twice', async () => {
    const { put, adopt } = await begun();
    put('ann.wall', 'my wall');
    demand(await adopt('ann/hang', 'out/ann.wall'));
    expect(failureOf(await adopt('ann/hang'))).toEqual({ reason: 'nothing-to-adopt', path: 'ann/hang' });
  });

  it('that are edited afterwards are an edit', async () => {
    const { env, definition, put, adopt } = await begun();
    put('ann.wall', 'my wall');
    demand(await adopt('ann/hang'));
    put('ann.wall', 'my other wall');
    await expect(run(env, definition)).rejects.toThrow('output-edited');
    const again = demand(await adopt('ann/hang'));
    expect(again.adopted).toMatchObject([
      { before: hashBytes('my wall'), after: hashBytes('my other wall') },
    ]);
  });
});

describe('a gate’s report', () => {
  it('is read: its verdict is that of the phase', async () => {
    const { env, put, adopt } = await begun();
    put('ann.json', '{"status":"good"}');
    demand(await adopt('ann/look'));
    expect(eventsOf(env).find(({ type }) => type === 'artifact_adopted')).toMatchObject({ verdict: 'good' });
  });

  it.each([['{}'], ['{"status":null}'], ['[]']])('that says nothing is not taken in: %s', async (text) => {
    const { env, put, adopt } = await begun();
    put('ann.json', text);
    const before = eventsOf(env).length;
    expect(failureOf(await adopt('ann/look'))).toMatchObject({
      reason: 'adopt-check-failed',
      path: 'out/ann.json',
      check: 'verdict',
    });
    expect(eventsOf(env)).toHaveLength(before);
  });
});
