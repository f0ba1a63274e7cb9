import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callsOf, type FaultCase, type Scenario, type Sitting, type Whole } from './case.ts';
import { judgeEnd, judgeExecutions, judgeFaulted, judgeReadable } from './judge.ts';
import { copyOf, executions, finalFiles, newPlace, type Place, pawl } from './place.ts';
import { type ShimOptions, shimEnvironment } from './shim.ts';

/** Runs a scenario from start to end, and counts. */
export async function runWhole(scenario: Scenario, reads: boolean): Promise<Whole> {
  const start = newPlace(scenario === 'resumed' ? 'loop' : scenario);
  const past = scenario === 'resumed' ? [await killBeforePromotion(start)] : [];
  const place = copyOf(start);
  const { ended } = await sit(place, { reads });
  if (ended.code !== 0) throw new Error(`the run without a fault did not end well:\n${ended.stderr}`);
  return { start, past, calls: callsOf(place), files: finalFiles(place), executed: executions(place) };
}

/** One sitting with the fault, one without: all that is wrong with what they did and left. */
export async function tryFault(fault: FaultCase, whole: Whole): Promise<string[]> {
  const place = copyOf(whole.start);
  const first = await sit(place, fault);
  const problems = [...judgeFaulted(fault, whole, place, first.ended), ...(await judgeReadable(place))];
  const sittings = [...whole.past, first];
  if (first.ended.code !== 0) {
    const next = await sit(place);
    const { code, stderr } = next.ended;
    if (code !== 0) problems.push(`the next run ends with ${code}:\n${stderr}`);
    sittings.push(next);
  }
  problems.push(...judgeExecutions(whole, sittings), ...(await judgeEnd(whole, place)));
  if (problems.length === 0) rmSync(dirname(place.folder), { recursive: true });
  return problems;
}

type ShimFault = Pick<ShimOptions, 'at' | 'fault' | 'reads'>;

async function sit(place: Place, fault?: ShimFault): Promise<Sitting> {
  const before = executions(place).length;
  const env = fault === undefined ? {} : shimOf(place, fault);
  const ended = await pawl(place, ['run', place.work], { env });
  return { ended, executed: executions(place).slice(before) };
}

async function killBeforePromotion(place: Place): Promise<Sitting> {
  const sitting = await sit(place, { at: '/out/one.note', fault: 'kill-before' });
  if (sitting.ended.signal !== 'SIGKILL') throw new Error('the loop promotes no note');
  return sitting;
}

function shimOf(place: Place, fault: ShimFault): Record<string, string> {
  // What node opens to load the pipeline's own module is not ours to answer for.
  const root = fault.reads === true ? join(place.work, '.pawl') : place.folder;
  return shimEnvironment({ root, log: place.log, ...fault });
}
