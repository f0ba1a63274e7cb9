import { describe, expect, it } from 'vitest';
import { created, record, revision, started, stored, succeeded } from '../../test/fixtures/events.ts';
import { hashBytes } from '../base/hash.ts';
import type { EventBody, ResultToRestore } from '../model/event.ts';
import { foldEvents } from './fold.ts';
import { currentResult, findStep } from './ledger.ts';

const at = '2026-11-15T12:00:04.000Z';

const earlier = (more: Partial<ResultToRestore> = {}): ResultToRestore => ({
  attempt: 1,
  round: 1,
  revision: 1,
  outputs: { prose: record('draft/u/prose', 'first') },
  ms: 12,
  at,
  seq: 4,
  ...more,
});

const restored = (results: readonly (ResultToRestore | null)[]): EventBody => ({
  type: 'results_restored',
  steps: [{ unit: 'u', phase: 'write', results }],
  undoes: ['runner#5'],
});

const twice: readonly EventBody[] = [
  created,
  revision(1),
  started('u/write#1'),
  succeeded('u/write#1', { prose: 'first' }),
  { type: 'results_superseded', steps: ['u/write'], because: 'rerun-requested' },
  started('u/write#2'),
  succeeded('u/write#2', { prose: 'second' }),
];

const stepAfter = (...events: readonly EventBody[]) => {
  const step = findStep(foldEvents(stored(events)), 'u', 'write');
  if (step === undefined) throw new Error('no step');
  return step;
};

describe('results that count again', () => {
  it('are the results; the later bytes are ours, and lie at the paths until the earlier ones are put back', () => {
    const step = stepAfter(...twice, restored([earlier()]));
    expect(currentResult(step)).toMatchObject({
      attempt: 1,
      outputs: { prose: { hash: hashBytes('first') } },
    });
    expect(step).toMatchObject({ attempts: 2, promoted: 0, superseded: undefined });
    expect(step.placed?.prose?.hash).toBe(hashBytes('second'));
    expect(step.former).toContain(hashBytes('second'));
  });

  it('are not put back where their bytes still lie at the paths', () => {
    const step = stepAfter(...twice.slice(0, 5), restored([earlier()]));
    expect(step).toMatchObject({ promoted: 1, superseded: undefined });
    expect(currentResult(step)?.outputs).toBe(step.placed);
  });

  it('keep what they were made from beside what they are kept for', () => {
    const unitData = hashBytes('now');
    const kept = {
      guard: 'unit-changed',
      reason: 'pawl undo',
      made: { revision: 1, unitData: hashBytes('then') },
    };
    const step = stepAfter(...twice, restored([earlier({ unitData, kept })]));
    expect(currentResult(step)).toMatchObject({ unitData, kept: { made: { unitData: hashBytes('then') } } });
  });

  it('may be none: what lies at the paths is then a file of the user', () => {
    const step = stepAfter(...twice, restored([null]));
    expect(step).toMatchObject({ results: [], promoted: 0, placed: undefined, attempts: 2 });
  });

  it('number later attempts on from all that there were', () => {
    const step = stepAfter(...twice, restored([earlier({ attempt: 9 })]));
    expect(step.attempts).toBe(9);
  });
});
