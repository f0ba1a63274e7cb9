import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { isFull, isVisited, visitedMin } from '../support/sample.ts';
import { runWhole, tryFault } from './attempt.ts';
import { type FaultCase, purposeOf, type Scenario, type Whole } from './case.ts';
import type { Call, Fault } from './shim.ts';

/*
 * npm run test:full    every call, and not every n-th: minutes instead of seconds
 * FAULT="loop 37 tear" this case alone, and its files are kept: the command that a failure prints
 */
const { FAULT } = process.env;

/** Which calls of a scenario get which fault. */
export interface Sweep {
  readonly scenario: Scenario;
  readonly fault: Fault;
  /** Whether the fault makes sense at a call. */
  readonly where?: (call: Call) => boolean;
  /** Of these calls every so many, the first of them being the `from`-th. */
  readonly every: number;
  readonly from?: number;
  readonly reads?: boolean;
}

/** Makes a test of each sweep, and one that says whether all of them together were enough: `casesMin` without sampling. */
export function sweepAll(file: string, casesMin: number, sweeps: readonly Sweep[]): void {
  let count = 0;
  for (const [nth, sweep] of sweeps.entries()) {
    const { scenario, fault, reads } = sweep;
    it(`${scenario}: ${fault}${reads ? ', reads too' : ''}`, { timeout: 3_600_000 }, async () => {
      const whole = await wholeOf(sweep);
      const cases = casesOf(sweep, whole, nth);
      count += cases.length;
      const failures = await tryAll(cases, whole);
      expect(failures.map((failure) => describeFailure(failure, whole, file)).join('\n')).toBe('');
    });
  }

  it.runIf(FAULT === undefined)('is tried in so many ways that it means something', () => {
    expect(count).toBeGreaterThanOrEqual(visitedMin(casesMin));
  });
}

interface FailedCase {
  readonly fault: FaultCase;
  readonly problems: readonly string[];
}

/** As many at once as there are cores. */
async function tryAll(cases: readonly FaultCase[], whole: Whole): Promise<FailedCase[]> {
  const failures: FailedCase[] = [];
  const waiting = [...cases];
  const work = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const problems = await tryFault(fault, whole);
      if (problems.length > 0) failures.push({ fault, problems });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failures.sort((a, b) => a.fault.at - b.fault.at);
}

const wholes = new Map<string, Promise<Whole>>();

function wholeOf({ scenario, reads = false }: Sweep): Promise<Whole> {
  const key = `${scenario} ${reads}`;
  const whole = wholes.get(key) ?? runWhole(scenario, reads);
  wholes.set(key, whole);
  return whole;
}

/** `nth`: of the sweeps of a file, so that short ones do not all leave out the same cases. */
function casesOf(sweep: Sweep, { calls }: Whole, nth: number): FaultCase[] {
  const { scenario, fault, where = () => true, every, from = 1, reads = false } = sweep;
  const all = calls.filter(where).map(({ number }) => ({ scenario, at: number, fault, reads }));
  if (FAULT !== undefined) return all.filter((one) => nameOf(one) === FAULT);
  if (isFull) return all;
  return all.filter((_, index) => index % every === from - 1).filter((_, index) => isVisited(index + nth));
}

function describeFailure({ fault, problems }: FailedCase, whole: Whole, file: string): string {
  return [
    `${nameOf(fault)}: ${purposeOf(whole.calls, fault.at)}`,
    ...problems.map((problem) => `  - ${problem}`),
    `  FAULT="${nameOf(fault)}" npx vitest run ${file}`,
    '',
  ].join('\n');
}

function nameOf({ scenario, at, fault, reads }: FaultCase): string {
  return `${scenario} ${at} ${fault}${reads ? ' reads' : ''}`;
}
