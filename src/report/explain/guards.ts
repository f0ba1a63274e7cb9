import type { GuardName } from '../../model/reason.ts';
import { exitCodes } from '../exit-codes.ts';
import { waysOn } from '../troubles/refusals.ts';
import { plainStyle } from '../words/style.ts';
import { explained } from './explanation.ts';

/** What refuses to go on. The ways on are those that a refusal itself names. */
export const guards = explained<GuardName>(
  {
    follows:
      'The whole run is refused before anything is started or paid. An option that allows it opens this guard, once, and is on record.',
    ways: [],
    exitCode: exitCodes.refused,
    page: 'docs/reference/changes.md',
  },
  {
    'manifest-changed': {
      what: 'The manifest says something else than the one that the run was last gone on with. Pace, layout, prices and budgets do not count.',
      ways: waysOn('manifest-changed', plainStyle),
    },
    'prompt-changed': {
      what: 'A template from which results were made has other bytes now, or its file is gone.',
      ways: waysOn('prompt-changed', plainStyle),
      page: 'docs/guide/prompts.md',
    },
    'output-edited': {
      what: 'An output has other bytes than were recorded, and nothing shows that it is broken: somebody has edited it.',
      follows:
        'The run is refused, and the edit is left alone. With on_edit: ask a person is asked instead (exit code 3); with adopt the edit is taken in.',
      ways: waysOn('output-edited', plainStyle),
    },
    'state-edited': {
      what: 'The file that shows the newest committed state has other bytes than were recorded.',
      ways: waysOn('state-edited', plainStyle),
    },
    'pre-state-differs': {
      what: 'Some phases of an unfinished unit began with another state than the chain has now: what came of them would be mixed.',
      ways: waysOn('pre-state-differs', plainStyle),
    },
    'file-changed': {
      what: 'A declared file with on_change: block or ask has other bytes than results were made from.',
      follows:
        'The run is refused before anything is started. With on_change: ask a person chooses what becomes of the results (exit code 3).',
      ways: waysOn('file-changed', plainStyle),
    },
    'definition-changed': {
      what: 'A phase is defined otherwise than when its results were made: its command, model, parameters, outputs or a schema that checks them.',
      ways: waysOn('definition-changed', plainStyle),
    },
    'unit-changed': {
      what: 'The own fields of a unit, as the list of units has them, are others than when its results were made; or the file that it was found as has other bytes.',
      ways: waysOn('unit-changed', plainStyle),
    },
    'in-doubt': {
      what: 'An attempt was started and never ended, and the phase says on_interrupt: ask. Nobody knows what it did or paid.',
      follows: 'Nothing is started before somebody has looked at it and asked for it again.',
      ways: waysOn('in-doubt', plainStyle),
      page: 'docs/reference/manifest.md',
    },
  },
);
