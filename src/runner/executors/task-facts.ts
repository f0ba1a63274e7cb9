import { hashJson } from '../../base/hash.ts';
import type { JsonValue } from '../../base/json.ts';
import type { AssignedFeedback, Assignment } from './assignment.ts';
import type { ExecutorHost } from './host.ts';
import { keepBelowScratch } from './scratch.ts';
import type { PhaseTask } from './task.ts';

/** The facts of a task that functions and commands get in the same words. */
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

export function taskFacts(assignment: Assignment, host: ExecutorHost): TaskFacts {
  const { run, unit, phase, attempt, round, mode, previous, existing, feedback } = assignment;
  return {
    run,
    unit: { ...(unit.index !== undefined && { index: unit.index }), ...unit.data, id: unit.id },
    phase: phase.name,
    attempt,
    iteration: round,
    params: phase.params,
    mode,
    previous: previous === undefined ? undefined : `${host.workspace}/${previous}`,
    existing: mode === 'fresh' ? existing : absolutePaths(host, existing),
    feedback: feedback.length === 0 ? noFeedback : feedback.map((said) => withFiles(host, said)),
  };
}

const noFeedback: PhaseTask['feedback'] = [];

/** The same for every attempt at the same work with the same inputs, in this run. */
export function workKey({ run, unit, phase, round, state, prompt, work }: Assignment): string {
  const { definition, inputs, unitData, unitFile, feedback } = work;
  const parts: JsonValue = {
    run,
    cell: `${unit.id}/${phase.name}`,
    iteration: round,
    definition,
    unitData,
    ...(unitFile !== undefined && { unitFile }),
    inputs,
    preState: state?.hash ?? '',
    prompt: prompt?.hash ?? '',
    ...(feedback !== undefined && { feedback }),
  };
  return hashJson(parts).slice('sha256:'.length, 'sha256:'.length + 32);
}

/** Words about a file are of little use without the file, and that has been made again since. */
function withFiles(host: ExecutorHost, said: AssignedFeedback): PhaseTask['feedback'][number] {
  const { from, kind, text, by, at } = said;
  return { from, kind, text, by, at, files: feedbackFiles(host, said) };
}

/** Puts the files that were judged into the scratch folder; what the content store has lost is left out. */
function feedbackFiles(host: ExecutorHost, { from, shown = {} }: AssignedFeedback): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [label, hash] of Object.entries(shown)) {
    const bytes = host.content.get(hash);
    if (bytes !== undefined)
      files[label] = keepBelowScratch(host, `feedback/${safe(from)}/${safe(label)}`, bytes);
  }
  return files;
}

function safe(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_');
}

function absolutePaths(
  { workspace }: ExecutorHost,
  paths: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, `${workspace}/${path}`]));
}
