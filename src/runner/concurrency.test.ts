import { describe, expect, it } from 'vitest';
import { type CodePipeline, memoryEnvironment, readText, run } from '../../test/fixtures/memory.ts';
import type { PhaseFunction } from './executors/task.ts';

/**
 * Work that writes down when it begins and ends. A cell ends when all cells that it is said to wait for have begun: so
 * a run that has not all of them going at the same time never ends.
 */
function bench(waits: Readonly<Record<string, readonly string[]>> = {}) {
  const log: string[] = [];
  const doors = new Map<string, ReturnType<typeof door>>();
  const doorOf = (name: string) => {
    const known = doors.get(name) ?? door();
    doors.set(name, known);
    return known;
  };
  const work: PhaseFunction = async ({ unit, phase, inputs }) => {
    const name = `${unit.id}/${phase}`;
    log.push(`${name} begins`);
    doorOf(name).open();
    for (const other of waits[name] ?? []) await doorOf(other).opened;
    log.push(`${name} ends`);
    return { out: `${inputs.before?.text() ?? ''}${unit.id}` };
  };
  return { work, log };
}

function door(): { readonly opened: Promise<void>; open(): void } {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open?.() };
}

function strip(work: PhaseFunction, concurrency: number): CodePipeline {
  const outputs = (name: string) => ({ out: `${name}/{unit}.txt` });
  return {
    pawl: 1,
    pipeline: 'strip',
    units: ['a', 'b', 'c'],
    pace: { concurrency },
    phases: {
      sketch: { run: work, outputs: outputs('sketch') },
      draw: {
        run: work,
        inputs: { own: 'sketch.out', before: { from: 'draw.out', of: 'previous' } },
        outputs: outputs('draw'),
      },
    },
  };
}

describe('units that take what the one before has made', () => {
  it('wait for that alone: all else goes on at the same time', async () => {
    const sketches = ['a/sketch', 'b/sketch', 'c/sketch'];
    const { work, log } = bench({ 'a/sketch': sketches, 'b/sketch': sketches, 'c/sketch': ['a/draw'] });
    const env = memoryEnvironment();
    const answer = await run(env, strip(work, 4));
    expect(answer.heading.status).toBe('completed');
    expect(log.filter((line) => line.includes('draw'))).toEqual(
      ['a', 'b', 'c'].flatMap((unit) => [`${unit}/draw begins`, `${unit}/draw ends`]),
    );
    expect(log.indexOf('a/draw begins')).toBeLessThan(log.indexOf('c/sketch ends'));
    expect(readText(env, 'draw/c.txt')).toBe('abc');
  });

  it('go one at a time where no more may', async () => {
    const { work, log } = bench();
    expect((await run(memoryEnvironment(), strip(work, 1))).heading.status).toBe('completed');
    const steps = ['a', 'b', 'c'].flatMap((unit) => [`${unit}/sketch`, `${unit}/draw`]);
    expect(log).toEqual(steps.flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('stop behind one that failed, and go on from there', async () => {
    const env = memoryEnvironment();
    let isBroken = true;
    const work: PhaseFunction = ({ unit, phase, inputs }) => {
      if (isBroken && unit.id === 'b' && phase === 'draw') throw new Error('no ink');
      return { out: `${inputs.before?.text() ?? ''}${unit.id}` };
    };
    const first = await run(env, strip(work, 4));
    expect(first.heading.status).toBe('stopped');
    expect(first.ran).toEqual({ succeeded: 4, failed: 1 });
    isBroken = false;
    const second = await run(env, strip(work, 4));
    expect(second.heading.status).toBe('completed');
    expect(second.ran).toEqual({ succeeded: 2, failed: 0 });
    expect(readText(env, 'draw/c.txt')).toBe('abc');
  });
});

it('does not begin a stage before the one that it takes from has ended', async () => {
  const { work, log } = bench({ 'a/draw': ['b/draw'], 'b/draw': ['a/draw'] });
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'sheet',
    stages: [
      {
        name: 'frames',
        units: ['a', 'b'],
        phases: { draw: { run: work, outputs: { out: 'f/{unit}.txt' } } },
      },
      {
        name: 'export',
        units: ['sheet'],
        phases: {
          pack: {
            run: work,
            inputs: { frames: { from: 'draw.out', of: 'every' } },
            outputs: { out: 'sheet.txt' },
          },
        },
      },
    ],
  };
  expect((await run(memoryEnvironment(), definition)).heading.status).toBe('completed');
  expect(log.slice(0, 4).sort()).toEqual(['a/draw begins', 'a/draw ends', 'b/draw begins', 'b/draw ends']);
  expect(log.slice(4)).toEqual(['sheet/pack begins', 'sheet/pack ends']);
});
