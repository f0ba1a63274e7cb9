import { tokensIn } from '../../base/tokens.ts';
import { exact } from '../../ledger/spent.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall, Phase, Unit } from '../../model/definition.ts';
import { asksModel } from '../../model/executor.ts';
import { stepName } from '../../model/names.ts';
import { answerTokensExpected, costOf, priceOf } from '../../pipeline/phases/prices.ts';
import { medianCall, pastCalls, spendings } from '../../planner/budget.ts';
import type { StepPlan } from '../../planner/plan.ts';
import type { RunView } from '../../runner/context.ts';
import type { RunPlan } from './plan-from-disk.ts';
import type { PlannedCalls, PlannedModel, PlannedPhase } from './planned-answer.ts';
import type { ReusableStep } from './reusable-steps.ts';
import { previewCall } from './see-call.ts';

/** So many prompts are put together; what they come to stands for the others. */
const promptsMax = 200;

/**
 * What the steps of a plan would ask of models, and cost; undefined: nothing that is known of. `unsure`: steps that may
 * not have to run, and count only in what is spent at most.
 */
export async function plannedCalls(
  seen: RunPlan,
  folder: string,
  reusable: readonly ReusableStep[] = [],
  unsure: ReadonlySet<string> = new Set(),
): Promise<PlannedCalls | undefined> {
  const { workspace, ledger, store, plan, facts } = seen;
  const { loaded, root, env } = workspace;
  const run: RunView = { disk: env.disk, process: env.process, root, folder, loaded, ledger, store };
  const models = new Map<string, Draft>();
  const phases: PlannedPhase[] = [];
  const others: PlannedPhase[] = [];
  const free = new Set(reusable.map(({ unit, phase }) => stepName(unit, phase)));
  let left = promptsMax;
  for (const { units, phases: listed } of loaded.pipeline.stages) {
    for (const phase of listed) {
      const steps = units
        .flatMap((unit) => stepOf(plan.units.get(unit.id)?.cells ?? [], unit, phase))
        .filter(({ unit }) => !facts.answered?.has(stepName(unit.id, phase.name)))
        .filter(({ unit }) => !free.has(stepName(unit.id, phase.name)));
      if (steps.length === 0) continue;
      const sure = steps.filter(({ unit }) => !unsure.has(stepName(unit.id, phase.name))).length;
      if (!asksModel(phase)) {
        others.push(...otherPhase(run, phase, steps.length, sure));
        continue;
      }
      const name = modelName(phase.executor);
      const draft = models.get(name) ?? emptyDraft(name);
      models.set(name, draft);
      const seenPrompts = await seePrompts(run, phase, steps, left);
      left -= seenPrompts.length;
      phases.push(addPhase(run, draft, phase, steps, { sure, prompts: seenPrompts }));
    }
  }
  if (models.size === 0 && others.length === 0) return undefined;
  const all = [...phases, ...others];
  return {
    models: [...models.values()].map((draft) => modelOf(run, draft)),
    others,
    usd: exact(all.reduce((sum, { usd }) => sum + usd, 0)),
    usdMax: exact(all.reduce((sum, { usdMax }) => sum + usdMax, 0)),
    phases: all,
    budgets: spendings(loaded.pipeline, ledger).flatMap(({ phase, limit, value, max }) =>
      limit === 'budget_time' ? [] : [{ phase, limit, left: Math.max(0, exact(max - value)), max }],
    ),
  };
}

type Draft = {
  -readonly [Key in keyof Omit<PlannedModel, 'phases' | 'usd' | 'usdMax'>]: PlannedModel[Key];
} & {
  readonly phases: Set<string>;
  usd: number;
  usdMax: number;
};

function emptyDraft(model: string): Draft {
  return {
    model,
    phases: new Set(),
    ready: 0,
    waiting: 0,
    inputTokens: 0,
    usd: 0,
    usdMax: 0,
    isBounded: true,
  };
}

interface PlannedStep {
  readonly unit: Unit;
  readonly step: StepPlan;
}

