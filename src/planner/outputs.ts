import type { Hash } from '../base/hash.ts';
import type { Step, StepResult } from '../ledger/ledger.ts';
import type { OutputRecord } from '../model/event.ts';
import type { Refusal, RunReason } from '../model/reason.ts';
import type { OutputFact } from './facts.ts';
import type { Walk } from './walk.ts';

/** What is wrong with the files of a result. */
export interface OutputTrouble {
  readonly refusals: readonly Refusal[];
  readonly reason: RunReason | undefined;
  readonly unpromoted: readonly string[];
}

export const noTrouble: OutputTrouble = { refusals: [], reason: undefined, unpromoted: [] };

/** Only the newest promoted result lies at the declared paths; earlier rounds are proven by the content store. */
export function lookAtOutputs(walk: Walk, step: Step, result: StepResult): OutputTrouble {
  const { outputs, lost } = walk.context.facts;
  if (step.promoted !== result.attempt) return lost.size === 0 ? noTrouble : lookForLost(lost, result);
  if (outputs.size === 0) return noTrouble;
  let trouble = noTrouble;
  for (const output in result.outputs) {
    const record = result.outputs[output] as OutputRecord;
    const fact = outputs.get(record.path);
    // Whoever has claimed it is at work on the very file.
    if (fact?.kind === 'edited' && step.running?.claim !== undefined) continue;
    if (fact !== undefined)
      trouble = addTrouble(trouble, { unit: step.unit, phase: step.phase, output }, record, fact);
  }
  return trouble;
}

/** What was to be put back and is nowhere any more has to be made again. */
function lookForLost(lost: ReadonlySet<Hash>, result: StepResult): OutputTrouble {
  for (const [output, { hash, path }] of Object.entries(result.outputs))
    if (lost.has(hash)) return { ...noTrouble, reason: { code: 'output-missing', output, path } };
  return noTrouble;
}

function addTrouble(
  trouble: OutputTrouble,
  at: { unit: string; phase: string; output: string },
  record: OutputRecord,
  fact: OutputFact,
): OutputTrouble {
  const { output } = at;
  const { path } = record;
  switch (fact.kind) {
    case 'missing':
      return { ...trouble, reason: trouble.reason ?? { code: 'output-missing', output, path } };
    case 'damaged':
      return {
        ...trouble,
        reason: trouble.reason ?? { code: 'output-damaged', output, path, damage: fact.damage },
      };
    case 'unpromoted':
      return { ...trouble, unpromoted: [...trouble.unpromoted, output] };
    case 'edited': {
      const refusal: Refusal = {
        guard: 'output-edited',
        ...at,
        path,
        before: record.hash,
        after: fact.now.hash,
        ...(fact.writtenBy !== undefined && { writtenBy: fact.writtenBy }),
      };
      return { ...trouble, refusals: [...trouble.refusals, refusal] };
    }
  }
}
