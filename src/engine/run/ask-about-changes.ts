import { ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { asksOf, type Refusal } from '../../model/reason.ts';
import { record } from '../../runner/context.ts';
import { askPeople } from '../../runner/questions.ts';
import { countSteps } from '../observe/board.ts';
import { updateProjections } from '../observe/people-files.ts';
import { planRunFromDisk, type RunPlan } from '../observe/plan-from-disk.ts';
import type { TextDiff } from '../observe/text-diff.ts';
import { createRunHeading } from '../open/find-run.ts';
import { lockRun, releaseAfter } from '../open/hold.ts';
import { type OpenedRun, shownFindings } from '../open/open-run.ts';
import { diffsOf } from '../show/diff.ts';
import { withQuestionIds } from './ask.ts';
import type { AnswerFrame } from './drive-run.ts';
import type { RunAnswer } from './run-request.ts';

/**
 * A file that results were made from is another one, and a person has to choose. Nothing is started: the question is put on
 * record, once, and the run waits.
 */
export async function askAboutChanges(
  { workspace, elapsed }: AnswerFrame,
  opened: OpenedRun,
  refusals: readonly Refusal[],
): Promise<Result<RunAnswer, Failure>> {
  const questions = refusals.flatMap((refusal) => asksOf(refusal) ?? []);
  const answerWith = async (run: OpenedRun, asked: readonly Refusal[]): Promise<RunAnswer> => {
    const seen = await planRunFromDisk(workspace, run, { deep: false, restore: false });
    const { plan } = seen;
    return {
      heading: createRunHeading(workspace, { id: run.id, ledger: run.ledger, status: 'waiting_human' }),
      kind: 'resumed',
      reopened: false,
      interrupted: false,
      cells: countSteps(plan),
      ran: { succeeded: 0, failed: 0 },
      others: { ready: 0, claimed: 0 },
      stops: [],
      limits: [],
      refusals: asked,
      diffs: changedFiles(seen, asked),
      notices: plan.notices,
      findings: shownFindings(run),
      elapsedMs: elapsed(),
    };
  };
  // It was asked before, and nothing has changed since.
  if (opened.status === 'waiting_human' && questions.every(({ id }) => id !== undefined))
    return ok(await answerWith(opened, refusals));
  const taken = await lockRun(workspace, opened, { takeover: false });
  if (!taken.ok) return taken;
  const hold = taken.value;
  return await releaseAfter(workspace, hold, async () => {
    const ids = await askPeople(hold, questions);
    await record(hold, { type: 'run_ended', status: 'waiting_human' });
    await updateProjections(workspace, opened, hold);
    return ok(await answerWith({ ...opened, ledger: hold.ledger }, withQuestionIds(refusals, ids)));
  });
}

/** Each file once, however many results were made from it. */
function changedFiles(seen: RunPlan, refusals: readonly Refusal[]): TextDiff[] {
  const diffs = new Map<string, TextDiff>();
  for (const refusal of refusals) for (const diff of diffsOf(seen, refusal)) diffs.set(diff.title, diff);
  return [...diffs.values()];
}
