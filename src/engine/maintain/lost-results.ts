import { findStep, type Ledger, type Step, type StepResult } from '../../ledger/ledger.ts';
import { feedbackHash } from '../../ledger/questions.ts';
import { ledgerFromSnapshot } from '../../ledger/snapshot.ts';
import type { AttemptStarted, AttemptSucceeded, EventBody, StoredEvent } from '../../model/event.ts';
import { stepName } from '../../model/names.ts';
import { unitParts } from '../../planner/fixed-parts.ts';
import type { MadeFrom } from '../../planner/plan.ts';
import { record } from '../../runner/context.ts';
import { proveOutput } from '../../runner/verify-output.ts';
import { planRunFromDisk } from '../observe/plan-from-disk.ts';
import type { Hold } from '../open/hold.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { openRunJournal } from '../open/run-files.ts';
import { openStore, type Workspace } from '../open/workspace.ts';
import type { RestoredResult } from './repair-answer.ts';

/** What the journal had come to when it was whole, if that was kept and is of this run. */
export function snapshotLedger(
  { env, root }: Workspace,
  { folder, ledger }: Pick<OpenedRun, 'folder' | 'ledger'>,
): Ledger | undefined {
  const snapshot = openRunJournal(env, root, folder).readSnapshot();
  const known = snapshot && ledgerFromSnapshot(snapshot.body);
  if (known?.run === undefined) return undefined;
  return ledger.run === undefined || ledger.run.run === known.run.run ? known : undefined;
}

/** What a snapshot proves and the lines that can be read do not tell, as events that tell it again. */
export function eventsOfSnapshot(
  ledger: Ledger,
  snapshot: Ledger | undefined,
): { readonly events: readonly EventBody[]; readonly restored: readonly RestoredResult[] } {
  const events: EventBody[] = [];
  const restored: RestoredResult[] = [];
  if (snapshot === undefined) return { events, restored };
  for (const [number, { at: _, ...revision }] of snapshot.revisions)
    if (!ledger.revisions.has(number)) events.push(bodyOf(revision as never));
  const gone: Step[] = [];
  for (const known of snapshot.steps.values()) {
    const step = findStep(ledger, known.unit, known.phase);
    for (const [index, result] of known.results.entries()) {
      if (result === undefined || result.reported === true || isKnown(step, index, result)) continue;
      const { unit, phase } = known;
      if (step?.running?.attempt !== result.attempt) events.push(startOf(known, result));
      events.push(successOf(known, result));
      restored.push({ unit, phase, attempt: result.attempt, from: 'snapshot' });
    }
    const isGone = known.superseded !== undefined && known.results.every((result) => result === undefined);
    const isBack = step?.results.some((result) => result !== undefined && result.attempt <= known.attempts);
    if (isGone && isBack === true) gone.push(known);
  }
  for (const { unit, phase, superseded } of gone) {
    if (superseded === undefined) continue;
    const { because, reason } = superseded;
    events.push({
      type: 'results_superseded',
      steps: [stepName(unit, phase)],
      because,
      ...(reason !== undefined && { reason }),
    });
  }
  return { events, restored };
}

/** The journal tells of it, or of something that came later. */
function isKnown(step: Step | undefined, index: number, { attempt }: StepResult): boolean {
  if (step === undefined) return false;
  const own = step.results[index];
  if (own !== undefined && own.attempt >= attempt) return true;
  return step.attempts > attempt || (step.superseded !== undefined && step.attempts >= attempt);
}

function startOf({ unit, phase }: Step, result: StepResult): AttemptStarted {
  const { attempt, round, revision, unitData, unitFile, inputs, preState, prompt, feedback } = result;
  return {
    type: 'attempt_started',
    unit,
    phase,
    attempt,
    ...(round > 1 && { round: round }),
    revision,
    ...(unitData !== undefined && { unitData }),
    ...(unitFile !== undefined && { unitFile }),
    ...(inputs !== undefined && { inputs }),
    ...(preState !== undefined && { preState }),
    ...(prompt !== undefined && { prompt }),
    ...(feedback !== undefined && { feedback }),
    repaired: true,
  };
}

