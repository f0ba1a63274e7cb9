import { formatTime } from '../../base/clock.ts';
import { hashBytes } from '../../base/hash.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { DiskError } from '../../disk/disk.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { BriefImported, StoredEvent } from '../../model/event.ts';
import type { Position } from '../../store/position.ts';
import { deriveSections } from '../brief/derive.ts';
import { makeDigest } from '../brief/digest.ts';
import { type Brief, sectionNames } from '../brief/document.ts';
import { changedBy, type Trigger, triggersOf } from '../brief/matrix.ts';
import { readTime } from '../brief/read-time.ts';
import { makeSurvey, type Survey } from '../brief/survey.ts';
import { behindMsMax } from '../projection-timer.ts';
import {
  changedMeanwhile,
  type DocumentPlace,
  type DocumentTrouble,
  type FoundDocument,
  isTrouble,
  type LeftDocument,
  readDocument,
} from './document-file.ts';
import { type ImportNotice, importNotice, isCopyOf, keepOriginal } from './import.ts';
import { readInbox } from './inbox.ts';
import {
  type BriefState,
  isSameBrief,
  isSameHeads,
  isWholeBrief,
  isWrittenOut,
  readBriefState,
  readStateOf,
} from './state-file.ts';
import { eventsForEdits } from './taken-in.ts';
import {
  type BriefContext,
  ownPlace,
  sectionsWith,
  writeAside,
  writeDigest,
  writeDocument,
} from './write-out.ts';

/**
 * Keeps the brief of a run current while this process has its lock. It is written right after the event that changes it
 * is on record; when events come faster than that, one writing covers many, soon after the last of them.
 */
export class BriefFile {
  readonly #ground: BriefContext;
  readonly #triggers = new Set<Trigger>();
  /** Of the inbox. */
  readonly #taken = new Set<string>();
  #pipeline: Pipeline;
  /** As this process wrote it last. */
  #brief: Brief | undefined;
  #left: LeftDocument | undefined;
  #trouble: DocumentTrouble | undefined;
  #imported: ImportNotice | undefined;
  /** Files of others that the document was ever written into. */
  #sections: readonly string[] | undefined;
  /** Of the actor's journal: up to the newest event that the ledger has. */
  #head: Position;
  #seq: number;
  #isOver = false;
  #writing: Promise<void> | undefined;
  #later: AbortController | undefined;
  #failure: { readonly error: unknown } | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #pauseMs = pauseMsMin;

  constructor(ground: BriefContext, pipeline: Pipeline) {
    this.#ground = ground;
    this.#pipeline = pipeline;
    this.#head = ground.journal.position;
    this.#seq = ground.journal.lastSeq;
  }

  /** Why the file that the manifest names was left alone; the document lies in the run's own folder then. */
  get trouble(): DocumentTrouble | undefined {
    return this.#trouble;
  }

  /** The document that was kept before the run and that this process has taken over. */
  get imported(): ImportNotice | undefined {
    return this.#imported;
  }

  /** What the run's units are is known better now. */
  pipelineChanged(pipeline: Pipeline): void {
    this.#pipeline = pipeline;
    this.#triggers.add('run');
  }

