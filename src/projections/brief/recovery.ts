import { clip, plain } from '../../base/plain.ts';
import { unreachable } from '../../base/result.ts';
import type { PauseReason } from '../../model/calls.ts';
import { isOver } from '../../model/status.ts';
import type { RecoveryState } from './document.ts';
import { briefStepName, type PausedSteps, type StartedStep, type Survey } from './survey.ts';

/** Where the run stands and what comes next, in the words of the document. */
export function recoveryState(survey: Survey): RecoveryState {
  const { points, phase, status, fill, updatedAt, nextStep } = survey;
  return {
    last_checkpoint: checkpointOf(points + (survey.pointsBefore ?? 0)),
    current_phase: phase?.number ?? null,
    current_phase_name: phase?.name ?? null,
    workflow_status: status,
    current_activity: activityOf(survey),
    next_step:
      isOver(status) || nextStep === undefined ? nextOf(survey) : clip(oneLine(nextStep), stepLengthMax, '…'),
    context_fill_at_update: fill ?? null,
    updated_at: updatedAt,
  };
}

function checkpointOf(number: number): string | null {
  return number === 0 ? null : `CP-${String(number).padStart(3, '0')}`;
}

/** What is going on now; else what it came to. */
function activityOf(survey: Survey): string {
  const { underWay, status, progress, failure, questions, cancelled } = survey;
  const [newest] = underWay.first.slice(-1);
  if (newest !== undefined && !isOver(status)) {
    const others = underWay.count - 1;
    return `${attemptWords(newest)}${others === 0 ? '' : `, and ${others} more under way`}`;
  }
  switch (status) {
    case 'completed':
      return `done: ${unitsWords(progress)}`;
    case 'cancelled':
      return `cancelled${cancelled ? `: ${short(cancelled)}` : ''}`;
    case 'failed':
      return `failed for good${failure === undefined ? '' : `: ${failureWords(failure)}`}`;
    case 'waiting_human':
      return questions.count === 0
        ? 'answered, and not gone on with yet'
        : `waiting for a person: ${questionWords(survey)}`;
    case 'stopped':
      return failure === undefined ? 'stopped' : `stopped: ${failureWords(failure)}`;
    case 'paused':
      if (survey.paused !== undefined) return pausedWords(survey.paused);
      return survey.hasAgents ? 'waiting for somebody to claim what is next' : 'paused';
    case 'running':
      return 'between two phases';
    case 'interrupted':
      return 'the process that ran it is gone';
    default:
      return unreachable(status);
  }
}

/** One clear step. No command here destroys anything. */
function nextOf(survey: Survey): string {
  const { restart, questions, blocked, underWay, failure, hasAgents, status } = survey;
  switch (status) {
    case 'completed':
      return 'Nothing: everything is done. `pawl verify` proves it again.';
    case 'cancelled':
    case 'failed':
      return 'This run is over. `pawl run` starts a fresh one.';
    default:
  }
  if (restart !== undefined)
    return `Begin round ${restart.iteration} of the gate ${plain(restart.gate)} again: the context was compacted in the middle of it (${restart.compaction}), and it was not scored.`;
  if (questions.count > 0)
    return `A person has to decide: ${questionWords(survey)}. \`pawl checkpoints\` lists it, \`pawl show ID\` shows it.`;
  const claims = underWay.first.filter(({ actor, hasLapsed }) => actor !== undefined && hasLapsed !== true);
  const [claim] = claims;
  if (claim !== undefined)
    return `${claimStep(claim)}${claims.length > 1 ? ` ${claims.length - 1} more are claimed.` : ''}`;
  if (status === 'running')
    return 'Let it go on: Pawl is at it. `pawl status` shows how far it is; if nobody is at it any more, `pawl run` goes on.';
  if (failure !== undefined && status === 'stopped')
    return `Look at what failed (\`pawl logs ${plain(briefStepName(failure))}\`), mend it, then \`pawl run\`.`;
  if (survey.paused !== undefined && !hasAgents) {
    const { until } = survey.paused;
    return `Wait until ${until}: ${pausedWords(survey.paused)}. \`pawl run --wait\` waits and continues.`;
  }
  const isLapsed = underWay.first.some(({ hasLapsed }) => hasLapsed === true);
  if (hasAgents && (status === 'paused' || isLapsed)) return 'Claim what is next: `pawl next --actor NAME`.';
  if (blocked.count > 0)
    return `Settle what blocks ${blocked.first.map(({ unit }) => plain(unit)).join(', ')}, then \`pawl unblock\`.`;
  return 'Go on with it: `pawl run`. `pawl resume` says first what would be done.';
}

function claimStep({ unit, actor = '', ...step }: StartedStep): string {
  const [task, who] = [plain(unit), plain(actor)];
  return `Finish ${plain(briefStepName({ unit, ...step }))}: \`pawl start ${task} --actor ${who}\` says again what it takes, \`pawl complete ${task} --actor ${who}\` that it is done. Whoever is somebody else: \`pawl next --actor NAME\`.`;
}

/** Text of people and agents is data: one line, without hidden characters. */
function oneLine(text: string): string {
  return plain(text.trim().replaceAll(/\s+/g, ' '));
}

const stepLengthMax = 4_000;

function attemptWords({ unit, phase, attempt, iteration, actor, until, hasLapsed }: StartedStep): string {
  const round = iteration > 1 ? `, round ${iteration}` : '';
  // A claim that another tool's log reports has no lease.
  const lease = !until ? '' : hasLapsed ? ` (the lease ran out at ${until})` : ` until ${until}`;
  const whose = actor === undefined ? '' : `, claimed by ${plain(actor)}${lease}`;
  return `${plain(briefStepName({ unit, phase }))}, attempt ${attempt}${round}${whose}`;
}

function questionWords({ questions: { first, count } }: Survey): string {
  const [one] = first;
  if (one === undefined) return '';
  const where = one.unit === '' ? '' : ` about ${plain(briefStepName(one))}`;
  return `${plain(one.id)} ${short(one.name)}${where}${count > 1 ? `, and ${count - 1} more` : ''}`;
}

function failureWords(failure: NonNullable<Survey['failure']>): string {
  const { reason, message } = failure;
  return `${plain(briefStepName(failure))} failed (${plain(reason)})${message === '' ? '' : `: ${short(message)}`}`;
}

const pauses: Readonly<Record<PauseReason, string>> = {
  'rate-limited': 'a rate limit of the provider',
  quota: 'a quota of the provider',
  overloaded: 'an overload of the provider',
  requested: 'its own request',
};

function pausedWords({ count, until, reason, ...step }: PausedSteps): string {
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  return `${plain(briefStepName(step))}${others} paused by ${pauses[reason]} until ${until}`;
}

function unitsWords({ done, total }: Survey['progress']): string {
  return `${done} of ${total} ${total === 1 ? 'unit' : 'units'}`;
}

const shortLength = 160;

function short(text: string): string {
  return clip(plain(text.trim().split('\n', 1)[0] ?? ''), shortLength, '…');
}
