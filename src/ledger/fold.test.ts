import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyEvents,
  created,
  failed,
  record,
  revision,
  started,
  stored,
  succeeded,
  timeOf,
} from '../../test/fixtures/events.ts';
import { hashBytes } from '../base/hash.ts';
import type { EventBody, StoredEvent } from '../model/event.ts';
import { foldEvent, foldEvents } from './fold.ts';
import { findStep, isStatTrusted, type Ledger, newestResult, promotedResult, type Step } from './ledger.ts';

const fold = (...bodies: EventBody[]): Ledger => foldEvents(stored(bodies));

function stepOf(ledger: Ledger, unit = 'u', phase = 'write'): Step {
  const step = findStep(ledger, unit, phase);
  if (step === undefined) throw new Error(`no cell ${unit}/${phase}`);
  return step;
}

describe('the run', () => {
  it('is known from its first event', () => {
    const ledger = fold(created);
    expect(ledger.run).toMatchObject({ pipeline: 'book', identity: { book: 'ember' } });
    expect(ledger).toMatchObject({
      createdAt: timeOf(1),
      updatedAt: timeOf(1),
      resumes: 0,
      ended: undefined,
    });
  });

  it('is open again when it is resumed', () => {
    const ended = fold(created, { type: 'run_ended', status: 'stopped' });
    expect(ended.ended).toBe('stopped');
    const resumed = fold(
      created,
      { type: 'run_ended', status: 'stopped' },
      { type: 'run_resumed', boot: 'boot-1' },
    );
    expect(resumed).toMatchObject({ ended: undefined, resumes: 1, updatedAt: timeOf(3) });
  });

  it('keeps every revision, and the highest is in force', () => {
    const ledger = fold(created, revision(1), revision(3), revision(2));
    expect([...ledger.revisions.keys()]).toEqual([1, 3, 2]);
    expect(ledger.revision).toBe(3);
  });

  it('knows the boot and its first event', () => {
    const once = fold(created, { type: 'run_resumed', boot: 'boot-1' });
    expect(once).toMatchObject({ boot: 'boot-1', bootSince: 1 });
    const twice = fold(
      created,
      { type: 'run_resumed', boot: 'boot-2' },
      { type: 'run_resumed', boot: 'boot-2' },
    );
    expect(twice).toMatchObject({ boot: 'boot-2', bootSince: 2 });
  });

  it('keeps overrides with their time, and damage that was accepted', () => {
    const override: EventBody = {
      type: 'override_used',
      guard: 'prompt-changed',
      flag: '--force-resume',
      facts: {},
    };
    const ledger = fold(override, { type: 'damage_accepted', findings: ['a', 'b'], reason: 'seen' });
    expect(ledger.overrides).toEqual([expect.objectContaining({ flag: '--force-resume', at: timeOf(1) })]);
    expect(ledger.acceptedDamage).toEqual(['a', 'b']);
  });

  it('knows what the state showed when it was let go', () => {
    const ended: EventBody = { type: 'run_ended', status: 'stopped', state: hashBytes('s') };
    expect(fold(created, ended, { type: 'run_resumed', boot: 'b' }).shownState).toBe(hashBytes('s'));
    expect(fold(created, ended, { type: 'run_ended', status: 'stopped' }).shownState).toBe(hashBytes('s'));
  });

  it('never forgets a proof', () => {
    expect(
      fold({ type: 'outputs_verified', upTo: 9 }, { type: 'outputs_verified', upTo: 4 }).provenUpTo,
    ).toBe(9);
  });
});

