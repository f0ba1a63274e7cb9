import { tokensIn } from '../../base/tokens.ts';
import { modelName } from '../../model/calls.ts';
import type { Phase, Unit } from '../../model/definition.ts';
import { asksModel } from '../../model/executor.ts';
import { cellName } from '../../model/names.ts';
import { estimateCall, priceOf } from '../../pipeline/phases/prices.ts';
import type { CellPlan } from '../../planner/plan.ts';
import type { Lookout } from '../../runner/context.ts';
import type { Look } from '../look/look.ts';
import type { PlannedCalls, PlannedModel } from './planned-answer.ts';
import { seeCall } from './see-call.ts';

/** So many prompts are put together; what they come to stands for the others. */
const promptsMax = 200;

/** What the cells of a plan would ask of models; undefined: nothing. */
export async function plannedCalls(seen: Look, folder: string): Promise<PlannedCalls | undefined> {
  const { workspace, ledger, store, plan, facts } = seen;
  const { loaded, root, env } = workspace;
  const run: Lookout = { disk: env.disk, root, folder, loaded, ledger, store };
  const models = new Map<string, Draft>();
  let left = promptsMax;
  for (const { units, phases } of loaded.pipeline.stages) {
    for (const phase of phases.filter(asksModel)) {
      const name = modelName(phase.executor);
      const draft = models.get(name) ?? emptyDraft(name);
      const cells = units
        .flatMap((unit) => cellOf(plan.units.get(unit.id)?.cells ?? [], unit, phase))
        .filter(({ unit }) => !facts.answered?.has(cellName(unit.id, phase.name)));
      if (cells.length === 0) continue;
      models.set(name, draft);
      left -= await addPhase(run, draft, phase, cells, left);
    }
  }
  if (models.size === 0) return undefined;
  const listed = [...models.values()].map((draft) => modelOf(run, draft));
  return { models: listed, usd: listed.reduce((sum, { usd = 0 }) => sum + usd, 0) };
}

interface Draft {
  readonly model: string;
  readonly phases: Set<string>;
  ready: number;
  waiting: number;
  inputTokens: number;
  usd: number;
}

function emptyDraft(model: string): Draft {
  return { model, phases: new Set(), ready: 0, waiting: 0, inputTokens: 0, usd: 0 };
}

interface PlannedCell {
  readonly unit: Unit;
  readonly cell: CellPlan;
}

/** Only what would run, or might once something else has: a result that may stand is taken to. */
function cellOf(cells: readonly CellPlan[], unit: Unit, { name, when }: Phase): PlannedCell[] {
  const cell = cells.find(({ phase }) => phase === name);
  if (cell === undefined) return [];
  const { decision } = cell;
  if (decision.do === 'run') return [{ unit, cell }];
  const isSure = decision.do === 'wait' && decision.had === undefined && when === 'always';
  return isSure ? [{ unit, cell }] : [];
}

/** How many prompts were put together. */
async function addPhase(
  run: Lookout,
  draft: Draft,
  phase: Phase,
  cells: readonly PlannedCell[],
  promptsLeft: number,
): Promise<number> {
  draft.phases.add(phase.name);
  const seen: { tokens: number; usd: number }[] = [];
  for (const { unit, cell } of cells) {
    if (cell.decision.do !== 'run') {
      draft.waiting += 1;
      continue;
    }
    draft.ready += 1;
    if (seen.length >= promptsLeft) continue;
    const call = await seeCall(run, { unit, phase }, cell);
    if (call.ok && call.value.call !== undefined)
      seen.push({ tokens: call.value.call.inputTokens, usd: call.value.call.atStake ?? 0 });
  }
  const ready = cells.filter(({ cell }) => cell.decision.do === 'run').length;
  const each = averageOf(seen) ?? before(run, phase.name) ?? guess(run, phase);
  draft.inputTokens += Math.round(each.tokens * ready);
  draft.usd += each.usd * cells.length;
  return seen.length;
}

function averageOf(
  seen: readonly { tokens: number; usd: number }[],
): { tokens: number; usd: number } | undefined {
  if (seen.length === 0) return undefined;
  const sum = seen.reduce((all, one) => ({ tokens: all.tokens + one.tokens, usd: all.usd + one.usd }));
  return { tokens: sum.tokens / seen.length, usd: sum.usd / seen.length };
}

/** By its templates alone: what it takes from others is not there yet. */
function guess({ loaded }: Lookout, phase: Phase): { tokens: number; usd: number } {
  const files = [...(loaded.statics.get(phase.name)?.templates.values() ?? [])];
  const tokens = files.reduce((sum, { path }) => sum + tokensIn(loaded.templates.get(path) ?? ''), 0);
  if (!asksModel(phase)) return { tokens, usd: 0 };
  const { executor } = phase;
  const price = priceOf(loaded.pipeline.models, modelName(executor));
  return { tokens, usd: estimateCall(price, tokens, executor.parameters.maxTokens) ?? 0 };
}

/** What an attempt at the phase has come to so far; undefined: there was none. */
function before({ ledger }: Lookout, phase: string): { tokens: number; usd: number } | undefined {
  const spent = ledger.spent.find((one) => one.phase === phase);
  if (spent === undefined || spent.attempts === 0) return undefined;
  return { tokens: spent.tokens / spent.attempts, usd: spent.usd / spent.attempts };
}

function modelOf(
  { loaded }: Lookout,
  { model, phases, ready, waiting, inputTokens, usd }: Draft,
): PlannedModel {
  const hasPrice = priceOf(loaded.pipeline.models, model) !== undefined;
  return { model, phases: [...phases], ready, waiting, inputTokens, usd: hasPrice ? usd : undefined };
}
