import { describe, expect, it } from 'vitest';
import { created, failed, record, started, stored, succeeded } from '../../../test/fixtures/events.ts';
import { type CodePipeline, demand, memoryEnvironment, root } from '../../../test/fixtures/memory.ts';
import { foldEvents } from '../../ledger/fold.ts';
import type { EventBody } from '../../model/event.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { openWorkspace, placeWorkspace } from '../open/workspace.ts';
import { unknownFiles } from './unknown-files.ts';

const frames: CodePipeline = {
  pawl: 1,
  pipeline: 'frames',
  units: ['a', 'b'],
  phases: {
    draw: {
      run: () => ({}),
      outputs: {
        picture: '{run}/candidates/{unit}_{attempt:02}.txt',
        notes: { path: 'notes/{unit}.md', optional: true },
      },
    },
    keep: { run: () => ({}), outputs: { picture: '{unit}.txt' } },
  },
  layout: { run: 'runs/{date}' },
};

/** What is found of these files in a run that these events tell of. */
async function find(files: readonly string[], ...events: EventBody[]): Promise<string[]> {
  const env = memoryEnvironment(Object.fromEntries(files.map((path) => [path, 'x'])));
  const target = { path: root, pipeline: definePipeline(frames) };
  const workspace = placeWorkspace(demand(await openWorkspace(env, target)), 'runs/one');
  const found = unknownFiles(workspace, foldEvents(stored([created, ...events])));
  return found.map(({ unit, phase, output, path }) => `${unit}/${phase} ${output} ${path}`);
}

describe('a file that nothing has made', () => {
  it('is one that lies where an output belongs', async () => {
    const files = [
      'runs/one/candidates/a_01.txt',
      'notes/b.md',
      'a.txt',
      'c.txt',
      'notes/c.md',
      'other/a.txt',
    ];
    expect(await find(files)).toEqual([
      'a/draw picture runs/one/candidates/a_01.txt',
      'b/draw notes notes/b.md',
      'a/keep picture a.txt',
    ]);
  });

  it('is nothing where there are no files, and no folders', async () => {
    expect(await find([])).toEqual([]);
  });

  it('is not one of another run', async () => {
    expect(await find(['runs/two/candidates/a_01.txt'])).toEqual([]);
  });

  it('lies where the next attempt would put it', async () => {
    const files = ['runs/one/candidates/a_01.txt', 'runs/one/candidates/a_02.txt'];
    expect(await find(files, started('a/draw#1'), failed('a/draw#1'))).toEqual([
      'a/draw picture runs/one/candidates/a_02.txt',
    ]);
  });

  it('is not one of a cell that has made something, though its results are gone', async () => {
    const made = [
      started('a/keep#1'),
      succeeded('a/keep#1', {}, { outputs: { picture: record('a.txt', 'x') } }),
    ];
    expect(await find(['a.txt', 'b.txt'], ...made)).toEqual(['b/keep picture b.txt']);
    const superseded: EventBody = {
      type: 'results_superseded',
      steps: ['a/keep'],
      because: 'rerun-requested',
    };
    expect(await find(['a.txt', 'b.txt'], ...made, superseded)).toEqual(['b/keep picture b.txt']);
  });

  it('is one of a cell whose output lies at another path since', async () => {
    const made = [
      started('a/keep#1'),
      succeeded('a/keep#1', {}, { outputs: { picture: record('old/a.txt', 'x') } }),
    ];
    expect(await find(['a.txt'], ...made)).toEqual(['a/keep picture a.txt']);
  });

  it('is not one that a person’s file was taken in for', async () => {
    const adopted: EventBody = {
      type: 'artifact_adopted',
      unit: 'a',
      phase: 'keep',
      output: 'picture',
      after: record('a.txt', 'x'),
      attempt: 1,
      reason: 'x',
    };
    expect(await find(['a.txt'], adopted)).toEqual([]);
  });

  it('is found beside one that an attempt was to make and did not', async () => {
    expect(await find(['a.txt'], started('a/keep#1'), failed('a/keep#1'))).toEqual(['a/keep picture a.txt']);
    expect(await find(['a.txt'], started('a/keep#1'))).toEqual(['a/keep picture a.txt']);
  });
});
