import { type Hash, hashJson } from '../base/hash.ts';
import { byCodeUnit } from '../base/json.ts';
import type { Asked, CheckpointAsked, CheckpointDecided, RevisionRequested } from '../model/event.ts';
import type { Ledger, Step } from './ledger.ts';
import type { Feedback, QuestionRecord } from './records.ts';
import { accountOf, grantMore, type Spent } from './spent.ts';

export type { Feedback, QuestionAnswer, QuestionRecord } from './records.ts';

type Said<T> = T & { readonly at: string };

/** A question recorded twice, as by merged branches, is one. Two with the same number are two. */
export function foldQuestion(ledger: Ledger, event: Said<CheckpointAsked>, step: Step | undefined): void {
  noteNumber(ledger, event.id);
  const records = recordsOf(ledger, step);
  const { id, question, unit, phase, place, shown, name, at, expires } = event;
  const known = records.find((record) => isSame(record, event));
  const until = expires === undefined ? {} : { expires };
  if (known === undefined) records.push({ id, question, unit, phase, place, shown, name, at, ...until });
  else if (known.name === '') known.name = name;
}

/**
 * The first answer to a question counts. If the question itself was lost, its answer counts as it is. The
 * step that a rejection sends back to gets the reason.
 */
export function foldDecision(
  ledger: Ledger,
  event: Said<CheckpointDecided>,
  step: Step | undefined,
  redone: Step | undefined,
): void {
  noteNumber(ledger, event.id);
  const records = recordsOf(ledger, step);
  const { id, question, unit, phase, place, shown, at } = event;
  let record = records.find((asked) => isSame(asked, event));
  if (record === undefined) {
    record = { id, question, unit, phase, place, shown, name: '', at };
    records.push(record);
  }
  if (record.decided !== undefined) return;
  const { decision, redo, restart, by, host, channel, note } = event;
  record.decided = {
    decision,
    by,
    host,
    channel,
    at,
    ...(redo !== undefined && { redo }),
    ...(restart !== undefined && { restart }),
    ...(note !== undefined && { note }),
  };
  if (decision === 'rejected' && redone !== undefined)
    addFeedback(redone, { from: id, kind: 'rejection', text: note ?? '', shown, by, at });
  // A person who lets it go on after every attempt was used grants as many again.
  if (decision === 'approved' && question === 'attempts' && step !== undefined) step.failures = 0;
  if (decision === 'approved' && question === 'interruptions' && step !== undefined) {
    if (step.cuts !== undefined) delete step.cuts;
    if (step.running !== undefined) step.running.counted = true;
  }
  if (decision === 'approved' && question === 'budget')
    grantMore(ledger, (spent) => (spent.phase === phase ? grantedAt(place) : []));
}

/** A place comes from the journal: one that is no budget grants nothing. */
function grantedAt(place: string): readonly (keyof Spent['from'])[] {
  return Object.hasOwn(accountOf, place) ? [accountOf[place as keyof typeof accountOf]] : [];
}

export function requestRevision(event: Said<RevisionRequested>, to: Step): void {
  const { phase, attempt, reason, at } = event;
  addFeedback(to, { from: `${phase}#${attempt}`, kind: 'revision', text: reason, by: phase, at });
}

/** A rejection without a step to send back to holds until a person asks for a re-run. */
export function reopen({ questions = [] }: Step): void {
  for (const record of questions)
    if (record.decided?.decision === 'rejected' && record.decided.redo === undefined) record.over = true;
}

/** What a result was made with: the same words in the same order. Undefined where nothing was ever said. */
export function feedbackHash({ feedback }: Step): Hash | undefined {
  if (feedback === undefined || feedback.length === 0) return undefined;
  return hashJson(feedback.map(({ from, text }) => ({ from, text })));
}

/** Every question of a run, in the order of asking. */
export function allQuestions(ledger: Ledger): QuestionRecord[] {
  const all = [...ledger.questions];
  for (const { questions } of ledger.steps.values()) if (questions !== undefined) all.push(...questions);
  return all.sort((a, b) => questionNumber(a.id) - questionNumber(b.id) || (a.at < b.at ? -1 : 1));
}

/** A number for a question. Taken at once: while it is being written down, another unit may have something to ask. */
export function takeQuestionId(ledger: Ledger): string {
  ledger.questionCount += 1;
  return `C${ledger.questionCount}`;
}

/** The same labels with the same bytes. */
export function isSameShown(a: Asked['shown'], b: Asked['shown']): boolean {
  const labels = Object.keys(a);
  return labels.length === Object.keys(b).length && labels.every((label) => a[label] === b[label]);
}

/** A word about some bytes is never taken for one about others, whatever its number. */
function isSame(a: Asked, b: Asked): boolean {
  return a.id === b.id && a.place === b.place && isSameShown(a.shown, b.shown);
}

function addFeedback(step: Step, said: Feedback): void {
  if (step.feedback?.some(({ from, text }) => from === said.from && text === said.text)) return;
  // By time: in which order journals are read must not matter.
  step.feedback = [...(step.feedback ?? []), said].sort(
    (a, b) => byCodeUnit(a.at, b.at) || byCodeUnit(a.from, b.from),
  );
}

function recordsOf(ledger: Ledger, step: Step | undefined): QuestionRecord[] {
  if (step === undefined) return ledger.questions;
  step.questions ??= [];
  return step.questions;
}

function noteNumber(ledger: Ledger, id: string): void {
  ledger.questionCount = Math.max(ledger.questionCount, questionNumber(id));
}

/** The number in a question's id; 0 for an id that has none. */
export function questionNumber(id: string): number {
  const number = Number(id.slice(1));
  return Number.isSafeInteger(number) ? number : 0;
}
