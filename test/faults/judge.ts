import { runPipeline, showStatus, verifyRun } from '../../src/engine/index.ts';
import { callsOf, type FaultCase, type Sitting, type Whole } from './case.ts';
import { type Ended, type Execution, engineAt, finalFiles, type Place } from './place.ts';
import { type Call, type Fault, failing, killing } from './shim.ts';

/*
 * What has to be true, whatever went wrong. Everything is seen from outside the process that it went wrong in; each
 * judgement gives what is not as it should be.
 */

/** The sitting with the fault: killed when it was to be killed; otherwise done and right, or exit 7 and why. */
export function judgeFaulted(fault: FaultCase, whole: Whole, place: Place, ended: Ended): string[] {
  const { code, signal, stdout, stderr } = ended;
  const said = `it said:\n${stdout}${stderr}`;
  if (/^\s+at .*:\d+:\d+/m.test(stdout + stderr)) return [`a stack trace; ${said}`];
  const isReached = callsOf(place).length >= fault.at;
  if (isReached && isOneOf(killing, fault.fault)) {
    return signal === 'SIGKILL' ? [] : [`not killed but ended with ${code}; ${said}`];
  }
  if (code === 0) {
    const ignored = failedCalls(fault, place).filter(
      (call) => !mayFail(call, fault) && !isStateSyncMadeGood(call, place),
    );
    // Nothing here is of a user's.
    const aside = /^.* stood in the way; .*$/m.exec(stdout + stderr);
    return [
      ...(aside === null ? [] : [`exit 0, and a file of the run was taken for another's: ${aside[0]}`]),
      ...ignored.map(({ operation, path }) => `exit 0, though this failed: ${operation} ${path}`),
      ...differences(whole, place).map((problem) => `exit 0, and ${problem}`),
    ];
  }
  if (!isReached || fault.fault === 'short') return [`ended with ${signal ?? code}; ${said}`];
  if (code !== 7) return [`exit ${signal ?? code} and not 7; ${said}`];
  const expected = { full: 'ENOSPC', dead: 'EIO' }[fault.fault as string] ?? fault.fault;
  const [, errno, path = ''] = /the disk failed: .* \((\w+), \w+ (.*)\)$/m.exec(stderr) ?? [];
  // The journal of a run that cannot be opened is told of as any other damage to it.
  const [, journalErrno] = /\.pawl\/runs\/.*: cannot be read \((\w+)\)$/m.exec(stderr) ?? [];
  const isTold = (errno === expected && path.startsWith(place.folder)) || journalErrno === expected;
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

/**
 * The state that a run shows is made from its journal: a sync of it that fails does not end the run, which has to show
 * it again, with all that makes it durable.
 */
function isStateSyncMadeGood({ number, operation, path }: Call, place: Place): boolean {
  if (operation !== 'sync') return false;
  const calls = callsOf(place);
  const isShown = (call: Call) => call.operation === 'rename' && call.path === `${place.work}/state.json`;
  const isFolderSync = (call: Call) => call.operation === 'sync' && call.path === place.work;
  const isStaged = (call: Call) => /\/staging\/\.pawl-[^/]*\.tmp$/.test(call.path);
  // The folder is synced for other names too: only right after the state got its name it is for that one.
  const before = calls.slice(0, number - 1).findLast((call) => isShown(call) || isFolderSync(call));
  const isOfState =
    isStaged({ number, operation, path }) || (path === place.work && before !== undefined && isShown(before));
  const after = calls.slice(number);
  const shown = after.findLastIndex(isShown);
  return (
    isOfState &&
    after.slice(0, Math.max(0, shown)).some((call) => call.operation === 'sync' && isStaged(call)) &&
    after.slice(shown).some(isFolderSync)
  );
}

/** Looking never fails, whatever has happened before; a run of which nothing is recorded is none. */
export async function judgeReadable(place: Place): Promise<string[]> {
  const status = await showStatus(engineAt(place), { path: place.work });
  if (status.ok) {
    const loud = status.value.findings.filter(({ weight }) => weight === 'loud');
    return loud.length === 0 ? [] : [`status tells of damage: ${JSON.stringify(loud)}`];
  }
  return status.failure.reason === 'no-run' ? [] : [`status: ${JSON.stringify(status.failure)}`];
}

/** What was acknowledged was not executed again, and nothing more than once more for each sitting that was cut off. */
export function judgeExecutions(whole: Whole, sittings: readonly Sitting[]): string[] {
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
  return [...new Set(told)].flatMap((step) => {
    const count = told.filter((other) => other === step).length;
    return executed
      .filter((execution) => execution.cell === step)
      .slice(0, count)
      .map(nameOf);
  });
}

/** Nothing is missing, nothing is left over, and nothing is left to do. */
export async function judgeEnd(whole: Whole, place: Place): Promise<string[]> {
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

function nameOf({ cell: step, iteration: round }: Execution): string {
  return `${step} round ${round}`;
}

function isOneOf(faults: readonly Fault[], fault: Fault): boolean {
  return faults.includes(fault);
}
