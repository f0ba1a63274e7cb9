import { isDeepStrictEqual } from 'node:util';
import { hashBytes } from '../../src/base/hash.ts';
import { canonicalJson } from '../../src/base/json.ts';
import type { Disk } from '../../src/disk/disk.ts';
import type { Environment } from '../../src/engine/open/environment.ts';
import { needRun } from '../../src/engine/open/find-run.ts';
import { type OpenedRun, openRun } from '../../src/engine/open/open-run.ts';
import { openRunJournal } from '../../src/engine/open/run-files.ts';
import { objectsFolder, openWorkspace } from '../../src/engine/open/workspace.ts';
import { checkRun } from '../../src/engine/show/verify.ts';
import { ledgerToSnapshot } from '../../src/ledger/snapshot.ts';
import type { StoredEvent } from '../../src/model/event.ts';
import { openContent } from '../../src/store/open-store.ts';
import { bookPipeline, declaredPaths, root } from './book.ts';
import type { Judge } from './judge.ts';
import { changeReason, type History, Violation } from './scenario.ts';
import { environmentOf } from './world.ts';

/** What an uninterrupted run does and leaves. */
export interface Reference {
  /** Hashes by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly executions: number;
  readonly works: ReadonlySet<string>;
}

export function referenceOf({ view, judge }: History): Reference {
  const works = new Set(judge.executions.map(({ work }) => work));
  return { files: hashFiles(view), executions: judge.executions.length, works };
}

/**
 * The invariants of a finished run, asked of the disk and of the judge: `check(run)` of the product, and what only
 * somebody outside can know. `crashes` counts takeovers as well.
 */
export async function checkInvariants(
  history: History,
  reference: Reference,
  crashes: number,
): Promise<void> {
  const { disk, view, judge, durability, machine } = history;
  const env = environmentOf(view, machine, judge);
  const workspace = await openWorkspace(env, { path: root, pipeline: bookPipeline(judge, durability) });
  if (!workspace.ok) throw new Violation(`the workspace cannot be opened: ${told(workspace.failure)}`);
  const found = needRun(workspace.value, {});
  if (!found.ok) throw new Violation(`the run cannot be found: ${told(found.failure)}`);
  const opened = openRun(env, root, found.value, { whole: true });
  const checked = await checkRun(workspace.value, opened);
  demandNone(checked.findings, 'the check of the run');
  demandNone(
    opened.findings.filter(({ weight }) => weight === 'loud'),
    'the journal',
  );
  checkFold(opened, found.value);

  const events = [...openRunJournal(env, root, opened.folder).events()];
  events.forEach(({ seq }, index) => {
    if (seq !== index + 1) throw new Violation(`event ${index + 1} has number ${seq}`);
  });
  checkAcknowledged(env, judge, events);
  checkAcceptedOnce(events);
  if (history.step === 'rewrite') checkPromptChange(events, crashes);
  checkExecutions(judge, reference, crashes);
  checkFiles(history, reference);
  if (disk.openFiles > 0) throw new Violation(`${disk.openFiles} files were left open`);
}

function demandNone(findings: readonly unknown[], whose: string): void {
  if (findings.length > 0) throw new Violation(`${whose} found ${told(findings)}`);
}

/** The ledger that decisions are made from, by way of snapshots, says what the whole journal says. */
function checkFold(whole: OpenedRun, quick: OpenedRun): void {
  const [expected, found] = [whole, quick].map(({ ledger }) => asData(ledger));
  if (isDeepStrictEqual(found, expected)) return;
  throw new Violation(
    `the ledger is not the fold of the journal: ${told(found)} instead of ${told(expected)}`,
  );
}

function asData(ledger: OpenedRun['ledger']): unknown {
  return JSON.parse(JSON.stringify(ledgerToSnapshot(ledger)));
}

function checkAcknowledged(env: Environment, judge: Judge, events: readonly StoredEvent[]): void {
  const store = openContent(env.disk, `${root}/${objectsFolder}`, { durable: true });
  for (const { unit, phase, attempt, outputs } of judge.acknowledged) {
    const step = `${unit}/${phase}#${attempt}`;
    const recorded = events.find(
      (event) =>
        event.type === 'attempt_succeeded' &&
        event.unit === unit &&
        event.phase === phase &&
        event.attempt === attempt,
    );
    if (recorded?.type !== 'attempt_succeeded')
      throw new Violation(`${step} was acknowledged and is not in the journal`);
    for (const [name, hash] of Object.entries(outputs)) {
      if (recorded.outputs[name]?.hash !== hash)
        throw new Violation(`${step} is recorded with another ${name}`);
      if (!(store.get(hash) instanceof Uint8Array))
        throw new Violation(`the ${name} of ${step} is not in the store`);
    }
  }
}

/** One result for a cell and what it was made from, however often it was tried. */
function checkAcceptedOnce(events: readonly StoredEvent[]): void {
  const madeFrom = new Map<string, string>();
  const accepted = new Set<string>();
  for (const event of events) {
    if (event.type !== 'attempt_started' && event.type !== 'attempt_succeeded') continue;
    const attempt = `${event.unit}/${event.phase}#${event.attempt}`;
    if (event.type === 'attempt_started') {
      const { unit, phase, round = 1, prompt = '', preState } = event;
      const inputs = Object.entries(event.inputs ?? {}).map(([name, ref]) => [name, ref.split(' ')[1] ?? '']);
      madeFrom.set(attempt, canonicalJson([unit, phase, round, prompt, preState?.hash ?? '', inputs]));
      continue;
    }
    const made = madeFrom.get(attempt);
    if (made === undefined) throw new Violation(`${attempt} succeeded without having been started`);
    if (accepted.has(made)) throw new Violation(`${attempt} is a second result of the same: ${made}`);
    accepted.add(made);
  }
}

/**
 * Whoever allowed the change is on record, before anything ran with the new prompt. More than once only where a crash
 * tore the record off from what it did: then nobody had been told that it was allowed.
 */
function checkPromptChange(events: readonly StoredEvent[], crashes: number): void {
  const allowed = events.filter((event) => event.type === 'override_used');
  if (allowed.length === 0 || allowed.length > 1 + crashes) {
    throw new Violation(`the change was allowed ${allowed.length} times`);
  }
  for (const { guard, reason } of allowed) {
    if (guard !== 'prompt-changed' || reason !== changeReason)
      throw new Violation(`allowed: ${guard}, ${reason}`);
  }
  const newest = events.findLast((event) => event.type === 'revision_recorded')?.revision;
  const first = events.find((event) => event.type === 'attempt_started' && event.revision === newest);
  const superseded = events.find((event) => event.type === 'results_superseded');
  if (first === undefined || superseded === undefined || superseded.seq > first.seq) {
    throw new Violation('a phase ran with the new prompt before anybody had allowed it');
  }
}

/** What was told to be done is never paid for again; what was in flight is paid for once more by each crash. */
function checkExecutions(judge: Judge, reference: Reference, crashes: number): void {
  for (const { unit, phase, work, after } of judge.acknowledged) {
    const again = judge.executions.slice(after).some((execution) => execution.work === work);
    if (again) throw new Violation(`${unit}/${phase} was acknowledged and ran again`);
  }
  for (const { unit, phase, work } of judge.executions) {
    if (!reference.works.has(work))
      throw new Violation(`${unit}/${phase} was run with other inputs than ever before`);
  }
  const extra = judge.executions.length - reference.executions;
  if (extra > crashes) throw new Violation(`${extra} executions too many after ${crashes} crashes`);
}

function checkFiles({ view }: History, { files }: Reference): void {
  const found = hashFiles(view);
  for (const path of declaredPaths) {
    if (found.get(path) !== files.get(path))
      throw new Violation(`${path} is not what an uninterrupted run leaves`);
  }
}

function hashFiles(disk: Disk): Map<string, string> {
  return new Map(
    declaredPaths.map((path) => {
      const bytes = disk.read(`${root}/${path}`);
      return [path, bytes === undefined ? '' : hashBytes(bytes)];
    }),
  );
}

function told(value: unknown): string {
  return JSON.stringify(value).slice(0, 2_000);
}
