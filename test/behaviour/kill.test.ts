import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { eventsOf, type RawEvent } from '../support/journal.ts';
import {
  calls,
  copyOfBook,
  finalFiles,
  hashes,
  read,
  type TestWorkspace,
  workspaceWith,
} from '../support/workspace.ts';

describe('a book that is killed again and again', () => {
  // After so many lines of progress each sitting dies. One that dies at its second line has started a phase and done
  // nothing of it; the larger numbers reach over gates, commits and finished scenes.
  const moments = [2, 3, 4, 9, 16, 5];
  let whole: TestWorkspace;
  let book: TestWorkspace;
  let kills = 0;

  beforeAll(async () => {
    whole = copyOfBook();
    expect((await pawl(whole, 'run')).code).toBe(0);
    book = copyOfBook();
    for (;;) {
      const finished = await pawlKilledAt(book, moments[kills % moments.length] ?? 2, 'run');
      if (finished.signal !== 'SIGKILL') {
        expect(finished).toMatchObject({ code: 0, signal: null });
        return;
      }
      kills += 1;
      expect(kills).toBeLessThan(100);
    }
  }, 180_000);

  it('died often enough to mean something', () => {
    expect(kills).toBeGreaterThan(12);
    expect(finalFiles(whole)['draft/ch002_sc003.md']).toBeDefined();
  });

  it('has in the end the very files of a book that was never killed', () => {
    expect(finalFiles(book)).toEqual(finalFiles(whole));
  });

  it('has the same history of each scene, but for when and in which attempt', () => {
    for (const scene of ['ch001_sc001', 'ch001_sc002', 'ch002_sc002', 'ch002_sc003']) {
      expect(historyOf(book, scene)).toEqual(historyOf(whole, scene));
    }
    expect(historyOf(book, 'ch001_sc001').scene_id).toBe('ch001_sc001');
    expect(historyOf(book, 'ch001_sc001').phases.write).toMatchObject({
      status: 'success',
      artifacts: { prompt: 'attempt/prompt.md', response: 'attempt/response.txt' },
      prompt_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      template_set: { system: 'templates/system.md', phase: 'templates/write.md', override: 'book/write.md' },
      pre_state_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      pre_state_path: 'seed-state.json',
    });
  });

  it('has one success for each phase of each round, and no more', () => {
    const rounds = eventsOf(book, 'attempt_succeeded').map(roundOf);
    expect(rounds.toSorted()).toEqual(eventsOf(whole, 'attempt_succeeded').map(roundOf).toSorted());
    expect(new Set(rounds).size).toBe(rounds.length);
  });

  it('executed a phase that had succeeded once, and any other at most once more for each kill', () => {
    const started = eventsOf(book, 'attempt_started');
    const succeeded = eventsOf(book, 'attempt_succeeded');
    const inDoubt = started.length - succeeded.length;
    expect(inDoubt).toBeGreaterThan(0);
    expect(inDoubt).toBeLessThanOrEqual(kills);
    const executed = calls(book);
    expect(executed.length).toBeLessThanOrEqual(succeeded.length + inDoubt);

    const numbered = executed.flatMap(({ cell: step, attempt }) =>
      attempt === undefined ? [] : [`${step}#${attempt}`],
    );
    expect(new Set(numbered).size).toBe(numbered.length);
    expect(started.map(attemptOf)).toEqual(expect.arrayContaining(numbered));
    expect(numbered).toEqual(
      expect.arrayContaining(succeeded.filter((event) => !asksModel(event)).map(attemptOf)),
    );

    // A model is not told which attempt it is asked in: it answers each round, and never more often than that was begun.
    const answers = executed.filter(({ attempt }) => attempt === undefined);
    const rounds = answers.map(({ cell: step, iteration: round }) => `${step} ${round}`);
    expect(new Set(rounds)).toEqual(new Set(succeeded.filter(asksModel).map(roundOf)));
    const begun = started.filter(asksModel).map(roundOf);
    for (const round of new Set(rounds)) {
      const times = (all: readonly string[]) => all.filter((one) => one === round).length;
      expect(times(rounds), round).toBeLessThanOrEqual(times(begun));
    }
  });

  it('finds nothing wrong, and has nothing left to do', async () => {
    const before = calls(book).length;
    const again = await pawlJson<{ kind: string }>(book, 'run');
    expect(again).toMatchObject({ ok: true, kind: 'unchanged' });
    expect(calls(book)).toHaveLength(before);
    expect((await pawl(book, 'verify')).code).toBe(0);
  });
});

describe('a pipeline that does not wait for the disk', () => {
  it('loses nothing to a kill either', async () => {
    const work = workspaceWith(unsynced);
    const whole = workspaceWith(unsynced);
    expect((await pawl(whole, 'run')).code).toBe(0);
    for (const moment of [2, 3, 5, 4, 6]) expect((await pawlKilledAt(work, moment, 'run')).code).toBe(null);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(hashes(work, 'out')).toEqual(hashes(whole, 'out'));
    const succeeded = eventsOf(work, 'attempt_succeeded').map(roundOf);
    expect(new Set(succeeded).size).toBe(succeeded.length);
    expect(calls(work).length).toBeLessThanOrEqual(calls(whole).length + 5);
    expect((await pawl(work, 'verify')).code).toBe(0);
  });
});

interface History {
  readonly scene_id: string;
  readonly phases: Readonly<Record<string, object>>;
}

/** A scene's ledger file without what depends on the run: its id, times and the numbers of attempts. */
function historyOf(workspace: TestWorkspace, scene: string): History {
  const text = read(workspace, `draft/context/phase_history/${scene}.json`);
  const dated = new Set(['timestamp', 'attempt', 'run']);
  return JSON.parse(text, (key, value) => {
    if (dated.has(key)) return undefined;
    return typeof value === 'string'
      ? value.replace(/^\.pawl\/runs\/.*\/attempts\/.*\/\d+\//, 'attempt/')
      : value;
  });
}

const unsynced = `
pawl: 1
pipeline: unsynced
durability: process
units: { list: [a, b, c], order: chain }
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.one.txt" }
  two:
    run: { command: [node, tool.mjs], env: { TEST_CALLS: $TEST_CALLS } }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}.two.txt" }
`;

function roundOf({ unit, phase, round = 1 }: RawEvent): string {
  return `${unit}/${phase} ${round}`;
}

function asksModel({ phase = '' }: RawEvent): boolean {
  return ['plan', 'continuity_pack', 'write', 'repair', 'state_repair'].includes(phase);
}

function attemptOf({ unit, phase, attempt }: RawEvent): string {
  return `${unit}/${phase}#${attempt}`;
}
