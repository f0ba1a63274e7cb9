import { importedPage } from '../ledger/imported.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isPagePlace, pagePlaces } from '../model/event.ts';
import { asksOf, type Question } from '../model/reason.ts';
import type { PlanContext } from './context.ts';
import type { Decision, StepPlan } from './plan.ts';

/*
 * Questions that come from an imported status page. They are put on record with the import, so that they are about the
 * bytes that were there then, and hold up the whole unit: nothing on the page says which step they belong to.
 */

/** The cells of a unit, where an open question of its page keeps everything from starting. */
export function holdByPage(
  context: PlanContext,
  unit: string,
  steps: readonly StepPlan[],
): readonly StepPlan[] {
  const asks = openPageQuestion(context, unit);
  if (asks === undefined) return steps;
  const isAbout = ({ phase, decision }: StepPlan) =>
    phase === asks.phase && (isHeld(decision) || decision.do === 'reuse' || decision.do === 'restore');
  const asking = steps.find(isAbout) ?? steps.find(({ decision }) => isHeld(decision));
  return steps.map((step): StepPlan => {
    const { decision } = step;
    if (step === asking) return { ...step, decision: { do: 'stop', why: { code: 'checkpoint-asks', asks } } };
    if (!isHeld(decision)) return step;
    // One question is asked once: the other steps wait for the one that asks it.
    const had = decision.do === 'run' ? decision.had : undefined;
    return { ...step, decision: { do: 'wait', for: [asking?.phase ?? asks.phase], had } };
  });
}

function isHeld(decision: Decision): boolean {
  return decision.do === 'stop' ? asksOf(decision.why) !== undefined : decision.do === 'run';
}

function openPageQuestion({ ledger, loaded }: PlanContext, unit: string): Question | undefined {
  if (importedPage(ledger, unit) === undefined) return undefined;
  const open = questionsOf(ledger, unit).filter((record) => record.decided === undefined && !record.over);
  // Whether the ticked boxes count comes first: with them the unit may wait for something else.
  const record = open.find(({ place }) => place === pagePlaces.ticks) ?? open[0];
  if (record === undefined) return undefined;
  const { id, question, phase, place, shown, name } = record;
  const { channels } = loaded.pipeline;
  // What a rejection says goes to the phase whose results were shown.
  const redo = place === pagePlaces.waiting ? phase : undefined;
  return { id, question, unit, phase, place, shown, name, channels, redo, expiresMs: undefined };
}

function questionsOf({ steps }: Ledger, unit: string) {
  return (steps.byUnit.get(unit) ?? []).flatMap(({ questions = [] }) =>
    questions.filter(({ place }) => isPagePlace(place)),
  );
}