function successOf({ unit, phase, judgements }: Step, result: StepResult): AttemptSucceeded {
  const { attempt, round, outputs, verdict, response, ms, files, note } = result;
  const { attempt: _, ...judged } = judgements?.find((one) => one.attempt === attempt) ?? {
    attempt,
    passed: undefined,
  };
  return {
    type: 'attempt_succeeded',
    unit,
    phase,
    attempt,
    ...(round > 1 && { round: round }),
    outputs,
    ms,
    ...(verdict !== undefined && { verdict }),
    ...(judged.passed !== undefined && { judged: { ...judged, passed: judged.passed } }),
    ...(response !== undefined && { response }),
    ...(files !== undefined && { files }),
    ...(note !== undefined && { note }),
    repaired: true,
  };
}

function bodyOf(stored: StoredEvent): EventBody {
  const { seq: _, at: __, actor: ___, epoch: ____, ...body } = stored;
  return body as EventBody;
}

/** A success that is on record without the start that says what it was made from. */
export interface Orphan {
  readonly event: AttemptSucceeded;
}

/** Successes whose start was lost, and whose outputs are at their paths and in the content store, byte for byte. */
export function findOrphans(workspace: Workspace, { folder, ledger }: OpenedRun): Orphan[] {
  const { env, root } = workspace;
  const started = new Set<string>();
  const successes = new Map<string, AttemptSucceeded>();
  for (const event of openRunJournal(env, root, folder).events()) {
    if (event.type !== 'attempt_started' && event.type !== 'attempt_succeeded') continue;
    // Two actors may have been given one number, and only one of them has the start to it.
    const attempt = `${event.actor} ${event.unit}/${event.phase}#${event.attempt}`;
    if (event.type === 'attempt_started') started.add(attempt);
    else if (!started.has(attempt))
      successes.set(stepName(event.unit, event.phase), bodyOf(event) as AttemptSucceeded);
  }
  const store = openStore(workspace);
  return [...successes.values()].flatMap((event) => {
    const step = findStep(ledger, event.unit, event.phase);
    const isOver =
      step?.results.some((result) => result !== undefined) || (step?.attempts ?? 0) > event.attempt;
    if (isOver || step?.superseded !== undefined) return [];
    const isIntact = Object.values(event.outputs).every((output) => {
      const bytes = store.get(output.hash);
      if (bytes === undefined || bytes === 'damaged') return false;
      return proveOutput(env.disk, `${root}/${output.path}`, output, { deep: true }).kind === 'intact';
    });
    return isIntact ? [{ event }] : [];
  });
}

/**
 * Takes them as made from what an attempt would be made from now: a person has accepted that. One round of looking for
 * each step of a chain, because what a step takes is known only when the one before it counts.
 */
export async function adoptOrphans(
  workspace: Workspace,
  opened: OpenedRun,
  hold: Hold,
  orphans: readonly Orphan[],
): Promise<RestoredResult[]> {
  const adopted: RestoredResult[] = [];
  const left = new Set(orphans);
  for (let found = left.size; found > 0; ) {
    found = 0;
    const { plan } = await planRunFromDisk(
      workspace,
      { ...opened, ledger: hold.ledger },
      { deep: false, restore: false },
    );
    for (const orphan of left) {
      const { unit, phase, attempt, round = 1 } = orphan.event;
      const step = plan.units.get(unit)?.cells.find((one) => one.phase === phase && one.iteration === round);
      if (step?.decision.do !== 'run') continue;
      const start = startOfOrphan(hold, orphan.event, step.decision.made);
      await record(hold, start, { ...orphan.event, repaired: true });
      left.delete(orphan);
      adopted.push({ unit, phase, attempt, from: 'success' });
      found += 1;
    }
  }
  return adopted;
}

function startOfOrphan(
  { ledger, loaded }: Hold,
  { unit, phase, attempt, round = 1 }: AttemptSucceeded,
  made: MadeFrom,
): AttemptStarted {
  const step = findStep(ledger, unit, phase);
  const feedback = step && feedbackHash(step);
  const inputs = Object.fromEntries([...made.inputs].map(([name, { ref }]) => [name, ref]));
  return {
    type: 'attempt_started',
    unit,
    phase,
    attempt,
    ...(round > 1 && { round: round }),
    revision: ledger.revision,
    ...unitParts(loaded, unit, phase),
    ...(made.inputs.size > 0 && { inputs }),
    ...(made.preState !== undefined && { preState: made.preState }),
    ...(feedback !== undefined && { feedback }),
    repaired: true,
  };
}
