import { formatTime } from '../../base/clock.ts';
import type { Hash } from '../../base/hash.ts';
import { DiskError } from '../../disk/disk.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import { foldEvent } from '../../ledger/fold.ts';
import { emptyLedger, type Ledger } from '../../ledger/ledger.ts';
import { followFolder } from '../../ledger/results.ts';
import { ledgerFromSnapshot } from '../../ledger/snapshot.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { RunCreated } from '../../model/event.ts';
import type { Finding, LockOwner } from '../../model/failure.ts';
import { runFile } from '../../model/run-folder.ts';
import { isOver, type RunStatus } from '../../model/status.ts';
import { findHeadOwner } from '../../store/owner.ts';
import type { ActorHead } from '../../store/position.ts';
import type { Environment } from './environment.ts';
import { lookAtHead } from './journal-end.ts';
import { openRunJournal, runnerActor } from './run-files.ts';
import { isNamedAsRun } from './run-places.ts';
import { inOrderOfTime, readTold, type ToldRun, toldCreation } from './told-run.ts';

/** A run as its journal tells it. Only looked at, not held. */
export interface OpenedRun {
  readonly id: string;
  /** Relative to the workspace. */
  readonly folder: string;
  readonly ledger: Ledger;
  readonly heads: ReadonlyMap<string, ActorHead>;
  readonly findings: readonly Finding[];
  readonly status: RunStatus;
  /** Events that were read; a snapshot stands for the others. */
  readonly eventsRead: number;
  /** Nobody but other tools has written to it yet. */
  readonly isToldOnly?: boolean;
  /** The id of the newest run that `--fresh` made in its place: it is abandoned. */
  readonly replacedBy?: string;
}

export interface OpenOptions {
  /** From the first event on, without the snapshot. */
  readonly whole: boolean;
  /** The pipeline that has the words for what other tools write. */
  readonly pipeline?: Pipeline | undefined;
}

/** Reads a run: from its snapshot when that still holds, and always to the end of its journal. */
export function openRun(
  env: Environment,
  root: string,
  { id, folder }: { readonly id: string; readonly folder: string },
  options: OpenOptions,
): OpenedRun {
  try {
    return { id, folder, ...readRun(env, root, { id, folder }, options) };
  } catch (error) {
    // One run that cannot be read must not hide the others. Trouble of this process (no descriptors) is no damage.
    if (!(error instanceof DiskError) || !isUnreadable(error)) throw error;
    const finding: Finding = { code: 'file-unreadable', file: folder, detail: error.code, weight: 'loud' };
    return {
      id,
      folder,
      ledger: emptyLedger(),
      heads: new Map(),
      findings: [finding],
      eventsRead: 0,
      status: 'interrupted',
    };
  }
}

function readRun(
  env: Environment,
  root: string,
  { id, folder }: { readonly id: string; readonly folder: string },
  { whole, pipeline }: OpenOptions,
): Omit<OpenedRun, 'id' | 'folder'> {
  const compareWithHead = lookAtHead(env, root, folder);
  const kept = openRunJournal(env, root, folder);
  const told = readTold(env, root, folder, pipeline);
  // A snapshot says nothing of what other tools have written since.
  const snapshot = whole || told !== undefined ? undefined : kept.readSnapshot();
  const known = snapshot && ledgerFromSnapshot(snapshot.body);
  const journal = kept.read(known && snapshot.positions);
  const ledger = journal.continues && known !== undefined ? known : emptyLedger();
  let eventsRead = 0;
  for (const event of told === undefined ? journal.events() : inOrderOfTime(journal.events(), told.events)) {
    eventsRead += 1;
    foldEvent(ledger, event);
  }
  const { findings, actors } = journal.finish();
  // Another tool that has begun and done nothing yet has a log without a word about work. That is no missing journal.
  const isTold =
    told !== undefined && (told.events.length > 0 || (told.span !== undefined && isUnwritten(actors)));
  const isToldOnly = ledger.run === undefined && isTold;
  if (isToldOnly && pipeline !== undefined)
    nameToldRun(ledger, toldCreation(env, pipeline, { id, folder }), told);
  followFolder(ledger, folder);
  const cutShort = compareWithHead(actors);
  const missing = ledger.run === undefined ? missingJournal(env, root, folder, pipeline, actors) : [];
  const status = runStatus(env, ledger, actors.get(runnerActor));
  const all = [...findings, ...cutShort, ...missing, ...(told?.findings ?? [])];
  return { ledger, heads: actors, findings: all, eventsRead, status, ...(isToldOnly && { isToldOnly }) };
}