describe('an attempt', () => {
  it('is running from its start, with all that it was made from', () => {
    const preState = { hash: hashBytes('s'), path: 'state.json', from: 'u0#1' };
    const made = {
      inputs: { card: 'plan#1 sha256:00' },
      preState,
      prompt: hashBytes('p'),
      unitData: hashBytes('d'),
    };
    const step = stepOf(fold(started('u/write#1@2', made)));
    expect(step.running).toEqual({
      attempt: 1,
      round: 2,
      revision: 1,
      ...made,
      at: timeOf(1),
      process: undefined,
    });
    expect(step).toMatchObject({ attempts: 1, results: [], promoted: 0 });
  });

  it('gets the process that belongs to it, and no other', () => {
    const process: EventBody = {
      type: 'process_started',
      unit: 'u',
      phase: 'write',
      attempt: 1,
      pid: 4711,
      started: 't',
      boot: 'b',
      host: 'h',
    };
    expect(stepOf(fold(started('u/write#1'), process)).running?.process).toMatchObject({ pid: 4711 });
    expect(stepOf(fold(started('u/write#2'), process)).running?.process).toBeUndefined();
  });

  it('becomes a result when it succeeds', () => {
    const cost = { usd: 0.5, inputTokens: 10 };
    const ledger = fold(
      started('u/write#1', { prompt: hashBytes('p') }),
      succeeded('u/write#1', { prose: 'x' }, { cost, verdict: 'pass', response: hashBytes('r') }),
    );
    const step = stepOf(ledger);
    expect(step).toMatchObject({ attempts: 1, promoted: 1, running: undefined, failures: 0, cost });
    expect(step.results).toEqual([
      expect.objectContaining({
        attempt: 1,
        round: 1,
        prompt: hashBytes('p'),
        verdict: 'pass',
        response: hashBytes('r'),
        outputs: { prose: record('draft/u/prose', 'x') },
        ms: 12,
        at: timeOf(2),
        seq: 2,
      }),
    ]);
    expect(step.placed).toBe(step.results[0]?.outputs);
  });

  it('proves nothing when its start was lost', () => {
    const step = stepOf(fold(succeeded('u/write#3')));
    expect(step).toMatchObject({ attempts: 3, results: [], promoted: 0, placed: undefined });
  });

  it('leaves a failure and uses up the budget', () => {
    const step = stepOf(
      fold(started('u/write#1'), failed('u/write#1'), started('u/write#2'), failed('u/write#2', 'timed-out')),
    );
    expect(step).toMatchObject({ attempts: 2, failures: 2, running: undefined });
    expect(step.failure).toEqual({ attempt: 2, reason: 'timed-out', message: 'it broke', at: timeOf(4) });
  });

  it('that succeeds clears the failures before it', () => {
    const step = stepOf(
      fold(started('u/write#1'), failed('u/write#1'), started('u/write#2'), succeeded('u/write#2')),
    );
    expect(step).toMatchObject({ attempts: 2, failures: 0, failure: undefined });
  });

  it('that was interrupted is over, and costs no budget', () => {
    const interrupted: EventBody = {
      type: 'attempt_interrupted',
      unit: 'u',
      phase: 'write',
      attempt: 1,
      ms: 5,
    };
    expect(stepOf(fold(started('u/write#1'), interrupted))).toMatchObject({
      attempts: 1,
      running: undefined,
      failures: 0,
    });
    expect(stepOf(fold(started('u/write#2'), interrupted)).running?.attempt).toBe(2);
  });

  it('adds its cost to what was spent before', () => {
    const ledger = fold(
      started('u/write#1'),
      succeeded('u/write#1', {}, { cost: { usd: 1, inputTokens: 5 } }),
      started('u/write#2'),
      succeeded('u/write#2', {}, { cost: { usd: 2, outputTokens: 7 } }),
      started('u/write#3'),
      succeeded('u/write#3', {}),
    );
    expect(stepOf(ledger).cost).toEqual({ usd: 3, inputTokens: 5, outputTokens: 7 });
  });
});

