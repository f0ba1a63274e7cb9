import type { Hash } from '../../base/hash.ts';
import { findStep, type Ledger } from '../../ledger/ledger.ts';
import type { QuestionAnswer } from '../../ledger/questions.ts';
import { allQuestions, type QuestionRecord, questionNumber } from '../../ledger/questions.ts';
import type { Channel } from '../../model/definition.ts';
import type { QuestionKind } from '../../model/event.ts';
import type { Spending } from '../../model/reason.ts';
import { asksOf, type Question } from '../../model/reason.ts';
import type { Plan } from '../../planner/plan.ts';
import { beforeLabel } from '../../planner/questions.ts';

/** What of a plan may ask a person. */
export type AskingPlan = Pick<Plan, 'units' | 'refusals' | 'limits'>;

/** Everything that a person has to decide now, in the order of the plan. One answer may settle many refusals. */
export function openQuestions({ units, refusals, limits }: AskingPlan): Question[] {
  const questions = new Map<string, Question>();
  const add = (question: Question | undefined) => {
    if (question === undefined) return;
    const { unit, phase, place, shown } = question;
    questions.set(JSON.stringify([unit, phase, place, shown]), question);
  };
  for (const refusal of refusals) {
    const isAnswered = 'chosen' in refusal && refusal.chosen !== undefined;
    if (!isAnswered) add(asksOf(refusal));
  }
  for (const limit of limits) add(limit.asks);
  for (const { cells: steps } of units.values())
    for (const { decision } of steps) if (decision.do === 'stop') add(asksOf(decision.why));
  return [...questions.values()];
}

/** What waits, by its numbers, and what is still to be asked; then what was asked before: decided, or of no more use. */
export function checkpointViews(ledger: Ledger, plan: AskingPlan, now: string): CheckpointView[] {
  const rank = ({ id }: Question) => (id === undefined ? Number.MAX_SAFE_INTEGER : questionNumber(id));
  const open = openQuestions(plan).sort((a, b) => rank(a) - rank(b));
  const ids = new Set(open.map(({ id }) => id));
  const past = allQuestions(ledger).filter(({ id, decided }) => decided !== undefined || !ids.has(id));
  return [
    ...open.map((question) => ({ ...viewOpenQuestion(ledger, question), ...spendingOf(plan, question) })),
    ...past.map((record) => viewPastQuestion(ledger, record, now)),
  ];
}

function spendingOf({ limits }: AskingPlan, question: Question): Pick<CheckpointView, 'spending'> {
  const reached = limits.find(({ asks }) => asks === question);
  if (reached === undefined) return {};
  const { asks: _, attempts: __, ...spending } = reached;
  return { spending };
}

/** A question as it stands open. */
export function viewOpenQuestion(ledger: Ledger, question: Question): CheckpointView {
  const { id, name, unit, phase, channels, redo } = question;
  const record = id === undefined ? undefined : allQuestions(ledger).find((asked) => asked.id === id);
  return {
    id,
    question: question.question,
    name,
    unit,
    phase,
    state: id === undefined ? 'not-asked' : 'waiting',
    askedAt: record?.at,
    expires: record?.expires,
    shown: shownFiles(ledger, question),
    channels,
    redo,
    decided: undefined,
  };
}

export function viewPastQuestion(ledger: Ledger, record: QuestionRecord, now: string): CheckpointView {
  const { id, question, name, unit, phase, at, expires, decided } = record;
  const isExpired = expires !== undefined && expires <= now;
  return {
    id,
    question,
    name,
    unit,
    phase,
    state: decided?.decision ?? (isExpired ? 'expired' : 'superseded'),
    askedAt: at,
    expires,
    shown: shownFiles(ledger, record),
    channels: [],
    redo: decided?.redo,
    decided,
  };
}

/** What is shown by name of an output lies at its path; a changed file is shown by its path. */
function shownFiles(
  ledger: Ledger,
  { question, unit, shown }: Pick<Question, 'question' | 'unit' | 'shown'>,
): ShownFile[] {
  // A budget is about no file.
  if (question === 'budget') return [];
  return Object.entries(shown)
    .filter(([label]) => question !== 'change' || !label.startsWith(beforeLabel))
    .map(([label, hash]) => {
      const path = pathOf(ledger, unit, label, hash);
      return { label, path: path ?? (question === 'change' ? label : undefined), hash };
    });
}

/** Names may hold dots. What a phase would take is shown by the name that it has there: then the bytes tell which it is. */
function pathOf(ledger: Ledger, unit: string, label: string, hash: Hash): string | undefined {
  for (let dot = label.indexOf('.'); dot > 0; dot = label.indexOf('.', dot + 1)) {
    const placed = findStep(ledger, unit, label.slice(0, dot))?.placed;
    if (placed === undefined) continue;
    const record = placed[label.slice(dot + 1)] ?? Object.values(placed).find((file) => file.hash === hash);
    if (record !== undefined) return record.path;
  }
  return undefined;
}

/** What a person is asked, or was. */
export interface CheckpointView {
  /** Undefined: it has not been asked yet. */
  readonly id: string | undefined;
  readonly question: QuestionKind;
  readonly name: string;
  /** Empty for what concerns every unit. */
  readonly unit: string;
  readonly phase: string;
  /**
   * - `waiting`: somebody has to answer.
   * - `not-asked`: it has come up since the run was last gone on with.
   * - `superseded`: what it was about is no longer there, or no longer matters.
   */
  readonly state: 'waiting' | 'not-asked' | 'approved' | 'rejected' | 'superseded' | 'expired';
  readonly askedAt: string | undefined;
  readonly expires: string | undefined;
  readonly shown: readonly ShownFile[];
  /** Of an open question about a budget: what was spent of it, and how much may be. */
  readonly spending?: Spending;
  readonly channels: readonly Channel[];
  /** The phase that a rejection sends back to. */
  readonly redo: string | undefined;
  readonly decided: QuestionAnswer | undefined;
}

export interface ShownFile {
  readonly label: string;
  /** Relative to the workspace; undefined: it is no file. */
  readonly path: string | undefined;
  readonly hash: Hash;
}
