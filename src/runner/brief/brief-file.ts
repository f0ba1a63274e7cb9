import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Takings } from '../../brief/authorship.ts';
import { deriveSections } from '../../brief/derive.ts';
import { digestOf } from '../../brief/digest.ts';
import { type Brief, sectionNames } from '../../brief/document.ts';
import { changedBy, type Trigger, triggersOf } from '../../brief/matrix.ts';
import { type Survey, surveyOf } from '../../brief/survey.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { Position } from '../../journal/position.ts';
import type { AppendTo } from '../../journal/writer.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { nextDecisionId } from '../../ledger/notes.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { EventBody, StoredEvent } from '../../model/event.ts';
import {
  type DocumentPlace,
  type DocumentTrouble,
  documentHash,
  type FoundDocument,
  isSameStamp,
  isTrouble,
  lookAtDocument,
  type Stamp,
  writeDocument,
} from './document-file.ts';
import { readInbox } from './inbox.ts';
import { ownDocument } from './own-document.ts';
import { type BriefState, briefPointer, readStateOf, writeBriefState } from './state-file.ts';

export interface BriefGround {
  readonly disk: Disk;
  readonly clock: Clock;
  /** The workspace, absolute. */
  readonly root: string;
  /** Of the run, relative to the workspace. */
  readonly folder: string;
  readonly actor: string;
  readonly ledger: Ledger;
  readonly journal: AppendTo;
  /** How far the journals of all other actors have been taken in. */
  readonly others: ReadonlyMap<string, Position>;
  /** Takes in what others have written since. */
  readonly takeInNews: () => void;
  /** Writes events down durably and takes them into the ledger. */
  readonly record: (events: readonly EventBody[]) => Promise<void>;
}

/**
 * Keeps the brief of a run true while somebody has the run in hand. It is written before the event that it tells of is
 * answered for; when events come faster than anybody reads, one writing tells of many, soon after the last of them.
 */
export class BriefFile {
  readonly #ground: BriefGround;
  readonly #triggers = new Set<Trigger>();
  /** Of the inbox. */
  readonly #taken = new Set<string>();
  #pipeline: Pipeline;
  #state: BriefState | undefined;
  /** As this process wrote it last. */
  #brief: Brief | undefined;
  #stamp: Stamp | undefined;
  /** Of the document that somebody has written into, and whose words are on record. */
  #heard: Stamp | undefined;
  #trouble: DocumentTrouble | undefined;
  #isLoaded = false;
  #writing: Promise<void> | undefined;
  #later: AbortController | undefined;
  #failure: { readonly error: unknown } | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #pauseMs = pauseMsMin;

  constructor(ground: BriefGround, pipeline: Pipeline) {
    this.#ground = ground;
    this.#pipeline = pipeline;
  }

