import { findStep, type Ledger, newestResult, type Step, type StepResult } from '../../ledger/ledger.ts';
import type { QuestionRecord } from '../../ledger/records.ts';
import type { Phase, Pipeline } from '../../model/definition.ts';
import { largestStage } from '../../pipeline/layout.ts';

/** Units of the largest stage. */
export interface UnitProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * A unit is done when all its phases are, and no person has to approve one of them any more: the number that
 * `pawl status` shows. A plan also looks at the files, which costs more than a page that is written at every step may.
 */
export function progressOf({ stages }: Pipeline, ledger: Ledger): UnitProgress {
  const { phases, units } = largestStage(stages);
  const always = phases.filter(({ when }) => when === 'always');
  const isDone = (unit: string) => always.every((phase) => isPhaseDone(ledger, unit, phase));
  return { done: units.filter(({ id }) => isDone(id)).length, total: units.length };
}

function isPhaseDone(ledger: Ledger, unit: string, phase: Phase): boolean {
  const step = findStep(ledger, unit, phase.name);
  const result = step === undefined ? undefined : newestResult(step);
  if (step === undefined || result === undefined || step.running !== undefined) return false;
  if (result.passed === false && decidedLast(step, 'gate')?.decided?.decision !== 'approved') return false;
  if (result.reported) return true;
  return phase.checkpoints.every(
    ({ when, place }) => when !== 'after' || isApproved(ledger, step, decidedLast(step, place)),
  );
}

/** What was asked last there; an answer that was overtaken by a later request counts no more. */
function decidedLast({ questions = [] }: Step, place: string): QuestionRecord | undefined {
  return questions.findLast((record) => record.place === place && record.over !== true);
}

/** Bytes that were made after the approval have to be approved again, unless a person chose to keep them. */
function isApproved(ledger: Ledger, step: Step, record: QuestionRecord | undefined): boolean {
  if (record?.decided?.decision !== 'approved') return false;
  return Object.entries(record.shown).every(([label, hash]) => {
    const now = hashNow(ledger, step, label);
    return now === undefined || now === hash || isKept(step, record, label, now);
  });
}

/** Of a label `PHASE.OUTPUT`; undefined for what names no output. */
function hashNow(ledger: Ledger, { unit }: Step, label: string): string | undefined {
  const dot = label.indexOf('.');
  const step = dot === -1 ? undefined : findStep(ledger, unit, label.slice(0, dot));
  const result: StepResult | undefined = step && newestResult(step);
  return result?.outputs[label.slice(dot + 1)]?.hash;
}

function isKept({ questions = [] }: Step, approved: QuestionRecord, label: string, now: string): boolean {
  return questions.some(
    ({ question, decided, shown }) =>
      question === 'change' &&
      decided?.decision === 'approved' &&
      decided.at > (approved.decided?.at ?? '') &&
      shown[label] === now,
  );
}
