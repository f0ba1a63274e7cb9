import { unreachable } from '../base/result.ts';
import type { DecisionEffect, HistoryEntry } from '../engine/observe/history-entry.ts';
import type { HistoryAnswer } from '../engine/show/history.ts';
import type { DecidedBy } from '../model/event.ts';
import { headingLine } from './phrases/heading.ts';
import { plain, plainLines } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { wrapped } from './style/table.ts';
import { count, list, readerTime } from './style/words.ts';

/** Every decision with who made it, when, why, and what it affected. */
export function historyText({ heading, about, decisions }: HistoryAnswer, style: Style): string {
  const of = about === undefined ? '' : ` about ${plain(about)}`;
  if (decisions.length === 0) return `${headingLine(heading, style)}\nNo decision${of} is recorded.`;
  return [
    headingLine(heading, style),
    ...decisions.flatMap((entry) => ['', ...decisionLines(entry, style)]),
    '',
    `${count(decisions.length, 'decision')}${of}`,
  ].join('\n');
}

/** One decision, its first line at the margin. */
function decisionLines(entry: HistoryEntry, style: Style): string[] {
  const { paint } = style;
  const undone = entry.undoneBy === undefined ? '' : ' (taken back)';
  const [first = '', ...rest] = wrapped(`${decisionTitle(entry)}${undone}`, style.width - timeRoom);
  const details = [
    decidedByWords(entry),
    ...(entry.changes === undefined ? [] : [`answers: ${list(entry.changes.map(plain))}`]),
    ...entry.effects.map((effect) => effectWords(effect)),
    ...(entry.affects === undefined ? [] : [`about: ${list(entry.affects.map(plain))}`]),
  ];
  return [
    `${readerTime(entry.at, style)}  ${paint.bold(first)}`,
    ...rest.map((line) => `${' '.repeat(timeRoom)}${paint.bold(line)}`),
    ...details.flatMap((words) => indented(words, style)),
    ...reasonLines(entry, style),
  ];
}

const timeRoom = '2026-11-15 12:03:11  '.length;

function indented(words: string, style: Style): string[] {
  return wrapped(words, style.width - indent.length - 2).map((line, at) =>
    at === 0 ? `${indent}${line}` : `${indent}  ${line}`,
  );
}

const indent = '  ';

function reasonLines({ kind, reason }: HistoryEntry, style: Style): string[] {
  if (reason === undefined) return [];
  const label = kind === 'approved' ? 'note: ' : kind === 'rejected' ? 'feedback: ' : 'reason: ';
  return plainLines(reason).flatMap((line, at) => indented(at === 0 ? `${label}${line}` : line, style));
}

export function decisionTitle({ kind, subject = '', question }: HistoryEntry): string {
  const name = plain(subject);
  switch (kind) {
    case 'override':
      return name;
    case 're-run':
    case 'kept':
      return `${kind}: ${name}`;
    case 'adopted':
    case 'applied':
    case 'decided':
      return `${kind} ${name}`;
    case 'approved':
    case 'rejected':
      return `${kind} ${name}${question === undefined ? '' : ` ${plain(question)}`}`;
    case 'took over':
      return `took over the lock (${name})`;
    case 'cancelled':
      return 'cancelled the run';
    case 'repaired':
      return `accepted damage of ${name} (repair)`;
    case 're-run by policy':
      return kind;
    case 'undone':
      return 'undo';
    case 'redone':
      return 'undo --redo';
    case 'restored':
      return `restored ${name}`;
    default:
      return unreachable(kind);
  }
}

/** `by ann on box (terminal), as planner`. */
export function decidedByWords({ policy, ...who }: DecidedBy & Pick<HistoryEntry, 'policy'>): string {
  if (policy !== undefined)
    return policy === 'manifest' ? 'by a policy of the manifest' : 'by the default policy';
  const { by, host, channel, agent } = who;
  if (by === undefined) return 'by whom is not recorded (by an older version of Pawl)';
  const place = host === undefined || host === '' ? '' : ` on ${plain(host)}`;
  const how = channel === undefined ? '' : ` (${plain(channel)})`;
  return `by ${plain(by)}${place}${how}${agent === undefined ? '' : `, as ${plain(agent)}`}`;
}

function effectWords({ kind, steps, path }: DecisionEffect): string {
  const names = list(steps.map(plain));
  const many = steps.length > 1 ? ` ${count(steps.length, 'step')}:` : '';
  if (kind === 'adopted' && path !== undefined) return `adopted: ${plain(path)} as the result of ${names}`;
  const label = effectLabels.get(kind) ?? 'step';
  return `${label}:${many} ${names}`;
}

const effectLabels: ReadonlyMap<DecisionEffect['kind'], string> = new Map([
  ['re-run', 're-run'],
  ['kept', 'kept'],
  ['undone', 'earlier results count again'],
  ['redone', 'later results count again'],
]);
