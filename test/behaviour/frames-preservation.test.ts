import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlKilledAt } from '../support/command.ts';
import {
  auditLog,
  blaze,
  bytesOf,
  copyOfSprites,
  drawnSprites,
  expectNothingToDraw,
  finalSprites,
  inRun,
  runFolders,
  stateOf,
} from '../support/sprites.ts';
import { calls, has, hashes, type TestWorkspace } from '../support/workspace.ts';

describe('a run that is killed again and again until it is done', () => {
  // After so many lines of progress each sitting dies: in the middle of a frame, between two, and right at the start.
  const moments = [14, 3, 19, 2, 8, 23, 5, 11];
  /** What there was when a sitting had died, and what it had called by then. */
  const lives: Life[] = [];
  let whole: TestWorkspace;
  let work: TestWorkspace;

  beforeAll(async () => {
    whole = await drawnSprites();
    work = copyOfSprites();
    for (;;) {
      const moment = moments[lives.length % moments.length] ?? 2;
      const finished = await pawlKilledAt(work, moment, 'run', blaze);
      lives.push(lifeOf(work));
      if (finished.signal !== 'SIGKILL') {
        expect(finished).toMatchObject({ code: 0, signal: null });
        return;
      }
      expect(lives.length).toBeLessThan(50);
    }
  }, 180_000);

  it('died often enough to mean something', () => {
    expect(lives.length).toBeGreaterThan(5);
    expect(Object.keys(lives.at(-2)?.kept ?? {}).length).toBeGreaterThan(30);
  });

  it('has in the end the very frames, sheet and atlas of a run that was never killed', () => {
    expect(Object.keys(finalSprites(work))).toHaveLength(10);
    expect(finalSprites(work)).toEqual(finalSprites(whole));
  });

  it('never overwrote or deleted a frame, a candidate, an audit or what an attempt left', () => {
    for (const [at, { kept }] of lives.slice(1).entries()) expect(kept).toMatchObject(lives[at]?.kept ?? {});
  });

  it('drew every candidate of the run that was never killed, under numbers that go on', () => {
    const candidates = (of: TestWorkspace) => Object.values(hashes(of, inRun(of, 'candidates')));
    expect(new Set(candidates(work))).toEqual(new Set(candidates(whole)));
    const executed = calls(work).map(({ cell: step, attempt }) => `${step}#${attempt}`);
    expect(new Set(executed).size).toBe(executed.length);
  });

  it('only ever appended to its audit log, and left no event out or in twice', () => {
    for (const [at, { log }] of lives.slice(1).entries()) {
      const before = lives[at]?.log ?? Buffer.alloc(0);
      expect(log.subarray(0, before.length).equals(before)).toBe(true);
    }
    const numbers = auditLog(work).map(({ seq }) => seq);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1));
    expect(auditLog(work).at(-1)).toMatchObject({ type: 'run_ended', status: 'completed' });
  });

  it('drew nothing again that was approved, and stayed in one folder', () => {
    for (const [at, { called, approved }] of lives.slice(0, -1).entries()) {
      const later = calls(work)
        .slice(called)
        .map(({ cell: step }) => step);
      for (const frame of approved) expect(later, `life ${at}`).not.toContain(`${frame}/approve`);
    }
    expect(runFolders(work)).toHaveLength(1);
    const { resume_history: resumes } = stateOf(work);
    const from = resumes.map(({ from_frame: index }) => index ?? 8);
    expect(from).toEqual(from.toSorted((a, b) => a - b));
    expect(resumes.every(({ manifest_hash_match: matches }) => matches)).toBe(true);
  });

  it('finds nothing wrong, and has nothing left to do', async () => {
    await expectNothingToDraw(work);
    expect((await pawl(work, 'verify', blaze)).code).toBe(0);
  });
});

interface Life {
  /** Files that nobody may touch again, by their hashes. */
  readonly kept: Readonly<Record<string, string>>;
  readonly log: Buffer;
  readonly approved: readonly string[];
  readonly called: number;
}

function lifeOf(work: TestWorkspace): Life {
  const folders = ['approved', 'candidates', 'audits', 'rejected'].map((name) => inRun(work, name));
  const kept = folders.filter((folder) => has(work, folder)).map((folder) => hashes(work, folder));
  const succeeded = auditLog(work).filter(
    ({ type, phase }) => type === 'attempt_succeeded' && phase === 'approve',
  );
  return {
    kept: Object.assign({}, ...kept, finishedAttempts(work)),
    log: bytesOf(work, inRun(work, 'audit_log.jsonl')),
    approved: succeeded.map(({ frame = '' }) => frame),
    called: calls(work).length,
  };
}

/** What attempts that came to an end have left; one that was killed may have half of its files. */
function finishedAttempts(work: TestWorkspace): Record<string, string> {
  const ended = auditLog(work).filter(({ type }) => type === 'attempt_succeeded');
  const folders = ended.map(({ frame, phase, attempt }) =>
    inRun(work, `attempts/${frame}/${phase}/${attempt}`),
  );
  return Object.assign(
    {},
    ...folders.filter((folder) => has(work, folder)).map((folder) => hashes(work, folder)),
  );
}
