import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runPipeline, showStatus, verifyRun } from '../../src/engine/index.ts';
import {
  copyOf,
  type Ended,
  type Execution,
  engineAt,
  executions,
  finalFiles,
  newPlace,
  type Place,
  pawl,
} from './place.ts';
import { type Call, type Fault, failing, killing, readCalls, shimEnvironment } from './shim.ts';

/** What the fault happens to. */
export type Scenario =
  /** Functions, a loop and a state, one thing at a time: the n-th call is the same one in every run. */
  | 'loop'
  /** Commands, two at a time. */
  | 'tools'
  /** The loop, taken up after a kill between the record of a success and the promotion of its outputs. */
  | 'resumed';

export interface FaultCase {
  readonly scenario: Scenario;
  /** The number of the call. */
  readonly at: number;
  readonly fault: Fault;
  /** Opening for reading counts too, and only what happens below `.pawl` does. */
  readonly reads: boolean;
}

/** A scenario to which nothing happens. */
export interface Whole {
  /** What there is when it begins. */
  readonly start: Place;
  readonly past: readonly Sitting[];
  readonly calls: readonly Call[];
  readonly files: Readonly<Record<string, string>>;
  readonly executed: readonly Execution[];
}

/** One run of the command, as it is seen from outside. */
interface Sitting {
  readonly ended: Ended;
  readonly executed: readonly Execution[];
}

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

async function sit(place: Place, fault?: Partial<FaultCase>): Promise<Sitting> {
  const before = executions(place).length;
  const env = fault === undefined ? {} : shimOf(place, fault);
  const ended = await pawl(place, ['run', place.work], { env });
  return { ended, executed: executions(place).slice(before) };
}

async function killBeforePromotion(place: Place): Promise<Sitting> {
  const { calls } = await runWhole('loop', false);
  const at = calls.find(({ operation, path }) => operation === 'rename' && path.endsWith('/out/one.note'));
  if (at === undefined) throw new Error('the loop promotes no note');
  return sit(place, { at: at.number, fault: 'kill-before' });
}

/** What the n-th call was for: a file under a temporary name is for the one that it becomes. */
export function purposeOf(calls: readonly Call[], at: number): string {
  const call = calls[at - 1];
  if (call === undefined) return 'a call that there was none of';
  const becomes = calls
    .slice(at - 1)
    .find(({ operation, path }) => isNaming(operation) && dirname(path) === dirname(call.path));
  const path = isTemporary(call.path) ? (becomes?.path ?? call.path) : call.path;
  return `${call.operation} ${path}`;
}

function judgeFaulted(fault: FaultCase, whole: Whole, place: Place, ended: Ended): string[] {
  const { code, signal, stdout, stderr } = ended;
  const said = `it said:\n${stdout}${stderr}`;
  if (/^\s+at .*:\d+:\d+/m.test(stdout + stderr)) return [`a stack trace; ${said}`];
  const isReached = callsOf(place).length >= fault.at;
  if (isReached && isOneOf(killing, fault.fault)) {
    return signal === 'SIGKILL' ? [] : [`not killed but ended with ${code}; ${said}`];
  }
  if (code === 0) {
    const ignored = failedCalls(fault, place).filter((call) => !mayFail(call, fault));
    return [
      ...ignored.map(({ operation, path }) => `exit 0, though this failed: ${operation} ${path}`),
      ...differences(whole, place).map((problem) => `exit 0, and ${problem}`),
    ];
  }
  if (!isReached || fault.fault === 'short') return [`ended with ${signal ?? code}; ${said}`];
  if (code !== 7) return [`exit ${signal ?? code} and not 7; ${said}`];
  const told = /^.*the disk failed: .* \((E[A-Z]+), [a-zA-Z]+ (\/.*)\)$/m.exec(stderr);
  const expected = { full: 'ENOSPC', dead: 'EIO' }[fault.fault as string] ?? fault.fault;
  const isTold = told?.[1] === expected && told[2]?.startsWith(place.folder) === true;
  return isTold ? [] : [`exit 7 does not name ${expected}, an operation and a path; ${said}`];
}

/** The calls that the shim has refused. */
function failedCalls({ fault, at }: FaultCase, place: Place): Call[] {
  if (!isOneOf(failing, fault)) return [];
  return callsOf(place).filter(({ number, operation }) => {
    if (fault === 'dead') return number >= at;
    if (fault === 'full') return number >= at && takesRoom.has(operation);
    return number === at;
  });
}

const takesRoom = new Set<Call['operation']>(['create', 'write', 'mkdir', 'link']);

