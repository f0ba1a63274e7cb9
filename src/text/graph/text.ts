import type { GraphAnswer, TaskView } from '../../engine/observe/task-answers.ts';
import { findingLines } from '../catalogue/findings.ts';
import { headingLine } from '../phrases/heading.ts';
import { clip, plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { visibleLength } from '../style/table.ts';
import { count, list } from '../style/words.ts';
import { layersOf, linksOf } from './links.ts';
import { isAsking, noteOf, taskCounts, taskMark, taskStateWords } from './task-words.ts';

/** The tasks of a run for a terminal, each after its needs; of very many, only those that need attention. */
export function graphText(answer: GraphAnswer, style: Style): string {
  const isLong = answer.tasks.total > tasksShownMax;
  return [
    headingLine(answer.heading, style),
    ...findingLines(answer.findings, style),
    ...answer.stages.flatMap((stage) => ['', ...stageLines(stage, !isLong, style)]),
    ...(isLong ? tellingLines(answer, style) : []),
    '',
    ...joined([...taskCounts(answer.tasks, style), ...askingCount(answer, style)], style),
  ].join('\n');
}

/** They are counted by their states too: how far they have come is one thing, whom they wait for another. */
function askingCount({ stages }: GraphAnswer, { paint, symbols }: Style): string[] {
  const asking = stages.flatMap(({ tasks }) => tasks).filter(isAsking).length;
  if (asking === 0) return [];
  return [`${paint.yellow(symbols.asks)} ${count(asking, 'waits', 'wait')} for a person`];
}

const tasksShownMax = 200;
const rowsMax = 20;

function stageLines(stage: GraphAnswer['stages'][number], isWhole: boolean, style: Style): string[] {
  const { paint, symbols } = style;
  const done = stage.tasks.filter(({ state }) => state === 'done').length;
  const far = stage.isOpen ? 'not listed yet' : `${done} of ${count(stage.tasks.length, 'task')} done`;
  const phases = stage.phases.map(plain).join(` ${symbols.becomes} `);
  const title = clip(`${plain(stage.name)}: ${far} (${phases})`, style.width - 1, symbols.more);
  const name = plain(stage.name);
  // Painted only where the name is whole: colours cannot be cut through.
  const painted = title.startsWith(`${name}:`) ? `${paint.bold(name)}${title.slice(name.length)}` : title;
  return isWhole ? [painted, ...layerRows(stage.tasks, style)] : [painted];
}

/** With commas, in as many lines as it takes. */
function joined(items: readonly string[], { width }: Style): string[] {
  const lines: string[] = [];
  for (const [at, item] of items.entries()) {
    const text = at < items.length - 1 ? `${item},` : item;
    const last = lines.at(-1);
    if (last === undefined || visibleLength(last) + 1 + visibleLength(text) > width - 1) lines.push(text);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines;
}

interface Row {
  readonly task: TaskView;
  /** Its layer, where it is the first one of it. */
  readonly layer: string;
}

function layerRows(tasks: readonly TaskView[], style: Style): string[] {
  const layers = layersOf(linksOf(tasks));
  const sorted = tasks
    .map((task, at) => ({ task, layer: layers[at] ?? 0 }))
    .sort((a, b) => a.layer - b.layer);
  const isOne = sorted.at(-1)?.layer === 0;
  const rows = sorted.map(({ task, layer }, at) => {
    const isFirst = !isOne && layer !== sorted[at - 1]?.layer;
    return { task, layer: isFirst ? String(layer + 1) : '' };
  });
  return rowLines(rows, style);
}

/** A column for all but the last, which takes what is left of the line. */
function rowLines(rows: readonly Row[], style: Style): string[] {
  const { paint, symbols, width } = style;
  const column = (texts: readonly string[], widthMax: number) => {
    const longest = texts.reduce((length, text) => Math.max(length, text.length), 0);
    const columnWidth = Math.max(0, Math.min(longest, widthMax));
    return texts.map((text) => clip(text, columnWidth, symbols.more).padEnd(columnWidth));
  };
  const layers = column(
    rows.map(({ layer }) => layer),
    layerWidthMax,
  );
  const ids = column(
    rows.map(({ task }) => plain(task.unit)),
    Math.floor(width / 4),
  );
  const states = column(
    rows.map(({ task }) => taskStateWords(task.state)),
    width,
  );
  const tails = rows.map(({ task }) => tailOf(task));
  const longestTail = tails.reduce((length, tail) => Math.max(length, tail.length + 2), 2);
  const widths = [layers, ids, states].map(([first = '']) => (first === '' ? 0 : first.length + 2));
  // What is left after the indent, the mark, and one column that stays free.
  const room = width - 5 - widths.reduce((sum, columnWidth) => sum + columnWidth, 0);
  const titles = column(
    rows.map(({ task }) => plain(task.title ?? '')),
    Math.max(Math.floor(room * titleShare), room - longestTail),
  );
  return rows.map(({ task }, at) => {
    const title = titles[at] ?? '';
    const tail = clip(tails[at] ?? '', Math.max(0, room - title.length - 2), symbols.more);
    const mark = `${taskMark(task, style)} ${ids[at] ?? ''}`;
    const steps = [layers[at] ?? '', mark, states[at] ?? '', title, tail === '' ? '' : paint.dim(tail)];
    return `  ${steps.filter((step) => step !== '').join('  ')}`.trimEnd();
  });
}

const layerWidthMax = 5;
/** What a title takes of the room that it shares with what else there is to say. */
const titleShare = 0.55;

/** `executor-1; after T001, T002`. */
function tailOf(task: TaskView): string {
  const note = noteOf(task);
  const needs = [...new Set(task.needs)];
  const after = needs.length > 0 ? `after ${list(needs.map(plain), needsMax)}` : '';
  return [...(note === undefined ? [] : [note]), ...(after === '' ? [] : [after])].join('; ');
}

const needsMax = 6;

/** Of very many tasks only those that need attention now. */
function tellingLines({ stages }: GraphAnswer, style: Style): string[] {
  const tasks = stages.flatMap((stage) => stage.tasks);
  const isHeld = ({ state, inDoubt }: TaskView) =>
    !inDoubt && (state === 'in_progress' || state === 'claimed');
  return [
    ...someLines(
      'in doubt',
      tasks.filter(({ inDoubt }) => inDoubt),
      style,
    ),
    ...someLines('waiting for a person', tasks.filter(isAsking), style),
    ...someLines('being worked on', tasks.filter(isHeld), style),
    ...someLines(
      'failed',
      tasks.filter(({ state, inDoubt }) => state === 'failed' && !inDoubt),
      style,
    ),
    ...someLines(
      'blocked',
      tasks.filter(({ state, inDoubt }) => state === 'blocked' && !inDoubt),
      style,
    ),
    ...someLines(
      'can be started now',
      tasks.filter(({ runnable, inDoubt, state }) => runnable && !inDoubt && state !== 'failed'),
      style,
    ),
  ];
}

function someLines(title: string, tasks: readonly TaskView[], style: Style): string[] {
  if (tasks.length === 0) return [];
  const shown = tasks.slice(0, rowsMax).map((task) => ({ task, layer: '' }));
  const rest = tasks.length - shown.length;
  return [
    '',
    `${style.paint.bold(title)}: ${tasks.length}`,
    ...rowLines(shown, style),
    ...(rest > 0 ? [`  ${style.symbols.more} and ${count(rest, 'more task')} (--json lists all)`] : []),
  ];
}
