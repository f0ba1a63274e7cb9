import { byCodeUnit } from '../base/json.ts';
import { unreachable } from '../base/result.ts';
import type {
  AttemptStarted,
  AttemptSucceeded,
  BriefAuthored,
  BriefImported,
  CompactionSeen,
  DecisionRecorded,
  RevisionRecorded,
  RunResumed,
  StoredEvent,
} from '../model/event.ts';
import type { Ledger } from './ledger.ts';
import type { AgentSummary, Decided, LatestStart, RunNotes } from './records.ts';

export type NoteType =
  | 'decision_recorded'
  | 'decision_applied'
  | 'summary_recorded'
  | 'compaction_seen'
  | 'brief_delivered'
  | 'context_crossed'
  | 'session_seen'
  | 'brief_edited'
  | 'brief_authored'
  | 'brief_imported';

/** Hooks may report a thing twice: the repetition changes nothing. */
export function foldNote(ledger: Ledger, event: Extract<StoredEvent, { type: NoteType }>): void {
  const { notes } = ledger;
  switch (event.type) {
    case 'decision_recorded':
      noteDecision(ledger, event);
      return;
    case 'decision_applied':
      ledger.decisions = ledger.decisions.map((one) =>
        one.id === event.id ? { ...one, applied: true } : one,
      );
      return;
    case 'summary_recorded':
      noteSummary(notes, event);
      return;
    case 'compaction_seen':
      noteCompaction(notes, event);
      return;
    // An agent that got the newest one has got all.
    case 'brief_delivered':
      if (event.upTo !== undefined) notes.handedUpTo = Math.max(notes.handedUpTo, numberIn(event.upTo));
      return;
    case 'context_crossed':
      notes.context = newer(notes.context, { fill: event.fill, tier: event.tier, at: event.at });
      return;
    case 'session_seen':
      if (event.what === 'started') noteSession(notes, event.at);
      return;
    // Nothing of it is believed.
    case 'brief_edited':
      return;
    case 'brief_authored':
      noteAuthored(notes, event);
      return;
    case 'brief_imported':
      noteImported(notes, event);
      return;
    default:
      unreachable(event);
  }
}

export function noteStart(notes: RunNotes, event: AttemptStarted & { readonly at: string }): void {
  const { unit, phase, attempt, round = 1, at } = event;
  const start = notes.starts.find((one) => one.phase === phase);
  if (start === undefined) notes.starts.push({ phase, at });
  else if (at > start.at) start.at = at;
  if (isNewer(event, notes.latest)) notes.latest = { unit, phase, attempt, round: round, at };
  noteMove(notes, at);
}

export function noteSuccess(
  notes: RunNotes,
  { actor, at, note }: AttemptSucceeded & { readonly actor: string; readonly at: string },
  isOfVisitor: boolean,
): void {
  notes.points += 1;
  if (isOfVisitor && note !== undefined) noteSummary(notes, { agent: actor, summary: `DONE. ${note}`, at });
  noteMove(notes, at);
}

export function noteMove(notes: RunNotes, at: string): void {
  if (at > notes.movedAt) notes.movedAt = at;
}

export function noteSession(notes: RunNotes, at: string): void {
  if (at > notes.sessionSince) notes.sessionSince = at;
}

/** Numbers only grow, across all actors. `nth`: of several that are given at once, from 0. */
export function nextDecisionId(decisions: readonly Pick<Decided, 'id'>[], nth = 0): string {
  const highest = decisions.reduce((most, { id }) => Math.max(most, numberIn(id)), 0);
  return `RD-${String(highest + nth + 1).padStart(3, '0')}`;
}

/** `CX-012` and `RD-012` are 12. */
export function numberIn(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1)) || 0;
}

/** Of two that began at one time the name decides, so that the order of reading does not. */
function isNewer(start: Omit<LatestStart, 'round'>, than: LatestStart | undefined): boolean {
  if (than === undefined || start.at !== than.at) return start.at > (than?.at ?? '');
  return `${start.unit}/${start.phase}` > `${than.unit}/${than.phase}`;
}

function newer<T extends { readonly at: string }>(known: T | undefined, said: T): T {
  return known === undefined || said.at >= known.at ? said : known;
}

/** One line that ends as a sentence does. */
export function firstLine(text: string): string {
  const line = text.trim().split(lineEnd, 1)[0] ?? '';
  const short = line.length > lineLengthMax ? `${line.slice(0, lineLengthMax)}…` : line;
  return /[.!?…]$/.test(short) || short === '' ? short : `${short}.`;
}

