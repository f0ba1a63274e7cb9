import { formatTime } from '../base/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { takeQuestionId } from '../ledger/questions.ts';
import type { CheckpointAsked } from '../model/event.ts';
import { asksOf, type Question } from '../model/reason.ts';
import type { UnitPlan } from '../planner/plan.ts';
import { type RunContext, record } from './context.ts';
import { observeRecorded } from './recorded-progress.ts';

/**
 * Puts every question on record that was not asked yet, so that an answer has something to name. After a
 * crash before that, the next invocation asks. Returns the numbers by question.
 */
export async function askPeople(
  run: Pick<RunContext, 'journal' | 'ledger' | 'clock' | 'recorded'> & Partial<Pick<RunContext, 'observe'>>,
  questions: readonly Question[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const events: CheckpointAsked[] = [];
  const pending = beingAsked(run.ledger);
  for (const asked of questions) {
    if (asked.id !== undefined || pending.has(questionKey(asked))) continue;
    pending.add(questionKey(asked));
    const { question, unit, phase, place, shown, name, expiresMs } = asked;
    const id = takeQuestionId(run.ledger);
    ids.set(questionKey(asked), id);
    const expires = expiresMs === undefined ? {} : { expires: formatTime(run.clock.now() + expiresMs) };
    events.push({ type: 'checkpoint_asked', id, question, unit, phase, place, shown, name, ...expires });
  }
  const { observe } = run;
  const recorded = events.length > 0 ? await record(run, ...events) : [];
  if (observe !== undefined) observeRecorded({ observe }, recorded);
  for (const key of ids.keys()) pending.delete(key);
  return ids;
}

const asking = new WeakMap<Ledger, Set<string>>();

/** Questions on their way into the journal: phases of one unit may end at once, and each would ask. */
function beingAsked(ledger: Ledger): Set<string> {
  const known = asking.get(ledger) ?? new Set();
  asking.set(ledger, known);
  return known;
}

/** Questions of a unit that were not asked yet. Asked at once, because other units may run for hours. */
export function unasked({ cells: steps }: UnitPlan): readonly Question[] {
  let questions: readonly Question[] = none;
  for (const { decision } of steps) {
    const asks = decision.do === 'stop' ? asksOf(decision.why) : undefined;
    if (asks !== undefined && asks.id === undefined) questions = [...questions, asks];
  }
  return questions;
}

// One array for all, because nearly no step has a question.
const none: readonly Question[] = [];

/** The same question has the same key, whatever plan it comes from. */
export function questionKey({ unit, phase, place, shown }: Question): string {
  return JSON.stringify([unit, phase, place, shown]);
}
