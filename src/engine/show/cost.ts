import { fail, ok, type Result } from '../../base/result.ts';
import { addCost } from '../../ledger/spent.ts';
import { isUnheard } from '../../model/attempt-failure.ts';
import type { Cost } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { spendings } from '../../planner/budget.ts';
import { isNamed, readSelection, selectsPhase } from '../../planner/selection.ts';
import { gatherAttempts } from '../observe/attempts.ts';
import type { InspectedAttempt } from '../observe/inspected.ts';
import { planRunFromDisk } from '../observe/plan-from-disk.ts';
import { selectSteps } from '../observe/select.ts';
import type { Environment } from '../open/environment.ts';
import { allRuns, createRunHeading, needRun } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { SelectionRequest, Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openRunJournal } from '../open/run-files.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import type { CostAnswer, CostBy, CostRow } from './call-answers.ts';

export interface CostRequest extends Target, SelectionRequest {
  readonly by?: CostBy | undefined;
}

/** What calls of models have cost: all that was ever spent, and not only what was made of it. */
export async function showCost(env: Environment, request: CostRequest): Promise<Result<CostAnswer, Failure>> {
  const by = request.by ?? 'phase';
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  if (by === 'run' && request.run === undefined) {
    const isMeant = meantInAnyRun(workspace.value, request);
    if (!isMeant.ok) return isMeant;
    const sum = new CostSum(by, isMeant.value);
    for (const opened of allRuns(workspace.value))
      if (opened.ledger.run !== undefined) sum.addRun(workspace.value, opened);
    return ok({ heading: undefined, by, ...sum.result(), budgets: [] });
  }
  const opened = needRun(workspace.value, request);
  if (!opened.ok) return opened;
  const isMeant = await meantIn(workspace.value, opened.value, request);
  if (!isMeant.ok) return isMeant;
  const sum = new CostSum(by, isMeant.value);
  sum.addRun(workspace.value, opened.value);
  const budgets = spendings(workspace.value.loaded.pipeline, opened.value.ledger);
  return ok({
    heading: createRunHeading(workspace.value, opened.value),
    by,
    ...sum.result(),
    budgets: budgets.map(({ warnAt: _, account: __, ...spending }) => spending),
  });
}

type IsMeant = (unit: string, phase: string) => boolean;

/** Which steps of a run are counted. */
async function meantIn(
  workspace: Workspace,
  opened: OpenedRun,
  request: SelectionRequest,
): Promise<Result<IsMeant, Failure>> {
  if (readSelection(request, workspace.loaded.pipeline) === undefined) return ok(() => true);
  const placed = await resolvePipelineForRun(workspace, opened);
  const seen = await planRunFromDisk(placed, opened, { deep: false, restore: false });
  const chosen = selectSteps(seen, request);
  return chosen.ok ? ok(chosen.value?.isSelected ?? (() => true)) : chosen;
}

/** Where each step stands is known of one run at a time; names hold for all of them. */
function meantInAnyRun({ loaded }: Workspace, request: SelectionRequest): Result<IsMeant, Failure> {
  const selection = readSelection(request, loaded.pipeline);
  if (selection === undefined) return ok(() => true);
  const { failed, outdated, limit, units } = selection;
  const flag = failed ? '--failed' : outdated ? '--outdated' : limit === undefined ? undefined : '--limit';
  if (flag !== undefined)
    return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: [flag, '--by run'] } });
  const isPhase = selectsPhase(loaded.pipeline, selection);
  return ok((unit, phase) => isNamed(units, unit) && isPhase(phase));
}

type Row = { -readonly [Key in keyof CostRow]: CostRow[Key] };

/** Adds attempts up, by whatever is asked for. */
class CostSum {
  readonly #by: CostBy;
  readonly #isMeant: IsMeant;
  readonly #rows = new Map<string, Row>();
  readonly #total = emptyRow('');
  readonly #unpriced = new Set<string>();

  constructor(by: CostBy, isMeant: IsMeant) {
    this.#by = by;
    this.#isMeant = isMeant;
  }

  addRun({ env, root }: Workspace, opened: OpenedRun): void {
    const events = openRunJournal(env, root, opened.folder).events();
    for (const [unit, attempts] of gatherAttempts(events, opened.status === 'running')) {
      for (const attempt of attempts)
        if (this.#isMeant(unit, attempt.phase) && !isTakenOver(attempt, attempts))
          this.#add(opened.id, unit, attempt);
    }
  }

  result(): Pick<CostAnswer, 'rows' | 'total' | 'unpriced'> {
    const rows = [...this.#rows.values()].sort(
      (a, b) => (b.spent.usd ?? 0) - (a.spent.usd ?? 0) || tokensOf(b.spent) - tokensOf(a.spent),
    );
    return { rows, total: this.#total, unpriced: [...this.#unpriced].sort() };
  }

  #add(run: string, unit: string, attempt: InspectedAttempt): void {
    const { call, intent, cost, phase, saved } = attempt;
    // A function may cost something as well, and says so itself.
    if (call === undefined && intent === undefined && cost === undefined && saved === undefined) return;
    const model = call?.model ?? intent?.model ?? '';
    const name = { run, unit, phase, model: model === '' ? notAModel : model }[this.#by];
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = emptyRow(name);
      this.#rows.set(name, row);
    }
    for (const one of [row, this.#total]) addAttempt(one, attempt);
    if (cost !== undefined && cost.usd === undefined && tokensOf(cost) > 0 && model !== '')
      this.#unpriced.add(model);
  }
}

/** Its answer was taken over, or it only meant to do that: it is counted where that was done, and was paid once. */
function isTakenOver({ phase, attempt }: InspectedAttempt, all: readonly InspectedAttempt[]): boolean {
  return all.some(
    (other) =>
      other.phase === phase &&
      other.call?.adopted !== undefined &&
      other.call.adopted <= attempt &&
      attempt < other.attempt,
  );
}

/** What commands, functions and tasks report that they have spent. */
const notAModel = '(no model)';

function addAttempt(row: Row, attempt: InspectedAttempt): void {
  const { call, intent, cost = {}, outcome, superseded } = attempt;
  const isCut = outcome === 'in-doubt' || outcome === 'interrupted';
  if ((isCut && intent !== undefined) || (outcome === 'failed' && isUnheardCall(attempt))) {
    const { calls, usd } = row.inDoubt;
    row.inDoubt = { calls: calls + 1, usd: usd + (intent?.atStake ?? 0) };
  }
  // Every answer says how it ended: what was refused, or never heard, is none.
  if (call?.finish !== undefined && call.reused === undefined) row.calls += 1;
  row.spent = addCost(row.spent, cost) ?? {};
  if (isCut || outcome === 'failed' || superseded !== undefined) row.wasted = addCost(row.wasted, cost) ?? {};
  row.saved = addCost(row.saved, addCost(call?.saved, attempt.saved)) ?? {};
}

/** It may have been answered, and paid for, where nobody heard it. */
function isUnheardCall({ failure = '', intent, cost }: InspectedAttempt): boolean {
  return intent !== undefined && cost === undefined && isUnheard(failure);
}

function emptyRow(name: string): Row {
  return { name, calls: 0, spent: {}, wasted: {}, saved: {}, inDoubt: { calls: 0, usd: 0 } };
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: Cost): number {
  return inputTokens + outputTokens;
}
