import { formatTime } from '../../../base/clock.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { allQuestions, isSameShown, type QuestionRecord, takeQuestionId } from '../../../ledger/questions.ts';
import { importedPage } from '../../../ledger/results.ts';
import type { Channel } from '../../../model/definition.ts';
import { type CheckpointDecided, pagePlaces } from '../../../model/event.ts';
import type { Failure } from '../../../model/failure.ts';
import type { Question } from '../../../model/reason.ts';
import { nearest } from '../../../pipeline/text/problems.ts';
import type { Facts } from '../../../planner/facts.ts';
import { planRun } from '../../../planner/run.ts';
import { record } from '../../../runner/context.ts';
import { updateProjections } from '../../observe/people-files.ts';
import { planRunFromDisk } from '../../observe/plan-from-disk.ts';
import type { ShownFile } from '../../observe/questions.ts';
import { openQuestions, viewOpenQuestion, viewPastQuestion } from '../../observe/questions.ts';
import type { Environment } from '../../open/environment.ts';
import { createRunHeading } from '../../open/find-run.ts';
import type { Hold } from '../../open/hold.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import type { AgentMarker } from '../../open/person.ts';
import type { Target } from '../../open/requests.ts';
import { peopleActor } from '../../open/run-files.ts';
import { type LockedRun, withRunLock } from '../../open/with-run-lock.ts';
import type { Workspace } from '../../open/workspace.ts';
import { approvalEvents, tickedQuestion } from '../../status-import/ticks.ts';
import type { DecideAnswer } from './answers.ts';
import { runAbove } from './run-above.ts';

export interface CheckpointAnswerRequest extends Target {
  /** `C1`: a number stands for what was shown under it, a cell for whatever there is by now. */
  readonly id: string;
  readonly decision: 'approved' | 'rejected';
  /** Why; of a rejection what has to be done otherwise. */
  readonly note?: string | undefined;
  /** Where a file has changed: keep what there is, or the phase to do everything again from. */
  readonly keep?: boolean | undefined;
  readonly restart?: string | undefined;
  readonly by: string;
  readonly host: string;
  readonly channel: Channel;
  /** The coding agent below which this process runs; its shell is never a person's terminal. */
  readonly agent?: AgentMarker | undefined;
}

/**
 * A person's word: bound to what was shown, and to nothing else. It runs nothing; whoever goes on with the run next, or
 * is at it now, hears of it. Of two who answer at once one is first, and the other is told what was said.
 */
export async function answerCheckpoint(
  env: Environment,
  request: CheckpointAnswerRequest,
): Promise<Result<DecideAnswer, Failure>> {
  const say = ({ workspace, opened, hold }: LockedRun) => answer(workspace, opened, hold, request);
  return await withRunLock(env, request, peopleActor, say, { question: request.id });
}

async function answer(
  workspace: Workspace,
  opened: OpenedRun,
  hold: Hold,
  request: CheckpointAnswerRequest,
): Promise<Result<DecideAnswer, Failure>> {
  const { ledger } = hold;
  const below = runAbove(workspace, ledger);
  if (below !== undefined)
    return fail({
      reason: 'inside-phase',
      command: request.decision === 'approved' ? 'approve' : 'reject',
      cell: below.cell,
    });
  const { plan, facts } = await planRunFromDisk(
    workspace,
    { ...opened, ledger },
    { deep: false, restore: false },
  );
  const heading = createRunHeading(workspace, { ...opened, ledger });
  // Who may answer is what the recorded manifest says: nobody opens a channel by editing the file.
  const changed = plan.refusals.filter(({ guard }) => guard === 'manifest-changed');
  if (changed.length > 0) return fail({ reason: 'refused', refusals: changed });
  const open = openQuestions(plan);
  const question = open.find(({ id }) => id === request.id);
  const now = formatTime(workspace.env.clock.now());
  if (question?.id === undefined) {
    const past = allQuestions(ledger).find(({ id }) => id === request.id);
    if (past?.decided?.decision === request.decision && isSameWord(past, request)) {
      const checkpoint = viewPastQuestion(ledger, past, now);
      return ok({ heading, checkpoint, decision: request.decision, restart: request.restart, already: true });
    }
    return fail(past === undefined ? unknown(open, request.id) : closed(past, open, now));
  }
  if (!question.channels.includes(request.channel)) {
    const { channel, agent } = request;
    return fail({
      reason: 'channel-closed',
      id: question.id,
      channel,
      allowed: question.channels,
      agent: agent && { client: agent.client, variable: agent.variable },
    });
  }
  const touched = viewOpenQuestion(ledger, question).shown.filter(
    ({ path }) => question.question !== 'change' && path !== undefined && facts.outputs.has(path),
  );
  if (touched.length > 0) return fail(changedSince(question.id, touched));
  const usage = checkWord(workspace, question, request);
  if (usage !== undefined) return fail(usage);
  await record(hold, decidedEvent({ ...question, id: question.id }, request));
  if (question.place === pagePlaces.ticks && request.decision === 'approved')
    await countTicks(workspace, hold, facts, question, request);
  const checkpoint = { ...viewOpenQuestion(ledger, question), state: request.decision };
  await updateProjections(workspace, opened, hold);
  const { decision, restart } = request;
  return ok({ heading, checkpoint, decision, restart, already: false });
}

