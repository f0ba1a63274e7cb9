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
} from '../../../test/fixtures/events.ts';
import { ann } from '../../../test/fixtures/people.ts';
import { hashBytes } from '../../base/hash.ts';
import type { EventBody } from '../../model/event.ts';
import { gatherAttempts } from './attempts.ts';
import type { InspectedAttempt } from './inspected.ts';

function attemptsOf(bodies: readonly EventBody[], isHeld = false): readonly InspectedAttempt[] {
  return gatherAttempts(stored([created, revision(1), ...bodies]), isHeld).get('u') ?? [];
}

/** `write#2 failed superseded`. */
function told(bodies: readonly EventBody[], isHeld = false): string[] {
  return attemptsOf(bodies, isHeld).map(({ phase, attempt, outcome, superseded = '' }) =>
    `${phase}#${attempt} ${outcome} ${superseded}`.trim(),
  );
}

const superseded: EventBody = {
  type: 'results_superseded',
  steps: ['u/write'],
  because: 'rerun-requested',
};

describe('the attempts of a journal', () => {
  it('stand in the order in which they began, each with what came of it', () => {
    expect(
      told([
        started('u/write#1'),
        started('u/lint#1'),
        failed('u/write#1'),
        succeeded('u/lint#1'),
        started('u/write#2'),
        { type: 'attempt_interrupted', unit: 'u', phase: 'write', attempt: 2, ms: 5 },
        started('u/write#3'),
      ]),
    ).toEqual(['write#1 failed', 'lint#1 succeeded', 'write#2 interrupted', 'write#3 in-doubt']);
  });

  it('say of one that has not ended whether anybody is at it', () => {
    expect(told([started('u/write#1')], true)).toEqual(['write#1 running']);
    expect(told([started('u/write#1')], false)).toEqual(['write#1 in-doubt']);
  });

  it('carry all that is known of them', () => {
    const [attempt] = attemptsOf([
      started('u/lint#4@2', {
        inputs: { prose: 'write#1 sha256:00' },
        why: { code: 'released', attempt: 3 },
      }),
      succeeded(
        'u/lint#4@2',
        { report: '{}' },
        {
          ms: 40,
          cost: { usd: 0.5 },
          verdict: 'fail',
          judged: { passed: false, score: 0.4, scores: { tone: 0.4 }, defects: ['flat'] },
        },
      ),
    ]);
    expect(attempt).toEqual({
      phase: 'lint',
      attempt: 4,
      iteration: 2,
      startedAt: timeOf(3),
      why: { code: 'released', attempt: 3 },
      outcome: 'succeeded',
      superseded: undefined,
      ms: 40,
      cost: { usd: 0.5 },
      verdict: 'fail',
      passed: false,
      score: 0.4,
      scores: { tone: 0.4 },
      defects: ['flat'],
      decision: undefined,
      failure: undefined,
      message: undefined,
      facts: undefined,
      inputs: { prose: 'write#1 sha256:00' },
      outputs: [{ name: 'report', path: 'draft/u/report', hash: hashBytes('{}'), size: 2, isAdopted: false }],
    });
    const [broken] = attemptsOf([started('u/write#1'), failed('u/write#1', 'timed-out')]);
    expect(broken).toMatchObject({ failure: 'timed-out', message: 'it broke', ms: 3 });
  });

  it('are superseded as results, by a person or by a later one of the same round', () => {
    expect(
      told([
        started('u/write#1'),
        failed('u/write#1'),
        started('u/write#2'),
        succeeded('u/write#2'),
        superseded,
        started('u/write#3'),
        succeeded('u/write#3'),
        started('u/write#4'),
        succeeded('u/write#4'),
        started('u/write#5@2'),
        succeeded('u/write#5@2'),
      ]),
    ).toEqual([
      'write#1 failed',
      'write#2 succeeded rerun-requested',
      'write#3 succeeded replaced',
      'write#4 succeeded',
      'write#5 succeeded',
    ]);
  });

  it('that asked for a revision have made nothing, and say what they asked for', () => {
    const [attempt] = attemptsOf([
      started('u/write#1'),
      { type: 'revision_requested', unit: 'u', phase: 'write', attempt: 1, to: 'plan', reason: 'gap', ms: 7 },
    ]);
    expect(attempt).toMatchObject({
      outcome: 'failed',
      failure: 'revision-requested',
      message: 'plan: gap',
      ms: 7,
    });
  });

  it('whose start was lost are told from what is left', () => {
    expect(told([succeeded('u/write#1'), failed('u/lint#2')])).toEqual([
      'write#1 succeeded',
      'lint#2 failed',
    ]);
  });
});

