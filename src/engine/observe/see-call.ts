import type { Hash } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { currentResult, findStep, type StepResult } from '../../ledger/ledger.ts';
import type { OutputRecord } from '../../model/event.ts';
import { asksModel } from '../../model/executor.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { RenderedPrompt } from '../../pipeline/loaded.ts';
import { refHash } from '../../planner/compare.ts';
import type { ConsumedArtifact, MadeFrom, StepPlan } from '../../planner/plan.ts';
import { seeInputs } from '../../runner/attempts/inputs.ts';
import { prepareCall } from '../../runner/attempts/prepare-call.ts';
import { renderPrompt } from '../../runner/attempts/prompt.ts';
import type { RunView } from '../../runner/context.ts';
import type { PreparedCall } from '../../runner/executors/assignment.ts';
import type { TaskInputs } from '../../runner/executors/input-file.ts';
import type { StepTarget } from './cell-target.ts';

/** A prompt as it would be sent now. */
export interface CallPreview {
  readonly prompt: RenderedPrompt;
  /** Undefined: the phase asks no model. */
  readonly call: PreparedCall | undefined;
  readonly taken: TaskInputs;
}

/** Why a prompt cannot be shown: the phase has none, something that it takes is not there, or the template fails. */
export type PreviewFailure = AttemptFailure | { readonly reason: 'waits'; readonly message: string };

/** What a cell would be sent, without writing anything: of one that stands, what it would be sent again. */
export async function previewCall(
  run: RunView,
  { unit, phase }: Pick<StepTarget, 'unit' | 'phase'>,
  planned: StepPlan,
): Promise<Result<CallPreview, PreviewFailure>> {
  const { decision, iteration: round } = planned;
  const made = ('made' in decision ? decision.made : undefined) ?? madeBefore(run, planned);
  if (made === undefined) {
    const message = decision.do === 'wait' ? decision.for.join(', ') : '';
    return fail({ reason: 'waits', message });
  }
  const why = decision.do === 'run' ? decision.why : { code: 'never-ran' as const };
  const step = { unit, phase, round: round, why, made };
  const taken = seeInputs(run, step);
  if (!taken.ok) return taken;
  const prompt = await renderPrompt(run, step, taken.value);
  if (!prompt.ok) return prompt;
  if (prompt.value === undefined) throw new Error(`phase ${phase.name} has no prompt`);
  if (!asksModel(phase)) return ok({ prompt: prompt.value, call: undefined, taken: taken.value });
  const call = await prepareCall(run, step, phase.executor, prompt.value, taken.value);
  return call.ok ? ok({ prompt: prompt.value, call: call.value, taken: taken.value }) : call;
}

/** What the newest result was made from. */
function madeBefore({ ledger }: RunView, { unit, phase }: StepPlan): MadeFrom | undefined {
  const step = findStep(ledger, unit, phase);
  const result = step && currentResult(step);
  return result && { inputs: consumedBy(result), preState: result.preState };
}

function consumedBy({ inputs = {} }: StepResult): Map<string, ConsumedArtifact> {
  return new Map(
    Object.entries(inputs).map(([name, ref]) => [
      name,
      { ref, output: recordOf(refHash(ref)), superseded: false },
    ]),
  );
}

/** Only its bytes are known: they are looked for by their hash. */
function recordOf(hash: Hash | undefined): OutputRecord {
  return { path: '', hash: hash ?? 'sha256:', size: 0 };
}
