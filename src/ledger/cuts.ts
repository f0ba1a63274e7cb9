import type { AttemptStarted, RunResumed } from '../model/event.ts';
import type { Ledger, RunningAttempt, Step } from './ledger.ts';

/*
 * Interruptions of a step: attempts that ended without a word, because their owner died under them. A step that ends
 * Pawl each time (it uses up the memory) would otherwise be started, and paid for, without end by whatever restarts
 * Pawl. What a person or a reboot ended is none of these.
 */

/** The attempt that is on record as running is followed by another one. */
export function noteCut(ledger: Pick<Ledger, 'successes'>, step: Step): void {
  const { running } = step;
  if (running === undefined || running.claim !== undefined || running.counted) return;
  step.cuts = { times: cutsBefore(ledger, step) + 1, successes: ledger.successes };
  running.counted = true;
  step.counted = countedFrom(running);
}

/** What an attempt that counts was made from. */
export function countedFrom(running: RunningAttempt): NonNullable<Step['counted']> {
  const { revision, unitData, unitFile, inputs, preState } = running;
  return {
    revision,
    unitData,
    ...(unitFile && { unitFile }),
    ...(inputs && { inputs }),
    ...(preState && { preState }),
  };
}

/** Inputs and start state of an attempt. */
type Consumed = Pick<AttemptStarted, 'inputs' | 'preState'>;

/** The same bytes, whichever attempt made them. */
export function tookTheSame(before: Partial<NonNullable<Step['counted']>>, now: Consumed): boolean {
  return before.preState?.hash === now.preState?.hash && bytesOf(before.inputs) === bytesOf(now.inputs);
}

function bytesOf(inputs: Consumed['inputs'] = {}): string {
  const taken = Object.entries(inputs).map(([name, ref]) => `${name} ${ref.slice(ref.lastIndexOf(' ') + 1)}`);
  return taken.sort().join();
}

/** An attempt starts: what was counted when it would have been made from something else counts no more. */
export function startCounting(
  { revisions }: Pick<Ledger, 'revisions'>,
  step: Step,
  { phase, revision, unitData, unitFile, ...consumed }: AttemptStarted,
): void {
  const { counted } = step;
  if (counted === undefined) return;
  const [before, now] = [counted.revision, revision].map((of) =>
    JSON.stringify(revisions.get(of)?.phases[phase]),
  );
  const isSameUnit = counted.unitData === unitData && counted.unitFile?.hash === unitFile?.hash;
  if (isSameUnit && before === now && tookTheSame(counted, consumed)) return;
  step.failures = 0;
  step.failure = undefined;
  delete step.counted;
  if (step.cuts !== undefined) delete step.cuts;
}

/** Another owner resumes the run: what is on record as running was cut off, and whether by a person is known now. */
export function countCuts(ledger: Ledger, { boot, takeover = false }: RunResumed): void {
  const isExcused = takeover || isExcusedFor(ledger, boot);
  for (const step of ledger.steps.values()) {
    if (step.running === undefined || step.running.claim !== undefined) continue;
    if (isExcused) step.running.counted = true;
    else noteCut(ledger, step);
  }
  delete ledger.stopRequested;
}

/** How often in a row the step was interrupted, with an attempt that is on record as running and is not. */
export function interruptionsOf(ledger: Ledger, step: Step, boot: string | undefined): number {
  const { running, cuts } = step;
  if (running === undefined || running.claim !== undefined || running.counted) return cuts?.times ?? 0;
  return isExcusedFor(ledger, boot) ? (cuts?.times ?? 0) : cutsBefore(ledger, step) + 1;
}

/** A success of any step since the last one ends the row. */
function cutsBefore({ successes }: Pick<Ledger, 'successes'>, { cuts }: Step): number {
  return cuts?.successes === successes ? cuts.times : 0;
}

function isExcusedFor(ledger: Ledger, boot: string | undefined): boolean {
  return ledger.stopRequested === true || (boot !== undefined && ledger.boot !== '' && boot !== ledger.boot);
}
