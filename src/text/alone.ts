import { unreachable } from '../base/result.ts';
import type { NextAction } from '../engine/observe/task-answers.ts';
import type { AloneAnswer, StandingRun } from '../engine/show/describe-folder.ts';
import { parseStepName } from '../model/names.ts';
import { identityOf } from './phrases/heading.ts';
import { hint, nextHint } from './phrases/hints.ts';
import { pauseWords, waitHint } from './phrases/model-calls.ts';
import { paintRunStatus } from './phrases/statuses.ts';
import { stepList, unitList } from './phrases/steps.ts';
import { clip, plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { count, stepLabel, time } from './style/words.ts';

/** `pawl` alone in a workspace: which pipeline it is, where its run stands, and the one thing to do next. */
export function aloneText(answer: AloneAnswer, style: Style): string {
  const { paint } = style;
  const values = identityOf(answer);
  const name = paint.bold(plain(answer.pipeline));
  const place = answer.workspace === '.' ? '' : `, ${plain(answer.workspace)}`;
  return [
    `pipeline  ${name}${values === '' ? '' : ` (${values})`}${place}`,
    `run       ${runWords(answer, style)}`,
    `next      ${nextWords(answer, style)}`,
    ...lookFirst(answer),
    '',
    'pawl help lists all commands.',
  ].join('\n');
}

function runWords({ run, ended }: AloneAnswer, style: Style): string {
  const heading = run?.heading ?? ended;
  if (heading === undefined) return 'none yet';
  const units = run === undefined ? '' : ` ${run.done} of ${count(run.total, 'unit')} done,`;
  return `${plain(heading.run)} ${paintRunStatus(heading.status, style)},${units} ${time(heading.updatedAt)}`;
}

function nextWords({ run, ended, workspace }: AloneAnswer, style: Style): string {
  if (run !== undefined) return stepWords(run, style);
  const begin = ended === undefined ? 'to start the first run' : 'to start a fresh run';
  return `${begin}: ${hint('run', workspace)}`;
}

/** Before the first run of a manifest its reader may want to know what it does. */
function lookFirst({ run, workspace }: AloneAnswer): string[] {
  return run === undefined ? [`          to see what it would do: ${hint('plan', workspace)}`] : [];
}

/** What keeps everything else from going on is said before what could be done besides. */
function stepWords({ heading, next, retryAt }: StandingRun, style: Style): string {
  const path = heading.workspace;
  const isAtWork = heading.status === 'running' && next.code === 'run-phases';
  if (isAtWork) return `it is at work; to see how far it is: ${hint('status', path)}`;
  if (retryAt !== undefined && next.code === 'run-phases' && next.cells.length === 0)
    return `it may go on from ${time(retryAt)}; to wait for that: ${waitHint(path)}`;
  return actionWords(next, path, style);
}

function actionWords(next: NextAction, path: string, style: Style): string {
  switch (next.code) {
    case 'run-phases': {
      const steps = next.cells.length === 0 ? '' : ` with ${stepsWords(next.cells)}`;
      return `to go on${steps}: ${hint('run', path)}`;
    }
    case 'claim-task': {
      const title =
        next.title === undefined ? '' : ` - ${clip(plain(next.title), titleMax, style.symbols.more)}`;
      return `to claim ${plain(next.unit)}${title}: ${nextHint(path)}`;
    }
    case 'wait-for-claims': {
      const [first] = next.claims;
      const who =
        first === undefined
          ? 'others are at it'
          : `${plain(first.actor)} is at ${stepLabel(first.unit, first.phase)} until ${time(first.until)}`;
      const others = next.claims.length > 1 ? ` (and ${next.claims.length - 1} more)` : '';
      return `to wait: ${who}${others}; to see how far it is: ${hint('status', path)}`;
    }
    case 'decide':
      return `a person has to decide about ${stepsWords(next.cells)}; to see what is asked: ${hint('checkpoints', path)}`;
    case 'refused':
      return `something has changed since; to see what, and the ways on: ${hint('plan', path)}`;
    case 'unblock':
      return `${unitList(next.units)} ${next.units.length === 1 ? 'is' : 'are'} blocked; to see where it stands: ${hint('status', path)}`;
    case 'look-at-failure': {
      const [first] = next.cells;
      const look = first === undefined ? hint('status', path) : hint('logs', path, first);
      return `to look at what failed: ${look}`;
    }
    case 'wait-for-provider':
      return `paused until ${time(next.until)} by ${pauseWords(next.pause)}; to wait and continue: ${waitHint(path)}`;
    case 'nothing':
      return `nothing: everything is done; to look at it: ${hint('status', path)}`;
    default:
      return unreachable(next);
  }
}

const titleMax = 60;

function stepsWords(names: readonly string[]): string {
  return stepList(names.flatMap((name) => parseStepName(name) ?? []));
}