describe('rounds', () => {
  const twoRounds = [
    started('u/write#1'),
    succeeded('u/write#1', { prose: 'one' }),
    started('u/write#2@2'),
    succeeded('u/write#2@2', { prose: 'two' }),
  ];

  it('keep a result each; the newest lies at the paths, the older is remembered', () => {
    const step = stepOf(fold(...twoRounds));
    expect(step.results.map((result) => result?.attempt)).toEqual([1, 2]);
    expect(step.promoted).toBe(2);
    expect(promotedResult(step)?.round).toBe(2);
    expect(newestResult(step)?.attempt).toBe(2);
    expect(step.former).toEqual([hashBytes('one')]);
  });

  it('can be put back under new files', () => {
    const back = record('draft/u/elsewhere', 'one');
    const ledger = fold(...twoRounds, {
      type: 'outputs_restored',
      unit: 'u',
      phase: 'write',
      attempt: 1,
      outputs: { prose: back },
    });
    const step = stepOf(ledger);
    expect(step.promoted).toBe(1);
    expect(step.placed).toEqual({ prose: back });
    expect(step.former).toEqual([hashBytes('one'), hashBytes('two')]);
  });

  it('are not put back when they are not there any more', () => {
    const ledger = fold(...twoRounds, {
      type: 'outputs_restored',
      unit: 'u',
      phase: 'write',
      attempt: 7,
      outputs: {},
    });
    expect(stepOf(ledger).promoted).toBe(2);
  });

  it('are superseded all together, and nothing of the files is forgotten', () => {
    const step = stepOf(
      fold(...twoRounds, started('u/write#3@3'), failed('u/write#3@3'), started('u/write#4@3'), {
        type: 'results_superseded',
        steps: ['u/write', 'u/lint'],
        because: 'rerun-requested',
        reason: 'better idea',
      }),
    );
    expect(step).toMatchObject({
      attempts: 4,
      failures: 0,
      failure: undefined,
      running: undefined,
      results: [],
      promoted: 2,
    });
    expect(step.superseded).toEqual({
      because: 'rerun-requested',
      reason: 'better idea',
      decision: 'runner#8',
    });
    expect(step.placed).toEqual({ prose: record('draft/u/prose', 'two') });
    expect(step.former).toEqual([hashBytes('one'), hashBytes('two')]);
  });

  it('are superseded until the next success', () => {
    const superseded: EventBody = { type: 'results_superseded', steps: ['u/write'], because: 'unit-changed' };
    expect(
      stepOf(fold(...twoRounds, superseded, started('u/write#3'), succeeded('u/write#3'))).superseded,
    ).toBeUndefined();
  });
});

describe('results', () => {
  const one = [
    started('u/write#1', { prompt: hashBytes('old') }),
    succeeded('u/write#1', { prose: 'x', patch: 'y' }),
  ];

  it('that are kept count as made from what is now', () => {
    const preState = { hash: hashBytes('s'), path: 'state.json' };
    const ledger = fold(...one, {
      type: 'results_kept',
      steps: ['u/write'],
      revision: 5,
      guard: 'prompt-changed',
      reason: 'typo',
      unitData: hashBytes('d'),
      inputs: { card: 'plan#2 sha256:00' },
      preState,
    });
    expect(stepOf(ledger).results).toEqual([
      expect.objectContaining({
        revision: 5,
        unitData: hashBytes('d'),
        inputs: { card: 'plan#2 sha256:00' },
        preState,
      }),
    ]);
  });

  it('that are kept lose fields that the unit has no more', () => {
    const kept: EventBody = {
      type: 'results_kept',
      steps: ['u/write'],
      revision: 1,
      guard: 'unit-changed',
      reason: '',
      unitData: null,
    };
    const ledger = fold(started('u/write#1', { unitData: hashBytes('d') }), succeeded('u/write#1'), kept);
    expect(stepOf(ledger).results[0]?.unitData).toBeUndefined();
  });

  it('take an adopted file as their own', () => {
    const after = record('draft/u/prose', 'edited');
    const adopted: EventBody = {
      type: 'artifact_adopted',
      unit: 'u',
      phase: 'write',
      output: 'prose',
      before: hashBytes('x'),
      after,
      reason: 'mine',
    };
    const step = stepOf(fold(...one, adopted));
    expect(step.results[0]?.outputs).toEqual({ prose: after, patch: record('draft/u/patch', 'y') });
    expect(step.placed).toBe(step.results[0]?.outputs);
    expect(step.former).toContain(hashBytes('x'));
  });

  it('take the verdict of an adopted report', () => {
    const read = [started('u/write#1'), succeeded('u/write#1', { report: 'bad' }, { verdict: 'fail' })];
    const after = record('draft/u/report', 'good');
    const adopted: EventBody = {
      type: 'artifact_adopted',
      unit: 'u',
      phase: 'write',
      output: 'report',
      before: hashBytes('bad'),
      after,
      verdict: 'pass',
      reason: 'read again',
    };
    expect(stepOf(fold(...read, adopted)).results[0]).toMatchObject({
      verdict: 'pass',
      outputs: { report: after },
    });
  });

  it('do not count an adopted file as ours when it is old', () => {
    const after = record('draft/u/prose', 'edited');
    const step = stepOf(
      fold(
        ...one,
        {
          type: 'artifact_adopted',
          unit: 'u',
          phase: 'write',
          output: 'prose',
          before: hashBytes('x'),
          after,
          reason: '',
        },
        started('u/write#2'),
        succeeded('u/write#2', { prose: 'made again' }),
      ),
    );
    expect(step.former).not.toContain(hashBytes('edited'));
    expect(step.adopted).toEqual([hashBytes('edited')]);
  });

  it('do not take a file that they do not have', () => {
    const after = record('draft/u/other', 'edited');
    const adopted: EventBody = {
      type: 'artifact_adopted',
      unit: 'u',
      phase: 'write',
      output: 'other',
      before: hashBytes('x'),
      after,
      reason: '',
    };
    expect(stepOf(fold(...one, adopted)).results[0]?.outputs).not.toHaveProperty('other');
  });

  it('tell the change of prompt that they come from', () => {
    const ledger = fold(...one, {
      type: 'results_superseded',
      steps: ['u/write'],
      because: 'prompt-changed',
      reason: 'clearer',
    });
    expect(stepOf(ledger).promptChange).toEqual({
      before: hashBytes('old'),
      after: undefined,
      reason: 'clearer',
    });
    for (const event of stored(
      [started('u/write#2', { prompt: hashBytes('new') }), succeeded('u/write#2')],
      4,
    )) {
      foldEvent(ledger, event);
    }
    expect(stepOf(ledger).promptChange).toEqual({
      before: hashBytes('old'),
      after: hashBytes('new'),
      reason: 'clearer',
    });
  });
});

