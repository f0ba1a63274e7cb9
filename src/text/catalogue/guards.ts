import type { Hash } from '../../base/hash.ts';
import type { GuardName, RefusalOf } from '../../model/reason.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';
import { guardOptions } from './refusals.ts';

/** The options that a refusal itself prints, with `FILE` and the like in the place of what changed. */
function options(guard: GuardName): string[] {
  const step = { unit: 'UNIT', phase: 'PHASE', before: hash, after: hash } as const;
  const edit = { unit: 'UNIT', path: 'FILE', before: hash, after: hash } as const;
  const examples: { readonly [Name in GuardName]: RefusalOf<Name> } = {
    'manifest-changed': { guard: 'manifest-changed', ...step, changes: [], names: ['phases.PHASE'] },
    'prompt-changed': { guard: 'prompt-changed', ...step, role: 'phase', path: 'FILE' },
    'output-edited': { guard: 'output-edited', ...edit, phase: 'PHASE', output: 'OUTPUT' },
    'state-edited': { guard: 'state-edited', ...edit },
    'pre-state-differs': { guard: 'pre-state-differs', ...step },
    'file-changed': { guard: 'file-changed', ...step, file: 'NAME', path: 'FILE' },
    'definition-changed': { guard: 'definition-changed', ...step },
    'unit-changed': { guard: 'unit-changed', ...step },
    'code-changed': { guard: 'code-changed', ...step, paths: ['FILE'] },
    'in-doubt': { guard: 'in-doubt', ...step, attempt: 1 },
  };
  return guardOptions(examples[guard]);
}

const hash: Hash = `sha256:${'0'.repeat(64)}`;

/** What refuses to continue, with the options that a refusal itself prints. */
export const guards = makeEntries<GuardName>(
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
      ways: options('manifest-changed'),
    },
    'prompt-changed': {
      what: 'A template from which results were made has other bytes now, or its file is gone.',
      ways: options('prompt-changed'),
      page: 'docs/guide/prompts.md',
    },
    'output-edited': {
      what: 'An output has other bytes than were recorded, and nothing shows that it is broken: somebody has edited it.',
      follows:
        'The run is refused, and the edit is left alone. With on_edit: ask a person is asked instead (exit code 3); with adopt the edit is taken in.',
      ways: options('output-edited'),
    },
    'state-edited': {
      what: 'The file that shows the newest committed state has other bytes than were recorded.',
      ways: options('state-edited'),
    },
    'pre-state-differs': {
      what: 'Some phases of an unfinished unit began with another state than the chain has now: what came of them would be mixed.',
      ways: options('pre-state-differs'),
    },
    'file-changed': {
      what: 'A declared file has other bytes than results were made from, and its policy (on_change) is refuse or ask.',
      follows:
        'The run is refused before anything is started. With on_change: ask a person chooses what becomes of the results (exit code 3).',
      ways: options('file-changed'),
    },
    'definition-changed': {
      what: 'A phase is defined otherwise than when its results were made: its command, model, parameters, outputs or a schema that checks them.',
      ways: options('definition-changed'),
    },
    'unit-changed': {
      what: 'The fields of a unit, or its own file, are not as they were when its results were made, and the policy (on_change) is refuse or ask. Or its own file is missing, and a step that takes it would have to run.',
      ways: options('unit-changed'),
    },
    'code-changed': {
      what: 'The module of a function, with its imports, or a script of a command has other bytes than when the results were made, and its policy (code) is refuse or ask.',
      ways: options('code-changed'),
    },
    'in-doubt': {
      what: 'An attempt was started and never ended, and the phase says on_interrupt: ask. Nobody knows what it did or paid.',
      follows: 'Nothing is started before somebody has looked at it and asked for it again.',
      ways: options('in-doubt'),
      page: 'docs/reference/manifest.md',
    },
  },
);
