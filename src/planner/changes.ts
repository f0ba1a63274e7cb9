import { findStep, type Ledger } from '../ledger/ledger.ts';
import type { QuestionRecord } from '../ledger/questions.ts';
import { importedPage } from '../ledger/results.ts';
import { isPagePlace, pagePlaces } from '../model/event.ts';
import {
  asksOf,
  type Choice,
  type PartChange,
  type Question,
  type Refusal,
  type RefusalOf,
} from '../model/reason.ts';
import { changeName } from '../model/refusal.ts';
import type { PlanContext } from './context.ts';
import type { Decision, StepPlan } from './plan.ts';
import { isChange, policyOf, statePolicy } from './policy.ts';
import { beforeLabel, standingAnswer } from './questions.ts';

/*
 * Something that results were made from changed, and the policy says that a person chooses: keep what there is, or re-run
 * from some phase on. The choice is bound to the new bytes.
 */

type AskedChange = PartChange | RefusalOf<'output-edited' | 'pre-state-differs'>;

/** The refusal with the question that it asks, or with the answer; as it is where no one is to be asked. */
export function withQuestion(context: PlanContext, refusal: Refusal): Refusal {
  if (!isChange(refusal) && refusal.guard !== 'output-edited' && refusal.guard !== 'pre-state-differs')
    return refusal;
  const question = questionOf(context, refusal);
  if (question === undefined) return refusal;
  const records = recordsOf(context.ledger, question);
  const { decided, asks } = standingAnswer(records, question, context.facts.now);
  const answer = decided?.decided;
  if (decided === undefined || answer?.decision !== 'approved' || isPast(records, decided))
    return { ...refusal, asks };
  const chosen: Choice = { id: decided.id, restart: answer.restart, note: answer.note ?? '' };
  return { ...refusal, asks, chosen };
}

/** It was about a change to these bytes, but other changes came after it: what there is now was made from something else. */
function isPast(records: readonly QuestionRecord[], { place, decided }: QuestionRecord): boolean {
  const at = decided?.at ?? '';
  return records.some(
    (other) => other.place === place && other.decided !== undefined && other.decided.at > at,
  );
}

function questionOf(context: PlanContext, refusal: AskedChange): Omit<Question, 'id'> | undefined {
  const { channels } = context.loaded.pipeline;
  // What is gone cannot be looked at.
  if (refusal.after === undefined) return undefined;
  const about = { question: 'change' as const, channels, redo: undefined, expiresMs: undefined };
  if (refusal.guard === 'output-edited') {
    const { unit, phase, output, path } = refusal;
    if (outputOf(context, phase, output)?.onEdit !== 'ask') return undefined;
    const shown = changeOf(`${phase}.${output}`, refusal);
    return { ...about, unit, phase, place: `edit:${output}`, name: `${path} changed`, shown };
  }
  const { answer } =
    refusal.guard === 'pre-state-differs' ? statePolicy(context, refusal.phase) : policyOf(context, refusal);
  if (answer !== 'ask') return undefined;
  const [name = ''] = changeName(refusal);
  // Questions about declared files were recorded under their names before other changes could be asked about.
  const place = refusal.guard === 'file-changed' ? `file:${refusal.file}` : `change:${name}`;
  const label = refusal.guard === 'pre-state-differs' ? stateLabel(context, refusal) : name;
  return { ...about, unit: '', phase: '', place, name: `${name} changed`, shown: changeOf(label, refusal) };
}

/** The file of the initial state, so that its text can be shown; what other units committed lies in many files. */
function stateLabel({ loaded, facts }: PlanContext, { after }: RefusalOf<'pre-state-differs'>): string {
  const { initial = '' } = loaded.pipeline.state ?? {};
  return facts.state?.initial === after ? initial : 'state';
}

/** From which bytes to which: a way back, or the same way from somewhere else, is another change. */
function changeOf(label: string, { before, after }: AskedChange): Question['shown'] {
  return {
    ...(after !== undefined && { [label]: after }),
    ...(before !== undefined && { [`${beforeLabel}${label}`]: before }),
  };
}

function outputOf({ shapes }: PlanContext, phase: string, output: string) {
  for (const { stage } of shapes.values()) {
    const found = stage.phases.find(({ name }) => name === phase);
    if (found !== undefined) return found.outputs.find(({ name }) => name === output);
  }
  return undefined;
}

function recordsOf(ledger: Ledger, { unit, phase }: Omit<Question, 'id'>): readonly QuestionRecord[] {
  return unit === '' ? ledger.questions : (findStep(ledger, unit, phase)?.questions ?? []);
}

/*
 * Questions that come from an imported status page. They are put on record with the import, so that they are about the
 * bytes that were there then, and hold up the whole unit: nothing on the page says which step they belong to.
 */

/** The steps of a unit, where an open question of its page keeps everything from starting. */
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
