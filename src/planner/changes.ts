import { hashJson } from '../base/hash.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { findCell } from '../ledger/ledger.ts';
import type { QuestionRecord } from '../ledger/questions.ts';
import type { ArtifactAdopted, EventBody, ResultsKept } from '../model/event.ts';
import { cellName } from '../model/names.ts';
import type { Choice, Question, Refusal } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { refHash } from './compare.ts';
import type { PlanContext } from './context.ts';
import type { Plan } from './plan.ts';
import { beforeLabel, standing } from './questions.ts';

/*
 * A file that results were made from is another one, and the manifest says that a person chooses: keep what there is,
 * or do it again from some phase on. The choice is bound to the new bytes.
 */

export type ChangeRefusal = Refusal & { readonly guard: 'file-changed' | 'output-edited' };

/** The refusal with the question that it asks, or with the answer; as it is where nobody is to be asked. */
export function withQuestion(context: PlanContext, refusal: Refusal): Refusal {
  if (refusal.guard !== 'file-changed' && refusal.guard !== 'output-edited') return refusal;
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

/** The events that make the choices true. */
export function choiceEvents(
  { loaded, ledger }: { readonly loaded: LoadedPipeline; readonly ledger: Ledger },
  plan: Plan,
  revision: number,
  adopt: (refusal: ChangeRefusal & { guard: 'output-edited' }, reason: string) => ArtifactAdopted | undefined,
): EventBody[] {
  const events: EventBody[] = [];
  for (const refusal of plan.refusals) {
    if ((refusal.guard !== 'file-changed' && refusal.guard !== 'output-edited') || !refusal.chosen) continue;
    const { id, restart, note } = refusal.chosen;
    const reason = note === '' ? id : `${id}: ${note}`;
    const isRestarted = restartedBy(loaded, restart);
    if (refusal.guard === 'file-changed') {
      if (isRestarted(refusal.phase)) continue;
      const cells = [cellName(refusal.unit, refusal.phase)];
      events.push({ type: 'results_kept', cells, revision, guard: 'file-changed', reason });
      continue;
    }
    const adopted = adopt(refusal, reason);
    if (adopted === undefined) continue;
    events.push(adopted, ...keptConsumers(ledger, refusal, adopted, reason, isRestarted));
  }
  return [...events, ...restarts(loaded, ledger, plan)];
}

/** Whoever has taken the file before counts as made from what it is now. */
function keptConsumers(
  ledger: Ledger,
  { unit, phase, before }: ChangeRefusal & { guard: 'output-edited' },
  { after }: ArtifactAdopted,
  reason: string,
  isRestarted: (phase: string) => boolean,
): ResultsKept[] {
  const kept: ResultsKept[] = [];
  const isIt = (ref: string) => ref.startsWith(`${phase}#`) && refHash(ref) === before;
  for (const cell of ledger.cells.values()) {
    if (cell.unit !== unit || isRestarted(cell.phase)) continue;
    for (const result of cell.results) {
      const inputs = Object.entries(result?.inputs ?? {});
      if (result === undefined || !inputs.some(([, ref]) => isIt(ref))) continue;
      const now = inputs.map(([name, ref]) => [
        name,
        isIt(ref) ? `${ref.split(' ', 1)[0]} ${after.hash}` : ref,
      ]);
      kept.push({
        type: 'results_kept',
        cells: [cellName(cell.unit, cell.phase)],
        revision: result.revision,
        guard: 'output-edited',
        reason,
        inputs: Object.fromEntries(now),
        only: result.attempt,
      });
    }
  }
  return kept;
}

/** Of the units that the change concerns, everything from the phase on. */
function restarts(loaded: LoadedPipeline, ledger: Ledger, { refusals }: Plan): EventBody[] {
  const events = new Map<string, EventBody>();
  for (const refusal of refusals) {
    if ((refusal.guard !== 'file-changed' && refusal.guard !== 'output-edited') || !refusal.chosen) continue;
    const { id, restart, note } = refusal.chosen;
    if (restart === undefined) continue;
    const isRestarted = restartedBy(loaded, restart);
    const stageOf = (phase: string) =>
      loaded.pipeline.stages.find(({ phases }) => phases.some(({ name }) => name === phase))?.name;
    const own = stageOf(refusal.phase);
    const cells: string[] = [];
    // Of its own stage what belongs to the unit; of others whatever there is, for all of it comes after this.
    for (const [name, { unit, phase }] of ledger.cells)
      if (isRestarted(phase) && (unit === refusal.unit || stageOf(phase) !== own)) cells.push(name);
    if (cells.length === 0) continue;
    const reason = note === '' ? id : `${id}: ${note}`;
    events.set(hashJson({ id, unit: refusal.unit }), {
      type: 'results_superseded',
      cells,
      because: 'rerun-requested',
      reason,
    });
  }
  return [...events.values()];
}

function restartedBy({ pipeline }: LoadedPipeline, restart: string | undefined): (phase: string) => boolean {
  if (restart === undefined) return () => false;
  const phases = pipeline.stages.flatMap((stage) => stage.phases.map(({ name }) => name));
  const again = new Set(phases.slice(phases.indexOf(restart)));
  return (phase) => again.has(phase);
}

function questionOf(context: PlanContext, refusal: ChangeRefusal): Omit<Question, 'id'> | undefined {
  const { after, path } = refusal;
  const { channels } = context.loaded.pipeline;
  // What is gone cannot be looked at.
  if (after === undefined) return undefined;
  const about = { question: 'change' as const, channels, redo: undefined, expiresMs: undefined };
  if (refusal.guard === 'file-changed') {
    if (context.files.get(refusal.file)?.onChange !== 'ask') return undefined;
    const place = `file:${refusal.file}`;
    return { ...about, unit: '', phase: '', place, name: `${path} changed`, shown: changeOf(path, refusal) };
  }
  const { unit, phase, output } = refusal;
  if (outputOf(context, phase, output)?.onEdit !== 'ask') return undefined;
  const shown = changeOf(`${phase}.${output}`, refusal);
  return { ...about, unit, phase, place: `edit:${output}`, name: `${path} changed`, shown };
}

/** From which bytes to which: a way back, or the same way from somewhere else, is another change. */
function changeOf(label: string, { before, after }: ChangeRefusal): Question['shown'] {
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
  return unit === '' ? ledger.questions : (findCell(ledger, unit, phase)?.questions ?? []);
}