/** Only what would run, or might once something else has: a result that may stand is taken to. */
function stepOf(steps: readonly StepPlan[], unit: Unit, { name, when }: Phase): PlannedStep[] {
  const step = steps.find(({ phase }) => phase === name);
  if (step === undefined) return [];
  const { decision } = step;
  if (decision.do === 'run') return [{ unit, step: step }];
  const isSure = decision.do === 'wait' && decision.had === undefined && when === 'always';
  return isSure ? [{ unit, step: step }] : [];
}

/** What a phase that asks no model has said that it costs; none where it never did. */
function otherPhase({ ledger }: RunView, phase: Phase, steps: number, sure: number): PlannedPhase[] {
  const median = medianCall(pastCalls(ledger, phase));
  if (median === undefined) return [];
  const [input, output, usd] = median;
  const amounts = { usd: exact(usd * sure), tokens: Math.round((input + output) * sure) };
  const [usdMax, tokensMax] = [exact(usd * steps), Math.round((input + output) * steps)];
  return [{ phase: phase.name, steps, ...amounts, usdMax, tokensMax, isFromPast: true }];
}

/** The size of each prompt that can be rendered now, in tokens; of no more than so many. */
async function seePrompts(
  run: RunView,
  phase: Phase,
  steps: readonly PlannedStep[],
  promptsLeft: number,
): Promise<number[]> {
  const tokens: number[] = [];
  for (const { unit, step } of steps) {
    if (step.decision.do !== 'run') continue;
    if (tokens.length >= promptsLeft) break;
    const call = await previewCall(run, { unit, phase }, step);
    if (call.ok && call.value.call !== undefined) tokens.push(call.value.call.inputTokens);
  }
  return tokens;
}

function addPhase(
  run: RunView,
  draft: Draft,
  phase: Phase & { readonly executor: ModelCall },
  cells: readonly PlannedStep[],
  { sure, prompts }: { readonly sure: number; readonly prompts: readonly number[] },
): PlannedPhase {
  const steps = cells.length;
  const ready = cells.filter(({ step }) => step.decision.do === 'run').length;
  const { maxTokens } = phase.executor.parameters;
  const price = priceOf(run.loaded.pipeline.models, modelName(phase.executor));
  const costOfCall = (inputTokens: number, outputTokens: number) =>
    price === undefined ? 0 : costOf(price, { inputTokens, outputTokens });
  const median = medianCall(pastCalls(run.ledger, phase));
  const input = averageOf(prompts) ?? median?.[0] ?? templateTokens(run, phase);
  const output = maxTokens ?? answerTokensExpected;
  const most = { usd: costOfCall(input, output), tokens: input + output };
  const expected =
    median === undefined
      ? most
      : {
          usd: Math.min(most.usd, costOfCall(median[0], median[1])),
          tokens: Math.min(most.tokens, median[0] + median[1]),
        };
  const planned: PlannedPhase = {
    phase: phase.name,
    steps,
    usd: exact(expected.usd * sure),
    tokens: Math.round(expected.tokens * sure),
    usdMax: exact(most.usd * steps),
    tokensMax: Math.round(most.tokens * steps),
    isFromPast: median !== undefined,
  };
  draft.phases.add(phase.name);
  draft.ready += ready;
  draft.waiting += steps - ready;
  draft.inputTokens += Math.round(input * ready);
  draft.usd = exact(draft.usd + planned.usd);
  draft.usdMax = exact(draft.usdMax + planned.usdMax);
  draft.isBounded &&= maxTokens !== undefined;
  return planned;
}

function averageOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** What the prompt is without all that it takes from steps that have not run yet. */
function templateTokens({ loaded }: RunView, { name }: Phase): number {
  const files = [...(loaded.statics.get(name)?.templates.values() ?? [])];
  return files.reduce((sum, { path }) => sum + tokensIn(loaded.templates.get(path) ?? ''), 0);
}

function modelOf({ loaded }: RunView, { phases, usd, usdMax, ...draft }: Draft): PlannedModel {
  const hasPrice = priceOf(loaded.pipeline.models, draft.model) !== undefined;
  return {
    ...draft,
    phases: [...phases],
    usd: hasPrice ? usd : undefined,
    usdMax: hasPrice ? usdMax : undefined,
  };
}
