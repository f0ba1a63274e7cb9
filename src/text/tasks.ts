import { unreachable } from '../base/result.ts';
import type {
  HandedTask,
  NextAnswer,
  NoTask,
  TaskAnswer,
  TaskClaim,
  TaskCounts,
} from '../engine/observe/task-answers.ts';
import { findingLines } from './catalogue/findings.ts';
import { noticeLines } from './catalogue/notices.ts';
import { reasonWords } from './catalogue/run-reasons.ts';
import { hint } from './phrases/hints.ts';
import { plain, plainLines } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { count, duration, list, stepLabel, time } from './style/words.ts';

/** A task that was handed out, or why there is none. */
export function nextText(answer: NextAnswer, style: Style): string {
  const { task, none, holding, notices, findings } = answer;
  return [
    ...findingLines(findings, style),
    ...noticeLines(notices, style),
    ...(task === undefined ? [] : taskLines(task, style)),
    ...holding.map((claim) => holdingLine(claim, style)),
    none === undefined ? handedLine(answer, style) : noneLine(answer, none, style),
  ].join('\n');
}

/** What was done with a task. */
export function taskText(answer: TaskAnswer, style: Style): string {
  const { paint, symbols } = style;
  const lines = [
    ...answer.outputs.map(({ name, path }) => `  ${plain(name)}: ${plain(path)}`),
    ...answer.files.map(({ path }) => `  ${plain(path)}`),
  ];
  const opened = answer.opened.length === 0 ? '' : `; now ready: ${list(answer.opened.map(plain))}`;
  const mark =
    answer.act === 'failed' || answer.act === 'blocked'
      ? paint.yellow(symbols.warning)
      : paint.green(symbols.good);
  return [...lines, `${mark} ${actWords(answer)}; ${progressWords(answer.tasks)}${opened}`].join('\n');
}

function taskLines(task: HandedTask, style: Style): string[] {
  const { paint } = style;
  const title = task.title === undefined ? '' : ` ${plain(task.title)}`;
  const rows: [string, string][] = [
    ['why', reasonWords(task.why, style)],
    ['lease', `${duration(task.leaseMs)}, until ${time(task.leaseUntil)}; pawl heartbeat renews it`],
    ...task.inputs.map(({ name, path }): [string, string] => [`input ${plain(name)}`, plain(path)]),
    ...task.outputs.map(({ name, path, optional }): [string, string] => [
      `output ${plain(name)}`,
      `${plain(path)}${optional ? ' (optional)' : ''}`,
    ]),
    ...task.files.map((path): [string, string] => ['file', plain(path)]),
    ['folder', plain(task.folder)],
  ];
  if (task.previous !== undefined) rows.push(['go on from', plain(task.previous)]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    paint.bold(`${stepLabel(task.unit, task.phase)}${title}`),
    ...rows.map(([name, value]) => `  ${paint.dim(name.padEnd(width))}  ${value}`),
    ...dataLines(task),
    ...(task.prompt === undefined ? [] : plainLines(task.prompt.text).map((line) => `  | ${line}`)),
  ];
}

/** The unit's own fields: what the task is about. */
function dataLines({ data, title }: HandedTask): string[] {
  return Object.entries(data).flatMap(([name, value]) => {
    if (value === title || name === 'id') return [];
    const items = Array.isArray(value) ? value : [value];
    const texts = items.map((item) => plain(typeof item === 'string' ? item : JSON.stringify(item)));
    return texts.length === 1
      ? [`  ${plain(name)}: ${texts[0]}`]
      : [`  ${plain(name)}:`, ...texts.map((text) => `    - ${text}`)];
  });
}

function holdingLine({ unit, phase, until, live }: TaskClaim, { paint, symbols }: Style): string {
  const state = live ? `until ${time(until)}` : 'and the lease has run out';
  return `${paint.yellow(symbols.warning)} ${stepLabel(unit, phase)} is claimed by you too, ${state}`;
}

function handedLine({ actor, heading, task, tasks }: NextAnswer, { paint, symbols }: Style): string {
  const name = task === undefined ? '' : stepLabel(task.unit, task.phase);
  const number = task === undefined ? '' : ` under number ${task.attempt}`;
  const complete = hint('complete', heading.workspace, task?.unit, '--actor', actor);
  return `${paint.green(symbols.good)} ${name} is claimed for ${plain(actor)}${number}; ${progressWords(tasks)}; when it is done: ${complete}`;
}

function noneLine({ heading, tasks }: NextAnswer, none: NoTask, { paint, symbols }: Style): string {
  const mark = none.code === 'all-done' ? paint.green(symbols.good) : paint.yellow(symbols.warning);
  return `${mark} ${noneWords(none, heading.workspace)}; ${progressWords(tasks)}`;
}

function noneWords(none: NoTask, path: string): string {
  switch (none.code) {
    case 'all-done':
      return 'everything is done';
    case 'nothing-now': {
      const when = none.nextAt === undefined ? '' : `, the first lease runs out at ${time(none.nextAt)}`;
      const held =
        none.heldBack.length === 0 ? '' : `; ${list(none.heldBack.map(plain))} would touch the same files`;
      return `nothing can be claimed now: ${count(none.claimed, 'task')} under way${when}${held}`;
    }
    case 'for-the-runner':
      return `the next step is Pawl's own: ${hint('run', path)}`;
    case 'other-role':
      return `there is work, but for ${list(none.roles.map(plain))}`;
    case 'asks-person':
      return `a person has to decide first, about ${list(none.cells.map(plain))}; pawl checkpoints lists what is asked`;
    case 'stuck':
      return stuckWords(none.failed, none.blocked);
    default:
      return unreachable(none);
  }
}

function stuckWords(failed: readonly string[], blocked: readonly string[]): string {
  const parts = [
    ...(failed.length === 0 ? [] : [`failed for good: ${list(failed.map(plain))}`]),
    ...(blocked.length === 0 ? [] : [`blocked: ${list(blocked.map(plain))}`]),
  ];
  return `nothing is left that could go on${parts.length === 0 ? '' : `; ${parts.join('; ')}`}`;
}

function actWords({ act, unit, phase, actor, again, reason, leaseUntil, finished }: TaskAnswer): string {
  const name = phase === undefined ? plain(unit) : stepLabel(unit, phase);
  const why = reason === undefined || reason === '' ? '' : `: ${plain(reason)}`;
  switch (act) {
    case 'completed':
      return again
        ? `${name} had been recorded before; nothing changed`
        : `${name} is recorded${finished ? `, and ${plain(unit)} is done` : ''}`;
    case 'failed':
      return `${name} has failed${why}`;
    case 'blocked':
      return `${name} is blocked${why}`;
    case 'unblocked':
      return again ? `${name} was not blocked` : `${name} can go on`;
    case 'renewed':
      return `${name} is ${plain(actor)}'s until ${time(leaseUntil ?? '')}`;
    case 'released':
      return `${name} can be claimed again`;
    default:
      return unreachable(act);
  }
}

/** `3 of 12 done, 2 ready, 1 claimed`. */
function progressWords({
  done,
  total,
  ready,
  claimed,
  in_progress: begun,
  failed,
  blocked,
}: TaskCounts): string {
  const parts = [
    [ready, 'ready'],
    [claimed + begun, 'under way'],
    [failed, 'failed'],
    [blocked, 'blocked'],
  ] as const;
  const more = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return [`${done} of ${total} done`, ...more].join(', ');
}