/**
 * Whether a run may go on as if nothing had happened. Never when it was about the bytes of the journal or of the store,
 * or about the durability of a name. But a full disk has a reserve for the journal's last words.
 */
function mayFail({ operation, path }: Call, { fault }: FaultCase): boolean {
  if (operation === 'sync') return false;
  if (operation !== 'write') return true;
  return path.endsWith('.jsonl') ? fault === 'ENOSPC' : !path.endsWith('.pack');
}

/** Looking never fails, whatever has happened before; a run of which nothing is recorded is none. */
async function judgeReadable(place: Place): Promise<string[]> {
  const status = await showStatus(engineAt(place), { path: place.work });
  if (status.ok) {
    const loud = status.value.findings.filter(({ weight }) => weight === 'loud');
    return loud.length === 0 ? [] : [`status tells of damage: ${JSON.stringify(loud)}`];
  }
  return status.failure.reason === 'no-run' ? [] : [`status: ${JSON.stringify(status.failure)}`];
}

/** What was acknowledged was not executed again, and nothing more than once more for each sitting that was cut off. */
function judgeExecutions(whole: Whole, sittings: readonly Sitting[]): string[] {
  const problems: string[] = [];
  const acknowledged = new Set<string>();
  for (const sitting of sittings) {
    for (const name of sitting.executed.map(nameOf)) {
      if (acknowledged.has(name)) problems.push(`executed again after its success: ${name}`);
    }
    for (const name of acknowledgedIn(sitting)) acknowledged.add(name);
  }
  const expected = new Set(whole.executed.map(nameOf));
  const all = sittings.flatMap(({ executed }) => executed.map(nameOf));
  for (const name of new Set([...all, ...expected])) {
    const count = all.filter((other) => other === name).length;
    if (count < 1 || count > sittings.length || !expected.has(name)) {
      problems.push(`executed ${count} times: ${name}`);
    }
  }
  return problems;
}

/** The n-th success that was told of a cell belongs to its n-th execution: nothing here fails by itself. */
function acknowledgedIn({ ended, executed }: Sitting): string[] {
  const told = [...ended.stderr.matchAll(/^(\S+\/\S+) succeeded in /gm)].map((match) => match[1] ?? '');
  return [...new Set(told)].flatMap((cell) => {
    const count = told.filter((other) => other === cell).length;
    return executed
      .filter((execution) => execution.cell === cell)
      .slice(0, count)
      .map(nameOf);
  });
}

async function judgeEnd(whole: Whole, place: Place): Promise<string[]> {
  const problems = differences(whole, place);
  const env = engineAt(place);
  const verified = await verifyRun(env, { path: place.work });
  const loud = verified.ok
    ? verified.value.findings.filter(({ weight }) => weight === 'loud')
    : verified.failure;
  if (!Array.isArray(loud) || loud.length > 0) problems.push(`verify: ${JSON.stringify(loud)}`);
  const again = await runPipeline(env, { path: place.work });
  if (!again.ok || again.value.kind !== 'unchanged') problems.push('a further run finds something to do');
  return problems;
}

function differences(whole: Whole, place: Place): string[] {
  const files = finalFiles(place);
  return [...new Set([...Object.keys(whole.files), ...Object.keys(files)])].flatMap((path) => {
    if (files[path] === whole.files[path]) return [];
    if (files[path] === undefined) return [`${path} is missing`];
    return [whole.files[path] === undefined ? `${path} is left over` : `${path} has other bytes`];
  });
}

function shimOf(place: Place, options: Partial<FaultCase>): Record<string, string> {
  const { at, fault, reads } = options;
  // What node opens to load the pipeline's own module is not ours to answer for.
  const root = reads === true ? join(place.work, '.pawl') : place.folder;
  return shimEnvironment({
    root,
    log: place.log,
    ...(at !== undefined && { at }),
    ...(fault !== undefined && { fault }),
    ...(reads !== undefined && { reads }),
  });
}

function callsOf({ log }: Place): Call[] {
  return existsSync(log) ? readCalls(readFileSync(log, 'utf8')) : [];
}

function nameOf({ cell, iteration }: Execution): string {
  return `${cell} round ${iteration}`;
}

function isNaming(operation: Call['operation']): boolean {
  return operation === 'rename' || operation === 'link';
}

function isTemporary(path: string): boolean {
  return /^\.pawl-.*\.tmp$/.test(basename(path));
}

function isOneOf(faults: readonly Fault[], fault: Fault): boolean {
  return faults.includes(fault);
}
