import { fail, ok, type Result } from '../../../base/result.ts';
import { foldEvent, foldEvents } from '../../../ledger/fold.ts';
import { currentResult, findStep, type Ledger, type Step, type StepResult } from '../../../ledger/ledger.ts';
import { followFolder } from '../../../ledger/results.ts';
import type { EventBody, RestoredStep, ResultsRestored, StoredEvent } from '../../../model/event.ts';
import type { Failure } from '../../../model/failure.ts';
import { parseStepName, type StepName, stepName } from '../../../model/names.ts';
import { keepBroughtBack } from '../../../planner/edits.ts';
import { outdatedBy, type Plan } from '../../../planner/plan.ts';
import { planRun } from '../../../planner/run.ts';
import type { ContentStore } from '../../../store/content.ts';
import { type GatheredFacts, gatherFacts } from '../../observe/facts.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import { listUnits } from '../../open/unit-lists.ts';
import { openStore, placeWorkspace, type Workspace } from '../../open/workspace.ts';
import type { BroughtBackAnswer, BroughtBackStep } from './answers.ts';

/** The results that are to count again, by step; null: a round without one. */
export type EarlierResults = ReadonlyMap<StepName, Pick<Step, 'results' | 'promptChange'>>;

export interface Wanted {
  readonly command: 'undo' | 'restore';
  readonly earlier: EarlierResults;
  /** Why results whose inputs differ are kept. */
  readonly reason: string;
  readonly undoes?: readonly string[];
  /** Steps that were to run again. Their results come back also where no attempt has replaced them yet. */
  readonly rerun?: ReadonlySet<string>;
  /** What the person gave as the reason. */
  readonly given?: string | undefined;
}

/** What bringing results back would record and do. Nothing was changed to find out. */
export interface Prepared extends Pick<BroughtBackAnswer, 'steps' | 'aside' | 'open'> {
  readonly events: readonly ResultsRestored[];
}

/** The workspace with the units that the results of this ledger list: an earlier result may list others. */
export async function asListed(workspace: Workspace, ledger: Ledger, folder: string): Promise<Workspace> {
  const listed = await listUnits(workspace, ledger);
  return listed.ok && listed.value !== undefined ? placeWorkspace(listed.value, folder) : workspace;
}

/** Works it out on a ledger of its own. `events`: the whole journal. */
export async function prepare(
  before: Workspace,
  { folder }: Pick<OpenedRun, 'folder'>,
  events: readonly StoredEvent[],
  wanted: Wanted,
): Promise<Result<Prepared, Failure>> {
  const ledger = foldEvents(events);
  followFolder(ledger, folder);
  const store = openStore(before);
  const lookAt = (workspace: Workspace) =>
    gatherFacts(workspace, folder, ledger, store, { deep: false, restore: false });
  const edited = editedOutput(planRun(before.loaded, ledger, await lookAt(before)), wanted.earlier);
  if (edited !== undefined)
    return fail({ reason: 'cannot-restore', command: wanted.command, why: 'edited', ...edited });
  const attempts = new Map(
    [...wanted.earlier.keys()].map((name) => [name, currentAttempt(ledger, name)] as const),
  );
  const returning = returningSteps(ledger, wanted);
  fold(ledger, restoredEvents(wanted, wanted.earlier));
  const workspace = await asListed(before, ledger, folder);
  const facts = await lookAt(workspace);
  const plan = keepChanged(workspace, ledger, facts, returning, wanted.reason);
  const gone = goneBytes(plan, store, returning);
  if (gone !== undefined)
    return fail({ reason: 'cannot-restore', command: wanted.command, why: 'bytes-gone', ...gone });
  const decisions = new Map(
    [...plan.units.values()].flatMap(({ cells }) =>
      cells.map(({ unit, phase, decision }) => [stepName(unit, phase), decision] as const),
    ),
  );
  const steps = [...wanted.earlier.keys()].map((name): BroughtBackStep => {
    const { unit, phase } = partsOf(name);
    const decision = decisions.get(name);
    const [from, to] = [attempts.get(name), currentAttempt(ledger, name)];
    return {
      unit,
      phase,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      outputs: decision?.do === 'restore' ? pathsOf(decision.result, decision.outputs) : [],
      ...(decision !== undefined && outdatedBy(decision).length > 0 && { isOutdated: true }),
    };
  });
  const open = [...decisions].filter(([, { do: what }]) => !settled.has(what)).map(([name]) => name);
  const aside = (facts.inTheWay ?? []).flatMap(({ unit, phase, path }) =>
    decisions.get(stepName(unit, phase))?.do === 'restore' ? [path] : [],
  );
  const final = new Map(
    [...wanted.earlier.keys()].map((name) => [name, ledgerStepOf(ledger, name)] as const),
  );
  return ok({ events: restoredEvents(wanted, final), steps, aside, open });
}

const settled: ReadonlySet<string> = new Set(['reuse', 'restore', 'skip']);

