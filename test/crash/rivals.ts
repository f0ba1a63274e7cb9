import type { Disk } from '../../src/disk/disk.ts';
import type { Baseline } from './explore.ts';
import { checkInvariants } from './invariants.ts';
import { demandCompleted, type History, newHistory, rest, run, Violation } from './scenario.ts';

/**
 * A second process takes the run over while the first is in the middle of a call to the disk and goes on, as one does
 * that was stopped and is woken up. Both are lived to their ends, and then every promise must have been kept.
 */
export async function liveWithRival(
  { given, references }: Baseline,
  callNumber: number,
  mistake: (disk: Disk) => Disk = (disk) => disk,
): Promise<void> {
  const history = newHistory(given);
  const first: History = { ...history, view: mistake(history.disk) };
  const second: History = { ...history, machine: { ...history.machine, processes: 1 } };
  let rival: ReturnType<typeof run> | undefined;
  history.disk.watch((call, when) => {
    if (call.number !== callNumber || when !== 'before' || rival !== undefined) return;
    rival = Promise.resolve().then(() => run(second, { takeover: true }));
  });
  const displaced = await run(first);
  if (rival === undefined) throw new Error(`there is no call ${callNumber}`);
  demandFenced(displaced, await rival);
  const after: History = { ...history, machine: second.machine };
  await rest(after);
  await checkInvariants(after, references.write, 1);
}

/** The rival brings the run to its end; the displaced one did so before, or is told that it lost. */
function demandFenced(displaced: Outcome, rival: Outcome): void {
  demandCompleted(rival);
  if (displaced.ok || displaced.failure.reason === 'fenced-out') return;
  throw new Violation(`the displaced process was told otherwise: ${JSON.stringify(displaced.failure)}`);
}

type Outcome = Awaited<ReturnType<typeof run>>;

/** Every call of the first process. */
export function rivalCalls({ moments }: Baseline): number[] {
  return moments
    .filter(({ step, when }) => step === 'write' && when === 'before')
    .map(({ call }) => call.number);
}
