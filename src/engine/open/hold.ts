import { fail, ok, type Result } from '../../base/result.ts';
import { DiskError } from '../../disk/disk.ts';
import { createInsideCheck } from '../../disk/safe-path.ts';
import { foldEvent, type foldEvents } from '../../ledger/fold.ts';
import { emptyLedger, type Ledger } from '../../ledger/ledger.ts';
import { followFolder } from '../../ledger/results.ts';
import { ledgerToSnapshot } from '../../ledger/snapshot.ts';
import type { StoredEvent } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import type { RunStatus } from '../../model/status.ts';
import { AuditLog } from '../../projections/audit-log.ts';
import { BriefFile } from '../../projections/brief-file/brief-file.ts';
import { ProjectionTroubles } from '../../projections/projection-timer.ts';
import { type FollowingFiles, RunProjections } from '../../projections/run-projections.ts';
import { type RunContext, record } from '../../runner/context.ts';
import { JournalFenced } from '../../store/errors.ts';
import type { RunJournal } from '../../store/journal.ts';
import { LazyWriter } from '../../store/lazy-writer.ts';
import { type Position, startPosition } from '../../store/position.ts';
import { diskFailure } from './answering.ts';
import { findGcOwner } from './gc-lock.ts';
import { rememberJournalEnd } from './journal-end.ts';
import { type OpenedRun, openRun, unacceptedDamage } from './open-run.ts';
import { openOwnFolder } from './own-folder.ts';
import { createRecordListener } from './recorded.ts';
import { openRunJournal, runnerActor } from './run-files.ts';
import type { Workspace } from './workspace.ts';
import { openStore } from './workspace.ts';

/** A run that this process holds: nobody else writes to it until it is let go. */
export interface Hold extends Omit<RunContext, 'facts' | 'observe' | 'stop' | 'interrupt'> {
  readonly id: string;
  readonly actor: string;
  /** All of the run's events; `journal` appends those of this actor. */
  readonly runJournal: RunJournal;
  /** How far the journals of all other actors have been taken in. */
  readonly others: Map<string, Position>;
  /** Of the actor's journal when it was come to; another one since: something was said. */
  readonly epochBefore: number;
  /** Something that others wrote was taken in, and no plan was made with it yet. */
  readonly news: { isUnseen: boolean };
  readonly projections: RunProjections;
  /** Whoever opens the run next would have much to read. */
  readonly snapshotDue: boolean;
}

export interface HoldOptions {
  readonly takeover: boolean;
  /** For a damaged run that is put in order or put away; others may not write past what may be lost. */
  readonly mayBeDamaged?: boolean;
}

/** A run that there is only a name for. */
export interface NewRun {
  readonly id: string;
  /** Relative to the workspace. */
  readonly folder: string;
}

/**
 * Takes hold of a run that was looked at, or of a new one. What happened in between is taken in. A damaged run is
 * refused before anything is written, because a new segment and a new head would stand for what is lost.
 */
export async function lockRun(
  workspace: Workspace,
  run: OpenedRun | NewRun,
  options: HoldOptions,
): Promise<Result<Hold, Failure>> {
  const { env, root, loaded } = workspace;
  const { folder } = run;
  const collector = () => (options.takeover ? undefined : findGcOwner(env, root));
  const refused = whyNotHeld(run, options, collector());
  if (refused !== undefined) return fail(refused);
  const ownFolder = openOwnFolder(env.disk, root, folder);
  if (!ownFolder.ok) return ownFolder;
  const store = openStore(workspace);
  const runJournal = openRunJournal(env, root, folder);
  const claimed = await runJournal.claim({
    actor: runnerActor,
    durable: loaded.pipeline.durability === 'power',
    run: run.id,
    takeover: options.takeover,
    from: 'heads' in run ? run.heads : undefined,
    beforeCommit: () => store.flush(),
    recorded: createRecordListener(workspace, run.id),
  });
  if (!claimed.ok) return claimed;
  const { writer, continues, events, actors } = claimed.value;
  // Asked again with the run in hand: whoever removes things looks for holders only after it has said that it does.
  const holder = collector();
  if (holder !== undefined) {
    await writer.close();
    return fail({ reason: 'run-held', run: run.id, holder });
  }
  const ledger =
    'ledger' in run && !continues
      ? openRun(env, root, run, { whole: true, pipeline: loaded.pipeline }).ledger
      : takeIn('ledger' in run ? run.ledger : undefined, events);
  followFolder(ledger, folder);
  const troubles = new ProjectionTroubles();
  const log = openLog(workspace, runJournal, writer.lastSeq, troubles);
  const others = new Map<string, Position>(actors);
  others.delete(runnerActor);
  const own = {
    id: run.id,
    actor: runnerActor,
    folder,
    ledger,
    runJournal,
    journal: writer,
    store,
    others,
  };
  const hold = {
    ...own,
    epochBefore: 0,
    snapshotDue: true,
    ...groundOf(workspace),
    news: { isUnseen: false },
  };
  return ok(withProjections(hold, { log, troubles }));
}