describe('what a person did', () => {
  const report = [
    started('u/lint#1'),
    succeeded('u/lint#1', { report: 'bad' }, { verdict: 'fail', judged: { passed: false, score: 0.1 } }),
  ];

  it('is told of the report that was shown', () => {
    const decided: EventBody = {
      type: 'checkpoint_decided',
      id: 'C1',
      question: 'gate',
      unit: 'u',
      phase: 'lint',
      place: 'gate',
      shown: { 'lint.report': hashBytes('bad') },
      decision: 'approved',
      ...ann,
      note: 'good enough',
    };
    const rerun = [started('u/lint#2'), succeeded('u/lint#2', { report: 'other' })];
    const [first, second] = attemptsOf([...report, ...rerun, decided]);
    expect(first?.decision).toEqual({ is: 'approved', by: 'ann', note: 'good enough' });
    expect(second?.decision).toBeUndefined();
  });

  it('is told without a word where none was given', () => {
    const decided: EventBody = {
      type: 'checkpoint_decided',
      id: 'C1',
      question: 'approval',
      unit: 'u',
      phase: 'lint',
      place: 'after',
      shown: { 'lint.report': hashBytes('bad'), 'write.prose': hashBytes('text') },
      decision: 'rejected',
      ...ann,
    };
    expect(attemptsOf([...report, decided])[0]?.decision).toEqual({ is: 'rejected', by: 'ann', note: '' });
  });

  it('takes the place of what was made, and what was said of that is said no more', () => {
    const adopted: EventBody = {
      type: 'artifact_adopted',
      unit: 'u',
      phase: 'lint',
      output: 'report',
      before: hashBytes('bad'),
      after: record('draft/u/report', 'good'),
      verdict: 'pass',
      reason: 'mended',
    };
    expect(attemptsOf([...report, adopted])).toMatchObject([
      {
        verdict: 'pass',
        passed: undefined,
        score: undefined,
        outputs: [{ name: 'report', hash: hashBytes('good'), isAdopted: true }],
      },
    ]);
    expect(attemptsOf([adopted])).toEqual([]);
  });

  it('may be all that there is', () => {
    const taken: EventBody = {
      type: 'artifact_adopted',
      unit: 'u',
      phase: 'write',
      output: 'prose',
      after: record('draft/u/prose', 'by hand'),
      attempt: 1,
      reason: 'mine',
    };
    expect(told([taken])).toEqual(['write#1 succeeded']);
    expect(attemptsOf([taken])[0]?.outputs).toMatchObject([{ name: 'prose', isAdopted: true }]);
  });

  it('may have moved a file', () => {
    const restored: EventBody = {
      type: 'outputs_restored',
      unit: 'u',
      phase: 'lint',
      attempt: 1,
      outputs: { report: record('elsewhere/report', 'bad') },
    };
    expect(attemptsOf([...report, restored])[0]?.outputs).toMatchObject([{ path: 'elsewhere/report' }]);
  });
});

it('whatever stands in a journal, each attempt is told once, and nothing that never was', () => {
  fc.assert(
    fc.property(anyEvents(), (events) => {
      const named = new Set(
        events.flatMap((event) =>
          'attempt' in event && event.type !== 'process_started'
            ? [`${event.unit}/${event.phase}#${event.attempt}`]
            : [],
        ),
      );
      const found = [...gatherAttempts(events, false)].flatMap(([unit, attempts]) =>
        attempts.map(({ phase, attempt }) => `${unit}/${phase}#${attempt}`),
      );
      expect(found.toSorted()).toEqual([...named].toSorted());
    }),
  );
});