/** Whoever accepts the ticked boxes of a page approves what each of them is about, as long as it is what was shown. */
async function countTicks(
  workspace: Workspace,
  hold: Hold,
  facts: Facts,
  { unit, shown }: Question,
  { by, host, channel, id }: CheckpointAnswerRequest,
): Promise<void> {
  const { ledger } = hold;
  const ticks = importedPage(ledger, unit)?.ticks ?? [];
  for (;;) {
    const next = tickedQuestion(planRun(workspace.loaded, ledger, facts), unit, ticks);
    const isShown =
      next && Object.entries(next.question.shown).every(([label, hash]) => shown[label] === hash);
    if (next === undefined || !isShown) return;
    const number = next.question.id ?? takeQuestionId(ledger);
    await record(
      hold,
      ...approvalEvents(next.question, number, { by, host, channel, note: `accepted with ${id}` }),
    );
  }
}

/** What was shown is not what lies there any more, though nothing has been made of it yet. */
function changedSince(id: string, touched: readonly ShownFile[]): Failure {
  const changes = touched.map(({ label, hash }) => ({ label, before: hash, after: undefined }));
  return { reason: 'question-closed', id, why: 'changed', decided: undefined, changes };
}

function isSameWord({ decided }: QuestionRecord, { restart }: CheckpointAnswerRequest): boolean {
  return decided?.restart === restart;
}

/** A word that cannot be meant for this question. */
function checkWord(
  { loaded }: Workspace,
  { question, id }: Question,
  { decision, note, keep = false, restart }: CheckpointAnswerRequest,
): Failure | undefined {
  const usage = (needed: string): Failure => ({
    reason: 'usage',
    problem: {
      code: 'needs-flag',
      flag: `${decision === 'approved' ? 'approve' : 'reject'} ${id}`,
      with: needed,
    },
  });
  const isChange = question === 'change';
  const unfit = (word: string): Failure => ({
    reason: 'usage',
    problem: { code: 'not-for-question', id: id ?? '', word, isChange },
  });
  if (decision === 'rejected' && (note === undefined || note.trim() === '')) return usage('--feedback');
  // Nothing was made that could be sent back: whoever does not want the change undoes it.
  if (decision === 'rejected' && isChange) return unfit('reject');
  if (decision === 'approved' && isChange && !keep && restart === undefined)
    return usage('--keep or --restart-from');
  if (!isChange && (keep || restart !== undefined)) return unfit(keep ? '--keep' : '--restart-from');
  if (keep && restart !== undefined)
    return { reason: 'usage', problem: { code: 'flags-exclude', flags: ['--keep', '--restart-from'] } };
  const phases = loaded.pipeline.stages.flatMap((stage) => stage.phases.map(({ name }) => name));
  if (restart !== undefined && !phases.includes(restart))
    return { reason: 'usage', problem: { code: 'unknown-phase', name: restart, valid: phases } };
  return undefined;
}

function decidedEvent(
  { id, question, unit, phase, place, shown, redo }: Question & { readonly id: string },
  { decision, note, restart, by, host, channel }: CheckpointAnswerRequest,
): CheckpointDecided {
  return {
    type: 'checkpoint_decided',
    id,
    question,
    unit,
    phase,
    place,
    shown,
    decision,
    ...(decision === 'rejected' && redo !== undefined && { redo }),
    ...(decision === 'approved' && restart !== undefined && { restart }),
    by,
    host,
    channel,
    ...(note !== undefined && note !== '' && { note: note.slice(0, noteLengthMax) }),
  };
}

const noteLengthMax = 16_000;

function unknown(open: readonly Question[], id: string): Failure {
  const ids = open.flatMap((asked) => asked.id ?? []);
  const near = nearest(id, ids);
  return { reason: 'no-such-question', id, open: near.length > 0 ? [...near] : ids };
}

/** Why an old question cannot be answered any more. */
function closed(past: QuestionRecord, open: readonly Question[], now: string): Failure {
  const { id, decided, expires, unit, phase, place, shown } = past;
  const answered = decided && { decision: decided.decision, by: decided.by, at: decided.at };
  const base = { reason: 'question-closed' as const, id, decided: answered, changes: [] };
  if (decided !== undefined) return { ...base, why: 'decided' };
  if (expires !== undefined && expires <= now) return { ...base, why: 'expired' };
  const other = open.find(
    (asked) => asked.unit === unit && asked.phase === phase && asked.place === place,
  )?.shown;
  if (other === undefined || isSameShown(other, shown)) return { ...base, why: 'superseded' };
  const labels = [...new Set([...Object.keys(shown), ...Object.keys(other)])];
  const changes = labels
    .filter((label) => shown[label] !== other[label])
    .map((label) => ({ label, before: shown[label], after: other[label] }));
  return { ...base, why: 'changed', changes };
}