const lineEnd = /[\r\n\u2028\u2029]/;
const lineLengthMax = 300;
const summariesMax = 500;
const compactionsMax = 1000;

/** A decision recorded twice counts once: merged branches, or two readers of the same brief, can repeat it. */
function noteDecision(ledger: Ledger, event: DecisionRecorded & { actor: string; at: string }): void {
  const { id, decision, because, affects = [], gate, round, actor, at } = event;
  if (ledger.decisions.some((known) => known.id === id && known.decision === decision)) return;
  ledger.decisions.push({
    id,
    decision,
    because,
    affects,
    ...(gate !== undefined && { gate }),
    ...(round !== undefined && { round: round }),
    actor,
    at,
  });
}

/** What an agent has said stays: what it says later stands beside it. */
function noteSummary(notes: RunNotes, { agent, summary, at }: AgentSummary): void {
  const line = firstLine(summary);
  const isKnown = notes.summaries.some((one) => one.agent === agent && one.summary === line);
  if (line === '' || isKnown) return;
  notes.summaries.push({ agent, summary: line, at });
  notes.summaries.sort((a, b) => byCodeUnit(a.at, b.at) || byCodeUnit(a.agent, b.agent));
  if (notes.summaries.length > summariesMax) notes.summaries.shift();
}

function noteCompaction(notes: RunNotes, event: CompactionSeen & { at: string }): void {
  const { id, seenAt, trigger, fill, phase, gate, round, file, session, at } = event;
  if (notes.compactions.some((one) => one.id === id)) return;
  notes.compactions.push({
    ...{ id, seenAt, trigger, file },
    ...(fill !== undefined && { fill }),
    ...(phase !== undefined && { phase }),
    ...(gate !== undefined && { gate }),
    ...(round !== undefined && { round: round }),
    ...(session !== undefined && { session }),
  });
  notes.compactions.sort((a, b) => numberIn(a.id) - numberIn(b.id));
  if (notes.compactions.length > compactionsMax) notes.compactions.shift();
  if (fill !== undefined) notes.context = newer(notes.context, { fill, tier: notes.context?.tier ?? '', at });
}

function noteAuthored(notes: RunNotes, event: BriefAuthored & { at: string }): void {
  const { nextStep, files, patterns, at } = event;
  if (nextStep !== undefined) notes.nextStep = newer(notes.nextStep, { text: nextStep, at });
  if (files !== undefined) notes.files = newer(notes.files, { list: files, at });
  if (patterns !== undefined) notes.patterns = newer(notes.patterns, { list: patterns, at });
}

function noteImported(notes: RunNotes, { hash, history, at }: BriefImported & { at: string }): void {
  notes.imported = newer(notes.imported, { hash, history, at });
}

const resumesKept = 1000;

/** A later process resumed the run. */
export function noteResume(ledger: Ledger, { at, from, pace }: RunResumed & { at: string }): void {
  ledger.ended = undefined;
  ledger.resumes += 1;
  noteSession(ledger.notes, at);
  const manifest = ledger.revisions.get(ledger.revision)?.manifest;
  // An agent's call may have recorded a revision since.
  const manifestChanged = ledger.lockedManifest !== undefined && ledger.lockedManifest !== manifest;
  ledger.resumeHistory.push({ at, from, manifestChanged });
  if (ledger.resumeHistory.length > resumesKept) ledger.resumeHistory.shift();
  ledger.lockedManifest = manifest;
  if (pace !== undefined) ledger.pace = pace.after;
}

/**
 * A changed manifest is recorded right after the resume under which it takes effect. Only recorded hashes are compared,
 * because a change that no guard refuses, such as another count of units, is a change as well.
 */
export function noteRevision(
  ledger: Ledger,
  event: RevisionRecorded & { at: string },
  byRunner: boolean,
): void {
  ledger.revisions.set(event.revision, event);
  ledger.revision = Math.max(ledger.revision, event.revision);
  if (!byRunner) return;
  const resume = ledger.resumeHistory.at(-1);
  if (resume !== undefined && ledger.lockedManifest !== undefined && ledger.lockedManifest !== event.manifest)
    ledger.resumeHistory.splice(-1, 1, { ...resume, manifestChanged: true });
  ledger.lockedManifest = event.manifest;
}

/** The machine's boot under which the newest events were written. */
export function noteBoot(ledger: Ledger, boot: string, seq: number): void {
  if (ledger.boot === boot && ledger.bootSince !== 0) return;
  ledger.boot = boot;
  ledger.bootSince = seq;
}
