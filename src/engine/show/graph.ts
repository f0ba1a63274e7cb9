import { resolve } from 'node:path';
import { formatTime } from '../../base/clock.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Stage } from '../../model/definition.ts';
import type { Failure } from '../../model/failure.ts';
import { planAfterDefaults } from '../observe/plan-from-disk.ts';
import type { GraphAnswer, TaskView } from '../observe/task-answers.ts';
import { countTasks, taskViews } from '../observe/task-views.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import { shownFindings } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { findHidingListFailure, listFindings, resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openWorkspace } from '../open/workspace.ts';
import { writePage } from './page/page-file.ts';

/** The units of a run with what they need and where they stand. Changes nothing. */
export async function showGraph(env: Environment, target: Target): Promise<Result<GraphAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  const placed = await resolvePipelineForRun(workspace.value, opened.value);
  const { ledger } = opened.value;
  const { plan } = await planAfterDefaults(placed, opened.value);
  const hiding = findHidingListFailure(placed, plan);
  if (hiding !== undefined) return fail(hiding);
  const { pipeline } = placed.loaded;
  const views = taskViews(pipeline, ledger, plan, formatTime(env.clock.now()));
  return ok({
    heading: createRunHeading(placed, opened.value),
    stages: pipeline.stages.map((stage) => ({
      name: stage.name,
      phases: stage.phases.map(({ name }) => name),
      isOpen: stage.isOpen === true,
      tasks: chained(
        stage,
        views.filter((view) => view.stage === stage.name),
      ),
    })),
    tasks: countTasks(views),
    findings: [...shownFindings(opened.value), ...listFindings(placed)],
  });
}

/** In a chain each unit waits for the one that is listed before it, without having to say so. */
function chained({ order }: Stage, tasks: readonly TaskView[]): readonly TaskView[] {
  if (order !== 'chain') return tasks;
  return tasks.map((task, at) => {
    const before = tasks[at - 1]?.unit;
    const isSaid = before === undefined || task.needs.includes(before);
    return isSaid ? task : { ...task, needs: [...task.needs, before] };
  });
}

export interface GraphFile {
  readonly text: string;
  /** What stands near the beginning of every such document of ours. */
  readonly mark: string;
  /** A file, or a folder to put it in. */
  readonly out: string;
  /** What it is called in a folder. */
  readonly name: string;
}

/** Puts a picture where it was asked for, whole or not at all. Nothing but such a picture is ever overwritten. */
export function writeGraph(
  env: Environment,
  { text, mark, out, name }: GraphFile,
): Result<{ readonly path: string; readonly bytes: number }, { readonly path: string }> {
  const isFolder = env.disk.stat(resolve(env.cwd, out))?.kind === 'folder';
  const file = { html: text, mark, out: isFolder ? `${out}/${name}` : out };
  return writePage(env, { root: env.cwd, folder: '.' }, file);
}
