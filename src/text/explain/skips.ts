import type { SkipReason } from '../../model/reason.ts';
import { explained } from './explanation.ts';

/** Why a phase need not run. */
export const skips = explained<SkipReason['code']>(
  {
    follows: 'The phase is skipped, and whatever needs it goes on without it.',
    ways: ['pawl why UNIT/PHASE says which of the reasons it is'],
    page: 'docs/guide/gates.md',
  },
  {
    'gate-not-failed': {
      what: 'The phase says when: gate-failed, and no gate has sent the unit back.',
      follows: 'The phase is skipped in the first round. It runs from the second one on.',
    },
    'told-skipped': {
      what: 'The log of another tool says that this unit was left out on purpose.',
      follows: 'The unit is skipped, and what needs it goes ahead without it.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'consumers-by-hand': {
      what: 'Whatever would be made from this phase was put there by hand and taken in: nothing wants its outputs any more.',
      follows: 'The phase is skipped. It runs when a file that was put there is gone.',
      page: 'docs/reference/changes.md',
    },
  },
);