/** A hand edit is never overwritten, and never moved away either: a person says first what becomes of it. */
function editedOutput(plan: Plan, earlier: EarlierResults): { step: string; path: string } | undefined {
  for (const refusal of plan.refusals) {
    if (refusal.guard === 'output-edited') {
      const step = stepName(refusal.unit, refusal.phase);
      const back = earlier.get(step);
      // A person may have put the bytes back already that count again.
      const isBack = back?.results.some((result) => result?.outputs[refusal.output]?.hash === refusal.after);
      if (back !== undefined && !isBack) return { step, path: refusal.path };
    }
    const isOfState = refusal.guard === 'state-edited';
    const owner = isOfState && [...earlier.keys()].find((name) => name.startsWith(`${refusal.unit}/`));
    if (isOfState && owner) return { step: owner, path: refusal.path };
  }
  return undefined;
}

/** Steps whose result becomes another one. Where only a kept mark goes, the change that it answered is open again. */
function returningSteps(
  ledger: Ledger,
  { earlier, rerun }: Pick<Wanted, 'earlier' | 'rerun'>,
): Set<StepName> {
  const returning = new Set<StepName>();
  for (const [name, { results }] of earlier) {
    const now = ledgerStepOf(ledger, name).results;
    if (rerun?.has(name) || !isSameBytes(now, results)) returning.add(name);
  }
  return returning;
}

function isSameBytes(a: Step['results'], b: Step['results']): boolean {
  const told = (results: Step['results']) =>
    JSON.stringify(
      results.map(
        (result) => result && [result.attempt, Object.values(result.outputs).map(({ hash }) => hash)],
      ),
    );
  return told(a) === told(b);
}

/** Differences are kept until a plan shows no further one. */
function keepChanged(
  { loaded }: Workspace,
  ledger: Ledger,
  facts: GatheredFacts,
  returning: ReadonlySet<StepName>,
  reason: string,
): Plan {
  const seen = new Set<string>();
  for (let round = 0; ; round++) {
    const plan = planRun(loaded, ledger, facts);
    const { revision } = ledger;
    const site = { loaded, ledger, facts, plan, revision, openerOf: () => undefined, isKept: () => false };
    const kept = keepBroughtBack(site, (name) => returning.has(name), reason, seen);
    if (kept.length === 0 || round >= roundsMax) return plan;
    fold(ledger, kept);
  }
}

const roundsMax = 100;

function fold(ledger: Ledger, events: readonly EventBody[]): void {
  for (const event of events)
    foldEvent(ledger, { ...event, seq: ledger.runnerSeq, at: ledger.updatedAt, actor: '', epoch: 0 });
}

/** An output that has to be put back and whose bytes are nowhere any more. */
function goneBytes(
  { units }: Plan,
  store: ContentStore,
  returning: ReadonlySet<StepName>,
): { step: string; path: string } | undefined {
  for (const { cells: steps } of units.values())
    for (const { unit, phase, decision } of steps) {
      const step = stepName(unit, phase);
      if (decision.do !== 'restore' || !returning.has(step)) continue;
      for (const name of decision.outputs) {
        const output = decision.result.outputs[name];
        const bytes = output && store.get(output.hash);
        if (output !== undefined && (bytes === undefined || bytes === 'damaged'))
          return { step, path: output.path };
      }
    }
  return undefined;
}

/** In several events where there are many steps, because an event has a size limit. */
function restoredEvents(
  { undoes, given }: Pick<Wanted, 'undoes' | 'given'>,
  earlier: EarlierResults,
): ResultsRestored[] {
  const steps = [...earlier].map(([name, step]): RestoredStep => stepOf(name, step));
  const reason = given === undefined || given === '' ? {} : { reason: given };
  const events: ResultsRestored[] = [];
  for (let at = 0; at < steps.length; at += stepsMax) {
    const isLast = at + stepsMax >= steps.length;
    events.push({
      type: 'results_restored',
      steps: steps.slice(at, at + stepsMax),
      ...(isLast ? undoes !== undefined && { undoes } : { more: true as const }),
      ...reason,
    });
  }
  return events;
}

const stepsMax = 500;

/** Through JSON, as the journal keeps it: what is undefined is left out. */
function stepOf(
  name: StepName,
  { results, promptChange }: Pick<Step, 'results' | 'promptChange'>,
): RestoredStep {
  const step = { ...partsOf(name), results: Array.from(results, (result) => result ?? null), promptChange };
  return JSON.parse(JSON.stringify(step)) as RestoredStep;
}

function currentAttempt(ledger: Ledger, name: StepName): number | undefined {
  const result = currentResult(ledgerStepOf(ledger, name));
  return result?.attempt;
}

function pathsOf({ outputs }: StepResult, names: readonly string[]): string[] {
  return names.flatMap((name) => outputs[name]?.path ?? []);
}

function ledgerStepOf(ledger: Ledger, name: StepName): Step {
  const { unit, phase } = partsOf(name);
  const step = findStep(ledger, unit, phase);
  if (step === undefined) throw new Error(`no step ${name} in the journal`);
  return step;
}

function partsOf(name: StepName): { readonly unit: string; readonly phase: string } {
  const parts = parseStepName(name);
  if (parts === undefined) throw new Error(`no step is named ${name}`);
  return parts;
}