function whyNotHeld(
  run: OpenedRun | NewRun,
  { mayBeDamaged }: HoldOptions,
  holder: ReturnType<typeof findGcOwner>,
): Failure | undefined {
  if (holder !== undefined) return { reason: 'run-held', run: run.id, holder };
  const findings = 'findings' in run && !mayBeDamaged ? unacceptedDamage(run) : [];
  return findings.length === 0 ? undefined : { reason: 'journal-damaged', run: run.id, findings };
}

type Ground = Pick<
  Hold,
  | 'disk'
  | 'files'
  | 'host'
  | 'clock'
  | 'process'
  | 'root'
  | 'loaded'
  | 'functions'
  | 'checkInside'
  | 'decider'
>;

function groundOf({ env, files, root, loaded, functions }: Workspace): Ground {
  const { disk, host, clock, process, decider } = env;
  const checkInside = createInsideCheck(disk, root);
  return { disk, files, host, clock, process, decider, root, loaded, functions, checkInside };
}

/**
 * A run as somebody holds it who works on it from outside: nothing keeps others away but the turn that they have. What
 * was written since the run was opened is taken in.
 */
export function openVisitorRun(
  workspace: Workspace,
  opened: OpenedRun,
  actor: string,
): Result<Hold, Failure> {
  const { env, root, loaded } = workspace;
  const { id, folder, ledger } = opened;
  const holder = findGcOwner(env, root);
  if (holder !== undefined) return fail({ reason: 'run-held', run: id, holder });
  const store = openStore(workspace);
  const others = new Map<string, Position>(opened.heads);
  const runJournal = openRunJournal(env, root, folder);
  const news = runJournal.readNews(others);
  for (const event of news.events) foldEvent(ledger, event);
  for (const [other, position] of news.actors) others.set(other, position);
  const position = others.get(actor) ?? startPosition;
  others.delete(actor);
  const journal = new LazyWriter(actor, position, () =>
    runJournal.claim({
      actor,
      durable: loaded.pipeline.durability === 'power',
      run: id,
      from: new Map([...others, [actor, position]]),
      beforeCommit: () => store.flush(),
      recorded: createRecordListener(workspace, id),
    }),
  );
  const own = { id, actor, folder, ledger, runJournal, journal, store, others };
  const snapshotDue = opened.eventsRead + news.events.length > eventsReadMax;
  const told = { epochBefore: position.epoch, snapshotDue, news: { isUnseen: false } };
  // Nobody else can say so, and nothing on record does.
  const status = opened.status === 'interrupted' ? opened.status : undefined;
  return ok(withProjections({ ...own, ...told, ...groundOf(workspace) }, { status }));
}

interface Followers extends Omit<FollowingFiles, 'brief'> {
  readonly status?: RunStatus | undefined;
}

/** From here on the brief follows the journal, and so does the audit log of the owner of the lock. */
function withProjections(
  hold: Omit<Hold, 'projections' | 'recorded'>,
  { status, ...files }: Followers,
): Hold {
  const { disk, clock, root, folder, actor, ledger, journal, others } = hold;
  const brief = new BriefFile(
    {
      ...{ disk, clock, root, folder, actor, ledger, journal, others, status },
      importSection: async (section) => {
        const { migrateSection } = await import('../../import/brief-v1/migrate.ts');
        return migrateSection(section).section;
      },
      takeInNews: () => {
        if (foldNews(held)) held.news.isUnseen = true;
      },
      record: async (events) => {
        await record({ journal, ledger, recorded }, ...events);
      },
    },
    hold.loaded.pipeline,
  );
  const projections = new RunProjections(clock, { ...files, brief });
  const recorded = (events: readonly StoredEvent[]) => projections.recorded(events);
  const held: Hold = { ...hold, projections, recorded };
  return held;
}

