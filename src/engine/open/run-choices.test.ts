import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyLedger } from '../../ledger/ledger.ts';
import type { Finding } from '../../model/failure.ts';
import type { RunStatus } from '../../model/status.ts';
import type { OpenedRun } from './open-run.ts';
import { runChoices } from './run-choices.ts';

const unreadable: Finding = { code: 'file-unreadable', file: 'runs/x', weight: 'loud' };

function opened(id: string, status: RunStatus, updatedAt: string): OpenedRun {
  const ledger = {
    ...emptyLedger(),
    run: {
      type: 'run_created',
      run: id,
      pipeline: 'book',
      identity: { book: 'ember' },
      durability: 'power',
      manifest: 'pawl.yaml',
      boot: '',
    } as const,
    updatedAt,
  };
  return { id, folder: `runs/${id}`, ledger, heads: new Map(), findings: [], status, eventsRead: 1 };
}

function damaged(id: string): OpenedRun {
  return { ...opened(id, 'interrupted', ''), ledger: emptyLedger(), findings: [unreadable] };
}

describe('the order in which runs are offered', () => {
  it('has a run that waits for a person before any that is newer, and damaged ones last', () => {
    const runs = [
      opened('old-stopped', 'stopped', '2026-01-01'),
      opened('old-waiting', 'waiting_human', '2026-01-02'),
      opened('new-waiting', 'waiting_human', '2026-01-03'),
      opened('new-stopped', 'stopped', '2026-01-04'),
      opened('newest', 'interrupted', '2026-01-05'),
    ];
    const choices = runChoices({ runs, damaged: [damaged('a'), damaged('b')] });
    expect(choices.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'new-waiting waiting_human',
      'old-waiting waiting_human',
      'newest interrupted',
      'new-stopped stopped',
      'old-stopped stopped',
      'a damaged',
      'b damaged',
    ]);
  });

  it('hangs on nothing but the runs', () => {
    const statuses: RunStatus[] = ['waiting_human', 'stopped', 'paused', 'interrupted', 'running'];
    const some = fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^[a-z0-9]{1,4}$/),
        status: fc.constantFrom(...statuses),
        at: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
      }),
      { selector: ({ id }) => id, maxLength: 8 },
    );
    fc.assert(
      fc.property(
        some.chain((runs) =>
          fc.tuple(fc.constant(runs), fc.shuffledSubarray(runs, { minLength: runs.length })),
        ),
        ([runs, shuffled]) => {
          const order = (all: typeof runs) =>
            runChoices({ runs: all.map(({ id, status, at }) => opened(id, status, at)), damaged: [] });
          expect(order(shuffled)).toEqual(order(runs));
        },
      ),
    );
  });

  it('says of a damaged run only what it is called', () => {
    expect(runChoices({ runs: [], damaged: [damaged('a')] })).toEqual([
      { id: 'a', pipeline: '', identity: {}, status: 'damaged', updated: '', steps: 0 },
    ]);
  });
});
