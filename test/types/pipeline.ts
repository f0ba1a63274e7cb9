import {
  type DefinedPipeline,
  definePipeline,
  type ManifestPhase,
  type PhaseFunction,
  type PhaseTask,
  type PipelineDefinition,
} from '../../src/index.ts';
import { type Equal, holds } from './equal.ts';

/* Compiled and never run: each line marked as an error has to be one. */

const outputs = { text: 'out/{unit}.txt' };

export const defined = definePipeline({
  pawl: 1,
  pipeline: 'letters',
  identity: { book: 'ember', volume: 2 },
  units: ['a', { id: 'b', weight: 3 }],
  phases: {
    // A function on the spot knows its task without a word about types.
    draft: { run: (task) => ({ text: `${task.unit.id} ${task.attempt + task.iteration}` }), outputs },
    late: { run: async ({ signal }) => ({ text: new Uint8Array([Number(signal.aborted)]) }), outputs },
    judged: {
      run: () => ({ report: { score: 1, defects: ['none'] } }),
      outputs: { report: 'r/{unit}.json' },
    },
    named: { run: { function: './phases.mjs#named' }, outputs },
    called: { run: { command: ['node', 'call.mjs'] }, outputs, timeout: '30s', retries: 3 },
    claimed: { run: { task: 'builder', lease: '5m' }, outputs, checkpoint: 'Release' },
    asked: { model: 'provider/model', prompt: 'ask.md', outputs: { text: { path: 'a', check: 'json' } } },
  },
});
holds<Equal<typeof defined, DefinedPipeline<PhaseFunction>>>();

export const staged: PipelineDefinition<PhaseFunction> = {
  pawl: 1,
  pipeline: 'stages',
  stages: [{ name: 'first', units: { count: 3 }, phases: { make: { run: () => ({}) } } }],
};

// What nobody changes can be given, too.
const fixed = {
  pawl: 1,
  pipeline: 'fixed',
  units: [{ id: 'a', needs: ['b'] }, 'b'],
  phases: { call: { run: { command: ['node', 'call.mjs'] }, params: { sizes: [1, 2] }, outputs } },
} as const;
definePipeline(fixed);

// @ts-expect-error: a manifest says which version of the format it is
definePipeline({ pipeline: 'letters', units: ['a'], phases: {} });
// @ts-expect-error: one that this version does not know
definePipeline({ pawl: 2, pipeline: 'letters', units: ['a'], phases: {} });
// @ts-expect-error: a unit has an id
definePipeline({ pawl: 1, pipeline: 'letters', units: [{ name: 'a' }], phases: {} });
// @ts-expect-error: a key that is mistyped
definePipeline({ pawl: 1, pipeline: 'letters', units: ['a'], phasis: {} });

// @ts-expect-error: of a phase, too
export const mistyped: ManifestPhase = { run: { command: ['make'] }, output: outputs };
// @ts-expect-error: a command is a list of words, never a line for a shell
export const line: ManifestPhase = { run: { command: 'make all' }, outputs };
// @ts-expect-error: there is no such check
export const unchecked: ManifestPhase = { outputs: { text: { path: 'a', check: 'nice' } } };
// @ts-expect-error: nor such a way to be done again
export const again: ManifestPhase = { again: 'maybe' };

type Phase = NonNullable<PipelineDefinition<PhaseFunction>['phases']>[string];

// @ts-expect-error: the inline form is written by definePipeline alone
export const inlined: Phase = { run: { inline: 'draft' }, outputs };
// @ts-expect-error: a phase returns its outputs by name
export const bare: Phase = { run: () => 'text', outputs };
// @ts-expect-error: which JSON can hold, or which are text or bytes
export const living: Phase = { run: () => ({ text: () => 1 }), outputs };
// @ts-expect-error: it is called with one task
export const greedy: Phase = { run: (_: PhaseTask, n: number) => ({ n }), outputs };
