import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import {
  calls,
  copyOf,
  edit,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, {
    'seed.json': '{"count":0,"log":[]}',
    'rules.md': 'be kind\n',
    'words.md': 'plain\n',
    'notes.md': 'none\n',
    'units.yaml': 'list:\n  - { id: a, mood: calm }\n  - { id: b, mood: glad }\n',
    'any.schema.json': '{}',
  });
  expect((await pawl(done, 'run')).code).toBe(0);
  expect(calls(done)).toHaveLength(8);
});

beforeEach(() => {
  work = copyOf(done);
});

/** Refused, with one guard, before anything was written or run. */
async function expectRefused(guard: string): Promise<readonly Refusal[]> {
  const before = hashes(work);
  const refused = await pawlJson<{ refusals: Refusal[] }>(work, 'run');
  expect(refused.finished.code).toBe(4);
  expect(new Set(refused.refusals.map((refusal) => refusal.guard))).toEqual(new Set([guard]));
  for (const refusal of refused.refusals) expect(refusal.before).not.toBe(refusal.after);
  expect(hashes(work)).toEqual(before);
  expect(calls(work)).toEqual([]);
  return refused.refusals;
}

describe('a declared file that changed', () => {
  it('is refused by default, with the phases that take it', async () => {
    write(work, 'rules.md', 'be harsh\n');
    const refusals = await expectRefused('file-changed');
    expect(refusals.map(({ unit, phase, path }) => `${unit}/${phase} ${path}`)).toEqual([
      'a/rules rules.md',
      'b/rules rules.md',
    ]);
    expect((await pawl(work, 'run', '--rerun-from', 'rules')).code).toBe(0);
    expect(read(work, 'out/a.rules.txt')).toContain('be harsh');
    await expectNothingToDo(work);
  });

  it('reruns what takes it where the manifest says so, and is ignored where it says that', async () => {
    write(work, 'notes.md', 'many\n');
    expect(await pawlJson(work, 'run')).toMatchObject({ ok: true, ran: { succeeded: 0 } });
    write(work, 'words.md', 'rare\n');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work).toSorted()).toEqual(['a/words', 'b/words']);
    await expectNothingToDo(work);
  });
});

describe('a unit whose fields changed', () => {
  it('is refused, and with --force kept where it was finished', async () => {
    edit(work, 'units.yaml', 'glad', 'sad');
    const refusals = await expectRefused('unit-changed');
    expect(new Set(refusals.map(({ unit }) => unit))).toEqual(new Set(['b']));
    expect((await pawl(work, 'diff')).stdout).toContain('mood of b changed: "glad" → "sad"');
    expect((await pawl(work, 'run', '--force', '--reason', 'a slip')).code).toBe(0);
    expect(calls(work)).toEqual([]);
    await expectNothingToDo(work);
  });

  it('is no matter to the others: a new one is simply run', async () => {
    write(work, 'units.yaml', `${read(work, 'units.yaml')}  - { id: c, mood: shy }\n`);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work).toSorted()).toEqual(['c/commit', 'c/notes', 'c/rules', 'c/words']);
  });

  it('and one that is gone is told, and its files are left alone', async () => {
    edit(work, 'units.yaml', '  - { id: b, mood: glad }\n', '');
    const run = await pawlJson<{ notices: object[] }>(work, 'run');
    expect(run).toMatchObject({ ok: true, notices: [{ code: 'unit-removed', unit: 'b' }] });
    expect(read(work, 'out/b.rules.txt')).toContain('be kind');
    expect(calls(work)).toEqual([]);
  });
});

describe('a manifest that changed', () => {
  it('names the values that are others, and goes on with --force', async () => {
    edit(work, 'pawl.yaml', 'word: first', 'word: second');
    const [refusal] = await expectRefused('manifest-changed');
    expect(refusal?.changes).toMatchObject([
      { path: 'phases.words.params.word', before: 'first', after: 'second', line: 21 },
    ]);
    expect((await pawl(work, 'run', '--force', '--reason', 'a better word')).code).toBe(0);
    expect(eventsOf(work, 'override_used')).toMatchObject([{ flag: '--force', reason: 'a better word' }]);
    expect(calls(work)).toEqual([]);
  });

  it('only in its pace is no other manifest', async () => {
    edit(work, 'pawl.yaml', 'concurrency: 1', 'concurrency: 7');
    edit(work, 'pawl.yaml', 'word: first }', 'word: first }\n    timeout: 7m');
    await expectNothingToDo(work);
  });
});

describe('a schema that checks an output', () => {
  it('is part of how the phase is defined', async () => {
    write(work, 'any.schema.json', '{ "type": "object" }');
    const refusals = await expectRefused('definition-changed');
    expect(new Set(refusals.map(({ phase }) => phase))).toEqual(new Set(['commit']));
  });
});

describe('the state that the first unit starts from', () => {
  it('is refused when it is another one, and can be kept or made again', async () => {
    write(work, 'seed.json', '{"count":5,"log":[]}');
    await expectRefused('pre-state-differs');
    const kept = copyOf(work);
    expect((await pawl(kept, 'run', '--force-resume', '--reason', 'as it is')).code).toBe(0);
    expect(calls(kept)).toEqual([]);
    await expectNothingToDo(kept);

    expect((await pawl(work, 'run', '--rerun-from', 'commit')).code).toBe(0);
    expect(JSON.parse(read(work, 'state.json'))).toEqual({ count: 7, log: ['a', 'b'] });
  });
});

interface Refusal {
  readonly guard: string;
  readonly unit?: string;
  readonly phase?: string;
  readonly path?: string;
  readonly before?: string;
  readonly after?: string;
  readonly changes?: readonly object[];
}

const manifest = `
pawl: 1
pipeline: drift
inputs:
  rules: rules.md
  words: { path: words.md, on_change: rerun }
  notes: { path: notes.md, on_change: ignore }
  units: units.yaml
state: { path: state.json, initial: seed.json, snapshots: "state/{unit}.json" }
units: { from: units.list, order: chain, on_change: refuse }
pace: { concurrency: 1 }
phases:
  rules:
    run: { function: ./phases.mjs#step }
    inputs: { rules: rules }
    outputs: { text: "out/{unit}.rules.txt" }
  words:
    needs: []
    run: { function: ./phases.mjs#step }
    inputs: { words: words }
    params: { word: first }
    outputs: { text: "out/{unit}.words.txt" }
  notes:
    needs: []
    run: { function: ./phases.mjs#step }
    inputs: { notes: notes }
    outputs: { text: "out/{unit}.notes.txt" }
  commit:
    needs: []
    state: write
    run: { function: ./phases.mjs#commit }
    inputs: {}
    outputs: { receipt: { path: "out/{unit}.receipt.json", check: { json-schema: any.schema.json } } }
`;