  /** Why the file that the manifest names was left alone; the document lies in the run's own folder then. */
  get trouble(): DocumentTrouble | undefined {
    return this.#trouble;
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

  /** Undefined: it will be told of soon. Else to be waited for before anybody is answered. */
  note(events: readonly StoredEvent[]): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    this.heard(events);
    // What is recorded on the way of a writing is told of by the same.
    if (this.#writing !== undefined || this.#triggers.size === 0) return undefined;
    const waitMs = this.#writtenAt + this.#pauseMs - this.#ground.clock.monotonicMs();
    if (waitMs <= 0) return this.#write();
    this.#writeLater(waitMs);
    return undefined;
  }

  /** Before the journal is closed: what hooks and people have left is put on record while that can be done. */
  async settle(): Promise<void> {
    this.#later?.abort();
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure.error;
    await this.#alone(async () => void (await this.#takeIn()));
  }

  /** After the journal is closed, when nothing can be added any more: the last word of this holder. */
  async close(): Promise<void> {
    if (this.#triggers.size === 0 && this.#isAsWritten()) return;
    this.#triggers.add('note');
    const found = await this.#look();
    // Somebody has written into it since: that is for the next holder, who can put it on record.
    if (found.takings === undefined) await this.#put(found);
  }

  /** The run is lost, or its disk: nothing more is written. */
  abandon(): void {
    this.#later?.abort();
  }

  #writeLater(waitMs: number): void {
    if (this.#later !== undefined) return;
    const later = new AbortController();
    this.#later = later;
    const whenDue = async () => {
      await this.#ground.clock.sleep(waitMs, later.signal);
      this.#later = undefined;
      if (!later.signal.aborted && this.#writing === undefined) await this.#write();
    };
    whenDue().catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  #write(): Promise<void> {
    this.#later?.abort();
    const writing = this.#alone(async () => await this.#put(await this.#takeIn()));
    return writing.finally(() => {
      // What came in the middle of it is not told of yet.
      if (this.#triggers.size > 0) this.#writeLater(this.#pauseMs);
    });
  }

  /** What is put on record on the way must not begin the same once more. */
  #alone(work: () => Promise<void>): Promise<void> {
    this.#writing = work().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** What others have said, in the journal, in the inbox and in the document itself. */
  async #takeIn(): Promise<FoundDocument> {
    const { disk, root, folder, ledger, record, takeInNews } = this.#ground;
    takeInNews();
    const inbox = readInbox(disk, root, folder, ledger, this.#taken);
    const found = await this.#look();
    this.#trouble = found.trouble;
    const events = [...inbox.events, ...(found.takings === undefined ? [] : eventsOf(found.takings, ledger))];
    this.#heard = found.takings === undefined ? this.#heard : found.stamp;
    if (events.length > 0) await record(events);
    for (const path of inbox.taken) this.#remove(path);
    return found;
  }

  /** One that cannot be removed is not taken in by this holder again. */
  #remove(path: string): void {
    this.#taken.add(path);
    try {
      this.#ground.disk.remove(path);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }

  async #look(): Promise<FoundDocument> {
    const { disk, root, folder, ledger } = this.#ground;
    if (!this.#isLoaded) {
      this.#state = readStateOf(disk, root, folder);
      this.#isLoaded = true;
    }
    const isNewRun = this.#state === undefined && ledger.notes.points === 0 && ledger.resumes === 0;
    const isNewPlace = this.#state !== undefined && this.#state.path !== this.#place.path;
    const derived = this.#state?.brief ?? this.#derive();
    const known = { state: this.#state, stamp: this.#stamp, derived, isForeign: isNewRun || isNewPlace };
    const found = await lookAtDocument(disk, root, this.#place, known);
    return this.#heard !== undefined && isSameStamp(this.#heard, found.stamp)
      ? { ...found, takings: undefined }
      : found;
  }

  get #place(): DocumentPlace {
    const { brief } = this.#pipeline.layout;
    return brief === undefined ? this.#ownPlace : { path: brief, isSection: true };
  }

  get #ownPlace(): DocumentPlace {
    return { path: `${this.#ground.folder}/brief.yaml`, isSection: false };
  }

  #derive(): Brief {
    const survey = surveyOf(this.#pipeline, this.#ground.ledger);
    return deriveSections(this.#pipeline, this.#ground.ledger, survey, new Set(sectionNames), undefined);
  }

  /** Trouble with the disk is no reason to end a run that pays for its work: it is written again with what comes next. */
  async #put(found: FoundDocument): Promise<void> {
    const due = [...this.#triggers];
    try {
      await this.#putAll(found);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      for (const trigger of due) this.#triggers.add(trigger);
      this.#trouble = { path: error.path, reason: 'not-writable', detail: error.code };
    }
  }

  async #putAll(found: FoundDocument): Promise<void> {
    const { clock, disk, root, folder, ledger } = this.#ground;
    const began = clock.monotonicMs();
    const due = [...this.#triggers];
    this.#triggers.clear();
    const survey = surveyOf(this.#pipeline, ledger);
    // What an earlier process wrote may tell of less than this one has read: the first time all of it is made anew.
    const brief = deriveSections(this.#pipeline, ledger, survey, changedBy(due), this.#brief);
    const digest = digestOf(survey, brief);
    const written = found.trouble ?? (await this.#putDocument(survey, brief, digest, found));
    this.#trouble = isTrouble(written) ? written : undefined;
    this.#stamp = isTrouble(written) ? undefined : written;
    if (this.#trouble?.reason === 'changed-meanwhile') return this.#again(due);
    if (this.#trouble !== undefined) this.#putAside(survey, brief, digest);
    this.#brief = brief;
    replaceFileNow(disk, `${root}/${folder}/RESUME.md`, new TextEncoder().encode(digest), this.#tempFolder());
    this.#writtenAt = clock.monotonicMs();
    this.#pauseMs = Math.max(pauseMsMin, (this.#writtenAt - began) * shareMin);
  }

  async #putDocument(
    survey: Survey,
    brief: Brief,
    digest: string,
    found: FoundDocument,
  ): Promise<Stamp | DocumentTrouble> {
    const { disk, root } = this.#ground;
    this.#keepState(survey, brief, digest, this.#place);
    return await writeDocument(disk, root, this.#place, brief, found, this.#tempFolder());
  }

  /** The file of somebody else's is left alone. */
  #putAside(survey: Survey, brief: Brief, digest: string): void {
    const { disk, root } = this.#ground;
    const own = this.#ownPlace;
    const absolute = `${root}/${own.path}`;
    this.#keepState(survey, brief, digest, own);
    replaceFileNow(disk, absolute, ownDocument(brief as unknown as JsonObject), this.#tempFolder());
  }

  #again(due: readonly Trigger[]): void {
    for (const trigger of due) this.#triggers.add(trigger);
  }

  /** Before the document: a crash in between leaves a document that is known to be ours. */
  #keepState(survey: Survey, brief: Brief, digest: string, place: DocumentPlace): void {
    const { disk, root, folder } = this.#ground;
    const { run, pipeline, status, phaseSince, sessionSince, progress, usd } = survey;
    const before = this.#state?.path === place.path ? this.#state.hash : undefined;
    this.#state = {
      ...{ run, pipeline, status, phaseSince, sessionSince, progress, usd, survey, brief, digest, folder },
      ...place,
      hash: documentHash(brief, place),
      hashBefore: before,
      heads: this.#heads(),
    };
    writeBriefState(disk, root, this.#state, this.#tempFolder());
  }

  #isAsWritten(): boolean {
    const { disk, root, folder } = this.#ground;
    const heads = this.#heads();
    const { heads: written, path } = this.#state ?? {};
    if (written === undefined || written.size !== heads.size) return false;
    // Somebody may have removed it, or the manifest names another place.
    const isThere = this.#trouble === undefined && path === this.#place.path;
    if (!isThere || disk.stat(`${root}/${path}`) === undefined) return false;
    if (briefPointer(disk, root, folder) === undefined) return false;
    return [...heads].every(([actor, { epoch, length }]) => {
      const head = written.get(actor);
      return head?.epoch === epoch && head.length === length;
    });
  }

  #heads(): Map<string, Position> {
    const { others, actor, journal } = this.#ground;
    const all = new Map([...others, [actor, journal.position]]);
    return new Map([...all].filter(([, { epoch }]) => epoch > 0));
  }

  /** What a kill leaves there the next start sweeps away. */
  #tempFolder(): string {
    const { disk, root, folder } = this.#ground;
    const staging = `${root}/${folder}/staging`;
    disk.makeFolder(staging);
    return staging;
  }
}

/** Long enough for many steps of a fast run, too short for anybody to notice. */
const pauseMsMin = 250;
/** In a large run a writing takes its time: then it may not be more than a small share of it. */
const shareMin = 30;

function eventsOf({ authored, decisions, applied, summaries, edits }: Takings, ledger: Ledger): EventBody[] {
  const idOf = (nth: number) => nextDecisionId(ledger.decisions, nth);
  return [
    ...(edits.length > 0 ? [{ type: 'brief_edited', edits } as const] : []),
    ...(authored === undefined ? [] : [{ type: 'brief_authored', ...authored } as const]),
    ...decisions.flatMap(
      ({ decision, because, affects, gate, iteration, applied: isApplied }, nth): EventBody[] => [
        {
          type: 'decision_recorded',
          id: idOf(nth),
          decision,
          ...(because !== undefined && { because }),
          ...(affects.length > 0 && { affects }),
          ...(gate !== undefined && { gate }),
          ...(iteration !== undefined && { iteration }),
        },
        ...(isApplied ? [{ type: 'decision_applied', id: idOf(nth) } as const] : []),
      ],
    ),
    ...applied.map((id) => ({ type: 'decision_applied', id }) as const),
    ...summaries.map(({ agent, summary }) => ({ type: 'summary_recorded', agent, summary }) as const),
  ];
}
