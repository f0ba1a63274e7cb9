import type { Ledger } from '../ledger/ledger.ts';
import { findStep } from '../ledger/ledger.ts';
import type { QuestionRecord } from '../ledger/questions.ts';
import { changeName } from '../model/change-name.ts';
import type { Change, Choice, Question, Refusal, RefusalOf } from '../model/reason.ts';
import type { PlanContext } from './context.ts';
import { isChange, policyOf, statePolicy } from './policy.ts';
import { beforeLabel, standing } from './questions.ts';

/*
 * Something that results were made from changed, and the policy says that a person chooses: keep what there is, or re-run
 * from some phase on. The choice is bound to the new bytes.
 */

type AskedChange = Change | RefusalOf<'output-edited' | 'pre-state-differs'>;

/** The refusal with the question that it asks, or with the answer; as it is where no one is to be asked. */
export function withQuestion(context: PlanContext, refusal: Refusal): Refusal {
  if (!isChange(refusal) && refusal.guard !== 'output-edited' && refusal.guard !== 'pre-state-differs')
    return refusal;
  const question = questionOf(context, refusal);
  if (question === undefined) return refusal;
  const records = recordsOf(context.ledger, question);
  const { decided, asks } = standing(records, question, context.facts.now);
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