it('trusts a stat only where no power cut can lie between', () => {
  const ledger = fold(
    created,
    started('u/write#1'),
    succeeded('u/write#1'),
    { type: 'run_resumed', boot: 'boot-2' },
    started('v/write#1'),
    succeeded('v/write#1'),
  );
  const before = newestResult(stepOf(ledger, 'u'));
  const after = newestResult(stepOf(ledger, 'v'));
  if (before === undefined || after === undefined) throw new Error('no result');
  expect(isStatTrusted(ledger, before, 'boot-2')).toBe(false);
  expect(isStatTrusted(ledger, after, 'boot-2')).toBe(true);
  expect(isStatTrusted(ledger, after, 'boot-3')).toBe(false);
  for (const event of stored([{ type: 'outputs_verified', upTo: 6 }], 7)) foldEvent(ledger, event);
  expect(isStatTrusted(ledger, before, 'boot-3')).toBe(true);
});

describe('any journal', () => {
  it('has a valid ledger at every prefix', () => {
    fc.assert(
      fc.property(anyEvents(), (events) => {
        const ledger = foldEvents([]);
        for (const event of events) {
          foldEvent(ledger, event);
          checkLedger(ledger);
        }
      }),
    );
  });

  it('folds to the same ledger in one go and event by event', () => {
    fc.assert(
      fc.property(anyEvents(), fc.nat(), (events, cut) => {
        const first = events.slice(0, cut % (events.length + 1));
        const ledger = foldEvents(first);
        for (const event of events.slice(first.length)) foldEvent(ledger, event);
        expect(ledger).toEqual(foldEvents(events));
      }),
    );
  });

  it('is not changed by being folded', () => {
    fc.assert(
      fc.property(anyEvents(), (events) => {
        const before: StoredEvent[] = structuredClone(events);
        foldEvents(events);
        expect(events).toEqual(before);
      }),
    );
  });
});

function checkLedger(ledger: Ledger): void {
  for (const number of ledger.revisions.keys()) expect(number).toBeLessThanOrEqual(ledger.revision);
  for (const [name, step] of ledger.steps) {
    expect(name).toBe(`${step.unit}/${step.phase}`);
    const promised = [step.promoted, step.running?.attempt ?? 0, step.failure?.attempt ?? 0];
    step.results.forEach((result, at) => {
      if (result === undefined) return;
      expect(result.round).toBe(at + 1);
      promised.push(result.attempt);
    });
    for (const attempt of promised) expect(attempt).toBeLessThanOrEqual(step.attempts);
    // After an undo what lies at the paths belongs to no attempt that counts, until its bytes are put back.
    if (step.promoted > 0) expect(step.placed).toBeDefined();
    const promoted = promotedResult(step);
    if (promoted !== undefined) expect(promoted.outputs).toBe(step.placed);
    if (step.failure !== undefined) expect(step.failures).toBeGreaterThan(0);
    expect(new Set(step.former).size).toBe(step.former.length);
  }
}