  /** What others have written and was taken in. */
  heard(events: readonly StoredEvent[]): void {
    for (const event of events)
      for (const trigger of triggersOf(event, this.#ground.ledger.runner)) this.#triggers.add(trigger);
  }

  /** Starts a writing, or plans one soon if the last was just now. It never waits: what is recorded is acknowledged first. */
  note(events: readonly StoredEvent[]): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    this.heard(events);
    this.#seq = events.at(-1)?.seq ?? this.#seq;
    // A writing under way includes what is recorded until it ends.
    if (this.#writing !== undefined || this.#triggers.size === 0) return;
    const waitMs = this.#writtenAt + this.#pauseMs - this.#ground.clock.monotonicMs();
    if (waitMs > 0) this.#writeLater(waitMs);
    else this.#inBackground(() => this.#write(true, nextTurn()));
  }

  /** Waits for the writing that is under way, so that what it found (trouble, an imported document) can be reported. */
  async written(): Promise<void> {
    await this.#writing?.catch(() => undefined);
  }

  /** Before the journal is closed: what hooks and people have left is put on record while that can be done. */
  async settle(): Promise<void> {
    this.#later?.abort();
    await this.written();
    // Of a writing in the background.
    if (this.#failure !== undefined) throw this.#failure.error;
    await this.#write(false);
  }

  /** After the journal is closed: the last writing of this process. */
  async close(): Promise<void> {
    this.#later?.abort();
    for (let tries = 0; tries < triesMax; tries++) {
      const found = await this.#look();
      // Edited since: only the next owner of the lock can record it.
      if (found.edited !== undefined) return;
      if (this.#triggers.size === 0 && this.#isAsWritten(found)) return;
      this.#triggers.add('note');
      if (await this.#put(found)) return;
    }
  }

  /** The run is lost, or its disk: nothing more is written. */
  abandon(): void {
    this.#isOver = true;
    this.#later?.abort();
  }

  #writeLater(waitMs: number): void {
    if (this.#later !== undefined || this.#isOver) return;
    const later = new AbortController();
    this.#later = later;
    const whenDue = async () => {
      await this.#ground.clock.sleep(waitMs, later.signal);
      this.#later = undefined;
      if (later.signal.aborted || this.#isOver || this.#writing !== undefined || this.#failure !== undefined)
        return;
      await this.#write(true);
    };
    this.#inBackground(whenDue);
  }

  /** If the journal is lost meanwhile, the next event or the end of the invocation throws it. */
  #inBackground(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  /** `isDue`: also if hooks and people have left nothing. */
  #write(isDue: boolean, start?: Promise<void>): Promise<void> {
    this.#later?.abort();
    this.#writing = this.#takeInAndPut(isDue, start).finally(() => {
      this.#writing = undefined;
      // Events that came meanwhile are not in it yet. After `settle` the run is closed, which writes again.
      if (isDue && this.#triggers.size > 0) this.#writeLater(this.#pauseMs);
    });
    return this.#writing;
  }

  async #takeInAndPut(isDue: boolean, start?: Promise<void>): Promise<void> {
    await start;
    // The run may have been lost since this writing was due.
    if (start !== undefined && this.#isOver) return;
    let isLeft = isDue;
    for (let tries = 0; tries < triesMax; tries++) {
      const { found, isNew } = await this.#takeIn();
      // What was taken in from the document would be found there again.
      isLeft ||= isNew;
      if (!isLeft || (await this.#put(found))) return;
    }
  }

  /** What others have said, in the journal, in the inbox and in the document itself. */
  async #takeIn(): Promise<{ readonly found: FoundDocument; readonly isNew: boolean }> {
    const { disk, root, folder, ledger, record, takeInNews } = this.#ground;
    takeInNews();
    const inbox = readInbox(disk, root, folder, ledger, this.#taken);
    const found = await this.#look();
    const { edited, base } = found;
    this.#trouble = found.trouble;
    const imported = await this.#importOf(found);
    if (imported !== undefined && isTrouble(imported))
      return { found: { ...found, edited: undefined, trouble: imported }, isNew: false };
    const said = edited === undefined ? [] : eventsForEdits(edited, ledger, base);
    const events = [...inbox.events, ...(imported === undefined ? [] : [imported]), ...said];
    if (events.length > 0) await record(events);
    if (imported !== undefined) this.#imported = importNotice(imported, said);
    for (const path of inbox.taken) this.#remove(path);
    return { found, isNew: events.length > 0 || edited !== undefined };
  }

  /**
   * Its bytes are kept before anything is recorded or replaced; where they cannot be, the file is left alone. One that is
   * on record already is not recorded again.
   */
  async #importOf({ original, edited }: FoundDocument): Promise<BriefImported | DocumentTrouble | undefined> {
    const { disk, root, ledger } = this.#ground;
    if (original === undefined || edited?.history === undefined) return undefined;
    const { path } = this.#place;
    const hash = hashBytes(original);
    const backup = await keepOriginal(disk, root, path, original);
    if (typeof backup !== 'string') return { path, reason: 'no-backup', detail: backup.code };
    if (ledger.notes.imported?.hash === hash) return undefined;
    return { type: 'brief_imported', path, hash, backup, history: edited.history };
  }

  /** A file that cannot be removed is not read by this process again. */
  #remove(path: string): void {
    this.#taken.add(path);
    try {
      this.#ground.disk.remove(path);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }

  async #look(): Promise<FoundDocument> {
    const { disk, root } = this.#ground;
    return await readDocument(disk, root, this.#place, {
      left: this.#left,
      state: () => this.#lastState(),
      derived: () => this.#derive(),
      importForeign: async (section) =>
        this.#isForeign(section) ? await this.#ground.importSection(section) : undefined,
    });
  }

  /** The newest written state, because successive runs may share one place. */
  #lastState(): BriefState | undefined {
    const { disk, root, folder, actor, journal } = this.#ground;
    const newest = readBriefState(disk, root);
    const state = newest?.path === this.#place.path ? newest : readStateOf(disk, root, folder);
    // The process that took over this journal knows more: a fenced-out one must not overwrite its view.
    if (state?.folder === folder && (state.heads.get(actor)?.epoch ?? 0) > journal.fencingNumber)
      this.#isOver = true;
    return state !== undefined && isWholeBrief(state.brief) ? state : undefined;
  }

  /** Whether people or another tool kept the document before the run came to it. */
  #isForeign(section: JsonObject): boolean {
    const { disk, root, folder, ledger, clock } = this.#ground;
    const { path } = this.#place;
    const state = readStateOf(disk, root, folder);
    if (state !== undefined)
      return state.path !== path && state.sections?.includes(path) !== true && !isCopyOf(section, state);
    // What the run itself wrote is never older than the run, nor from the future: people also write local times.
    const { recovery_state: said } = section;
    const writtenAt = readTime(isJsonObject(said) ? said.updated_at : undefined);
    const createdAt = readTime(ledger.createdAt) ?? 0;
    return writtenAt === undefined || writtenAt < createdAt || writtenAt > clock.now();
  }

  get #place(): DocumentPlace {
    const { brief } = this.#pipeline.layout;
    return brief === undefined ? ownPlace(this.#ground) : { path: brief, isSection: true };
  }

  #sectionsNow(): readonly string[] {
    const { disk, root, folder } = this.#ground;
    this.#sections ??= readStateOf(disk, root, folder)?.sections ?? [];
    return this.#sections;
  }

  #survey(): Survey {
    const { ledger, clock, status } = this.#ground;
    return makeSurvey(this.#pipeline, ledger, { status, now: formatTime(clock.now()) });
  }

  #derive(): Brief {
    const survey = this.#survey();
    return deriveSections(this.#pipeline, this.#ground.ledger, survey, new Set(sectionNames), undefined);
  }

  /**
   * False: the document was edited in between. A disk error does not end a run that pays for its work: the next event
   * writes again.
   */
  async #put(found: FoundDocument): Promise<boolean> {
    if (this.#isOver) return true;
    const due = [...this.#triggers];
    try {
      if (await this.#putAll(found)) return true;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#trouble = { path: this.#shown(error.path), reason: 'not-writable', detail: error.code };
      this.#again(due);
      return true;
    }
    this.#again(due);
    return false;
  }

  async #putAll(found: FoundDocument): Promise<boolean> {
    const { clock, ledger } = this.#ground;
    const began = clock.monotonicMs();
    const due = [...this.#triggers];
    this.#triggers.clear();
    const survey = this.#survey();
    // An earlier process may have written less than this one has read, so the first writing derives all parts.
    const brief = deriveSections(this.#pipeline, ledger, survey, changedBy(due), this.#brief);
    const sections = this.#sectionsNow();
    const snapshot = { survey, brief, digest: makeDigest(survey, brief), heads: this.#heads(), sections };
    const left = found.trouble ?? (await writeDocument(this.#ground, this.#place, snapshot, found));
    const trouble = isTrouble(left) ? left : undefined;
    if (trouble?.reason === changedMeanwhile) return false;
    this.#trouble = trouble;
    if (isTrouble(left)) writeAside(this.#ground, snapshot);
    else this.#left = left;
    if (!isTrouble(left)) this.#sections = sectionsWith(sections, this.#place);
    this.#brief = brief;
    writeDigest(this.#ground, snapshot);
    this.#writtenAt = clock.monotonicMs();
    this.#pauseMs = Math.max(pauseMsMin, (this.#writtenAt - began) * shareMin);
    return true;
  }

  #again(due: readonly Trigger[]): void {
    for (const trigger of due) this.#triggers.add(trigger);
  }

  /** Files made from the journal may have been deleted, or left incomplete by a crash: they are written again. */
  #isAsWritten({ isNewest, trouble }: FoundDocument): boolean {
    const { disk, root, folder } = this.#ground;
    const state = this.#lastState();
    if (state === undefined || !isSameHeads(state.heads, this.#heads())) return false;
    // An owner can die and a lease can end without an event in any journal.
    if (!isSameBrief(state.brief, this.#derive())) return false;
    const isThere = trouble === undefined ? isNewest : state.path === ownPlace(this.#ground).path;
    return isThere && isWrittenOut(disk, root, folder, state);
  }

  #heads(): Map<string, Position> {
    const { others, actor, journal } = this.#ground;
    // Events of one append are folded one by one: until the last one, the position stays.
    if (journal.lastSeq === this.#seq) this.#head = journal.position;
    const all = new Map([...others, [actor, this.#head]]);
    return new Map([...all].filter(([, { epoch }]) => epoch > 0));
  }

  /** Relative to the workspace. */
  #shown(path: string): string {
    const { root } = this.#ground;
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  }
}

/** The writing starts after `record` has returned, so that it never records inside another record. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** So often a writing starts again because the document was edited in between. */
const triesMax = 3;
/** Long enough for many steps of a fast run, too short to notice. */
const pauseMsMin = behindMsMax;
/** In a large run a writing takes its time: then it may not be more than a small share of it. */
const shareMin = 30;