/** A visitor who has one thing to say does not write down the whole run each time. */
const eventsReadMax = 200;

/** Takes in what other actors have written since. Tells whether there was anything that nobody was told of yet. */
export function takeInNews(hold: Hold): boolean {
  const isNew = foldNews(hold) || hold.news.isUnseen;
  hold.news.isUnseen = false;
  return isNew;
}

function foldNews({ runJournal, ledger, actor, others, projections: { brief } }: Hold): boolean {
  const news = runJournal.readNews(others, actor);
  for (const event of news.events) foldEvent(ledger, event);
  for (const [other, position] of news.actors) others.set(other, position);
  brief.heard(news.events);
  return news.events.length > 0;
}

function openLog(
  { env, root, loaded }: Workspace,
  runJournal: RunJournal,
  lastSeq: number,
  troubles: ProjectionTroubles,
): AuditLog | undefined {
  const { auditLog, unitKey } = loaded.pipeline.layout;
  if (auditLog === undefined) return undefined;
  const options = { disk: env.disk, path: `${root}/${auditLog}`, shown: auditLog, unitKey, troubles };
  return AuditLog.open(options, lastSeq, () => eventsOfRunner(runJournal));
}

/** Numbers are each actor's own: those of others say nothing of how far the log is. */
function* eventsOfRunner(runJournal: RunJournal): Generator<StoredEvent> {
  for (const event of runJournal.events()) if (event.actor === runnerActor) yield event;
}

/**
 * Does something with a run in hand and lets go of it, whatever happens. Trouble of the disk and the loss of the
 * run to somebody else come up from deep below: here they become the failures that they are.
 */
export async function releaseAfter<T>(
  workspace: Workspace,
  hold: Hold,
  work: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  try {
    const done = await work();
    await letGo(workspace, hold);
    return done;
  } catch (error) {
    await abandon(hold);
    return fail(withGoneJournal(hold, asFailure(hold.id, error)));
  }
}

/** A phase may have removed what proves its work: then it is not so that nothing is lost. */
function withGoneJournal({ runJournal }: Hold, failure: Failure): Failure {
  if (failure.reason !== 'disk-failed' || failure.code !== 'ENOENT') return failure;
  try {
    if (runJournal.exists()) return failure;
  } catch (error) {
    if (error instanceof DiskError) return failure;
    throw error;
  }
  return { ...failure, gone: runJournal.shownPlace };
}

export function asFailure(run: string, error: unknown): Failure {
  if (error instanceof JournalFenced) return { reason: 'fenced-out', run, holder: error.owner };
  return diskFailure(error);
}

function takeIn(known: Ledger | undefined, events: Parameters<typeof foldEvents>[0]): Ledger {
  const ledger = known ?? emptyLedger();
  for (const event of events) foldEvent(ledger, event);
  return ledger;
}

/** In good order: then a snapshot and the head outside stand for all of it, and opening costs what comes after. */
async function letGo({ env, root }: Workspace, hold: Hold): Promise<void> {
  const { folder, ledger, runJournal, journal, store, actor, others, projections } = hold;
  await projections.settle();
  await journal.close();
  await store.close();
  hold.files.save();
  const ends = new Map([...others, [actor, journal.position]]);
  const positions = runJournal.lastingCursor(ends);
  try {
    // Who only asked has synced nothing of what others wrote: a power cut may take that away, and it was no loss.
    if (journal.fencingNumber !== hold.epochBefore) await rememberJournalEnd(env, root, folder, positions);
    if (hold.snapshotDue) runJournal.writeSnapshot({ positions, body: ledgerToSnapshot(ledger) });
  } catch (error) {
    // All that counts is in the journal; without these two the next start only takes longer.
    if (!(error instanceof DiskError)) throw error;
  }
  await projections.close();
}

/** After a failed write, or with the run lost, nothing more is written; closing may fail again and that is no news. */
export async function abandon({ journal, store, projections }: Hold): Promise<void> {
  projections.abandon();
  for (const close of [() => journal.close(), () => store.close()]) {
    try {
      await close();
    } catch (error) {
      if (!(error instanceof DiskError) && !(error instanceof JournalFenced)) throw error;
    }
  }
}
