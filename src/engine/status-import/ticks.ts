import {
  type CheckpointAsked,
  type CheckpointDecided,
  type ImportedTick,
  isPagePlace,
} from '../../model/event.ts';
import type { Question } from '../../model/reason.ts';
import type { Plan } from '../../planner/plan.ts';
import { squash } from '../../projections/status-page/status-words.ts';
import { openQuestions } from '../observe/questions.ts';
import type { Workspace } from '../open/workspace.ts';
import { fits, listedHash } from './page-files.ts';
import type { FoundPage } from './pages.ts';
import { specNow } from './spec-guard.ts';

/**
 * Whether the ticked boxes of a page count as answers: they are about bytes, so every recorded hash has to be complete
 * and match. On a page that Pawl wrote they never count, because the journal has the answers.
 */
export function areTicksProven(workspace: Workspace, found: FoundPage): boolean {
  const { page } = found;
  if (found.isOurs) return false;
  const rows = page.completed.map(({ artifact }) => {
    const actual = artifact && listedHash(workspace, found, artifact.path);
    return artifact?.hash?.kind === 'full' && actual !== undefined && fits(artifact.hash, actual);
  });
  const spec = specNow(workspace, found);
  const isSpecSame = page.specHash?.kind === 'full' && (spec === undefined || fits(page.specHash, spec));
  if (page.specHash !== undefined && !isSpecSame) return false;
  return rows.every((isProven) => isProven) && (rows.length > 0 || isSpecSame);
}

/**
 * The checkpoint of the manifest that a box is about; undefined: none. `Sign-off (with the table)` is about the checkpoint
 * `Sign-off` where no other box of the page is.
 */
export function checkpointOf({ page, stage }: FoundPage, name: string): string | undefined {
  const asked = stage.phases.flatMap(({ checkpoints }) => checkpoints.map((checkpoint) => checkpoint.name));
  const called = (wanted: string) => asked.find((one) => isSame(one, wanted));
  const short = withoutAside(name);
  const isOnly = page.checkpoints.filter((box) => isSame(withoutAside(box.name), short)).length === 1;
  return called(name) ?? (isOnly ? called(short) : undefined);
}

function withoutAside(name: string): string {
  return name.replace(/ *\([^()]*\)$/, '');
}

function isSame(one: string, other: string): boolean {
  return squash(one) === squash(other);
}

/** A checkpoint that waits, and that a box was ticked for; undefined: there is none. */
export function tickedQuestion(
  plan: Plan,
  unit: string,
  ticks: readonly ImportedTick[],
): { readonly question: Question; readonly tick: ImportedTick } | undefined {
  for (const question of openQuestions(plan)) {
    if (question.unit !== unit || question.question !== 'approval' || isPagePlace(question.place)) continue;
    const tick = ticks.find(({ name }) => isSame(name, question.name));
    if (tick !== undefined) return { question, tick };
  }
  return undefined;
}

/** The question and its answer: it is asked and answered at once. */
export function approvalEvents(
  { question, unit, phase, place, shown, name }: Question,
  id: string,
  answer: Pick<CheckpointDecided, 'by' | 'host' | 'channel' | 'note'>,
): [CheckpointAsked, CheckpointDecided] {
  const asked = { id, question, unit, phase, place, shown };
  return [
    { type: 'checkpoint_asked', ...asked, name },
    { type: 'checkpoint_decided', ...asked, decision: 'approved', ...answer },
  ];
}
