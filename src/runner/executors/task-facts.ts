import { hashJson } from '../../base/hash.ts';
import type { JsonValue } from '../../base/json.ts';
import { findCell } from '../../ledger/ledger.ts';
import { type Feedback, feedbackHash } from '../../ledger/questions.ts';
import { definitionIn } from '../../planner/compare.ts';
import { unitParts } from '../../planner/unit-parts.ts';
import type { Attempt } from '../attempt.ts';
import { folderOf, inWorkspace, type RunContext } from '../context.ts';
import { feedbackFiles, handover } from '../handover.ts';
import type { PhaseTask } from '../task.ts';

/** What functions and commands are told of their task in the same words. */
export type TaskFacts = Pick<
  PhaseTask,
  | 'run'
  | 'unit'
  | 'phase'
  | 'attempt'
  | 'iteration'
  | 'params'
  | 'mode'
  | 'previous'
  | 'existing'
  | 'feedback'
>;

export function taskFacts(run: RunContext, attempt: Attempt): TaskFacts {
  const { unit, phase, iteration, number } = attempt;
  const { mode, previous, existing, feedback } = handover(run, attempt);
  return {
    run: run.ledger.run?.run ?? '',
    unit: { ...(unit.index !== undefined && { index: unit.index }), ...unit.data, id: unit.id },
    phase: phase.name,
    attempt: number,
    iteration,
    params: phase.params,
    mode,
    previous: previous === undefined ? undefined : inWorkspace(run, previous),
    existing: mode === 'fresh' ? existing : absolutePaths(run, existing),
    feedback: feedback.length === 0 ? noFeedback : feedback.map((said) => withFiles(run, attempt, said)),
  };
}

const noFeedback: PhaseTask['feedback'] = [];

/** The same for every attempt at the same work with the same inputs, in this run. */
export function workKey(run: RunContext, { unit, phase, iteration, made, prompt }: Attempt): string {
  const inputs = Object.fromEntries([...made.inputs].map(([name, { output }]) => [name, output.hash]));
  const statics = run.loaded.statics.get(phase.name);
  const cell = findCell(run.ledger, unit.id, phase.name);
  const feedback = cell && feedbackHash(cell);
  const parts: JsonValue = {
    run: run.ledger.run?.run ?? '',
    cell: `${unit.id}/${phase.name}`,
    iteration,
    definition: statics === undefined ? '' : definitionIn(statics, iteration),
    ...workedUnit(run, unit.id, phase.name),
    inputs,
    preState: made.preState?.hash ?? '',
    prompt: prompt?.hash ?? '',
    ...(feedback !== undefined && { feedback }),
  };
  return hashJson(parts).slice('sha256:'.length, 'sha256:'.length + 32);
}

/** The unit in the words of older versions of Pawl: a key that was handed out before an upgrade is the same after it. */
function workedUnit({ loaded }: RunContext, unit: string, phase: string): Record<string, JsonValue> {
  const { unitData = '', unitFile } = unitParts(loaded, unit, phase);
  const older = loaded.unitDataWithFile.get(unit);
  if (unitFile === undefined) return { unitData };
  return older === undefined ? { unitData, unitFile: unitFile.hash } : { unitData: older };
}

/** Words about a file are of little use without the file, and that has been done anew since. */
function withFiles(run: RunContext, attempt: Attempt, said: Feedback): PhaseTask['feedback'][number] {
  const { from, kind, text, by, at } = said;
  return { from, kind, text, by, at, files: feedbackFiles(run, folderOf(run, attempt), said) };
}

function absolutePaths(run: RunContext, paths: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, inWorkspace(run, path)]));
}