function isUnwritten(actors: ReadonlyMap<string, ActorHead>): boolean {
  return [...actors.values()].every(({ epoch }) => epoch === 0);
}

function nameToldRun(ledger: Ledger, created: RunCreated, { events, span }: ToldRun): void {
  ledger.run = created;
  ledger.createdAt = events[0]?.at ?? span?.first ?? '';
  if (ledger.updatedAt === '') ledger.updatedAt = span?.last ?? '';
}

/** A process that died before its first event leaves no more than a journal; what else lies there had one. */
function missingJournal(
  env: Environment,
  root: string,
  folder: string,
  pipeline: Pipeline | undefined,
  heads: ReadonlyMap<string, ActorHead>,
): Finding[] {
  const file = `${folder}/events`;
  if ((heads.get(runnerActor)?.seq ?? 0) > 0) return [{ code: 'first-record-lost', file, weight: 'loud' }];
  const traces = ['run.json', 'snapshot', 'attempts'] as const;
  const isLeft = traces.some((name) => env.disk.stat(`${root}/${runFile(folder, name)}`) !== undefined);
  if (!isLeft && !(pipeline && isNamedAsRun(env, root, folder, pipeline))) return [];
  return [{ code: 'journal-missing', file, weight: 'loud' }];
}

/** Who holds the run, when somebody does or may do. */
export function findRunOwner(env: Environment, opened: OpenedRun): LockOwner | undefined {
  const head = opened.heads.get(runnerActor);
  return head && findHeadOwner(env.host, head);
}

/** A run whose first revision is not recorded has begun nothing. */
export function isBeforeStart(opened: OpenedRun | undefined): boolean {
  return opened === undefined || (opened.ledger.revision === 0 && opened.isToldOnly !== true);
}

/** Findings that nobody has accepted yet and behind which something acknowledged may be lost. */
export function unacceptedDamage(opened: Pick<OpenedRun, 'findings' | 'ledger'>): Finding[] {
  const accepted = new Set(opened.ledger.acceptedDamage);
  return opened.findings.filter(
    (finding) => finding.weight === 'loud' && !accepted.has(findingName(finding)),
  );
}

/** What a person has looked at and accepted is still shown, and needs no attention any more. */
export function shownFindings(opened: Pick<OpenedRun, 'findings' | 'ledger'>): Finding[] {
  const open = new Set(unacceptedDamage(opened));
  return opened.findings.map((finding) =>
    finding.weight === 'loud' && !open.has(finding)
      ? { ...finding, weight: 'quiet', detail: 'accepted' }
      : finding,
  );
}

/** What an acceptance names; the same damage is not asked about twice, other damage is. */
export function findingName(finding: Finding): string {
  return `${finding.file}:${finding.line ?? 0}:${finding.code}`;
}

/** The same for an object of the content store of which no intact copy is left. */
export function lostObjectName(hash: Hash): string {
  return `${hash}:object-lost`;
}

/** Where a run stands whose runner's journal ends there. */
export function runStatus(
  env: Environment,
  ledger: Ledger,
  head: Pick<ActorHead, 'owner' | 'closed'> | undefined,
): RunStatus {
  const hasEnded = ledger.ended !== undefined && isOver(ledger.ended);
  if (!hasEnded && isWorkedOn(ledger, formatTime(env.clock.now()))) return 'running';
  if (head?.closed === true) return ledger.ended ?? 'stopped';
  if (head?.owner !== undefined && env.host.isAlive(head.owner) !== 'dead') return 'running';
  return ledger.ended ?? (ledger.told?.completed ? 'completed' : 'interrupted');
}

/** Somebody outside has claimed a part of it. */
function isWorkedOn({ steps }: Ledger, now: string): boolean {
  for (const { running } of steps.values())
    if (running?.claim !== undefined && running.claim.until > now) return true;
  return false;
}
