import { byCodeUnit } from '../../base/json.ts';
import type { GraphAnswer, TaskView } from '../../engine/observe/task-answers.ts';
import { clip } from '../style/plain.ts';
import { plainStyle } from '../style/style.ts';
import { drawnStages } from './drawn.ts';
import { linksOf } from './links.ts';
import { shown } from './measure.ts';
import { lightPalette } from './palette.ts';
import { noteOf, taskCounts, taskMark, taskStateWords } from './task-words.ts';

/** The first line of every chart, so that Pawl recognizes its own charts. */
export const mermaidMark = '%% Pawl graph';

/** A flowchart for mermaid: a subgraph for each stage, a node for each task, a line for each need. */
export function graphMermaid(answer: GraphAnswer): string {
  const { stages, leftOut } = drawnStages(answer);
  const { heading } = answer;
  const tasks: Node[] = [];
  const parts = stages.map((stage, at) => {
    const nodes = stage.tasks.map((task, nth): Node => ({ task, id: `t${tasks.length + nth + 1}` }));
    tasks.push(...nodes);
    return { name: `s${at + 1}`, stage, nodes, lines: needLines(stage.tasks, nodes) };
  });
  const barriers = parts.slice(1).map(({ name }, at) => `  ${parts[at]?.name} ==> ${name}`);
  const edges = [...parts.flatMap(({ lines }) => lines), ...barriers];
  return [
    mermaidMark,
    ...(leftOut > 0 ? [`%% ${leftOut} more tasks are not in it.`] : []),
    ...(edges.length >= edgesUsual
      ? [`%% ${edges.length} lines: viewers draw so many only with a higher maxEdges. SVG has no such limit.`]
      : []),
    'flowchart TD',
    `  accTitle: ${word(`${heading.pipeline}, run ${heading.run}`)}`,
    `  accDescr: ${word(taskCounts(answer.tasks, plainStyle).join(', '))}`,
    ...classLines(tasks),
    ...parts.flatMap(({ name, stage, nodes }) => [
      `  subgraph ${name}["${label(stage.name)}"]`,
      '    direction TB',
      ...(nodes.length === 0
        ? [`    ${name}e["${stage.isOpen ? 'not listed yet' : 'no tasks'}"]:::note`]
        : []),
      ...nodes.map(nodeLine),
      '  end',
    ]),
    ...edges,
  ].join('\n');
}

interface Node {
  readonly task: TaskView;
  /** Not its own: that may mean something to mermaid. */
  readonly id: string;
}

/** Mermaid refuses to draw more lines than this, unless its host allows more. */
const edgesUsual = 500;

function nodeLine({ task, id }: Node): string {
  const note = noteOf(task);
  const lines = [
    task.unit,
    ...(task.title === undefined ? [] : [clip(shown(task.title), titleLengthMax, '…')]),
    `${taskMark(task, plainStyle)} ${taskStateWords(task.state)}`,
    ...(note === undefined ? [] : [clip(shown(note), titleLengthMax, '…')]),
  ];
  return `    ${id}["${lines.map(label).join('<br/>')}"]:::${classOf(task)}`;
}

const titleLengthMax = 60;

/** Dotted while it is waited for. */
function needLines(tasks: readonly TaskView[], nodes: readonly Node[]): string[] {
  const { needs } = linksOf(tasks);
  return nodes.flatMap(({ id }, at) =>
    (needs[at] ?? []).map((need) => {
      const isMet = tasks[need]?.state === 'done';
      return `  ${nodes[need]?.id} ${isMet ? '-->' : '-.->'} ${id}`;
    }),
  );
}

function classOf({ state, runnable }: TaskView): string {
  return runnable ? `${state}Runnable` : state;
}

/** Whole colours, so that nodes can be read on a light page and on a dark one. */
function classLines(nodes: readonly Node[]): string[] {
  const { states, text, quiet, sheet } = lightPalette;
  const used = new Map(nodes.map(({ task }) => [classOf(task), task]));
  const lines = [...used].map(([name, { state, runnable }]) => {
    const { ink, back } = states[state];
    const colours = `fill:${back},stroke:${ink},color:${state === 'pending' ? quiet : text}`;
    return `  classDef ${name} ${colours}${runnable ? ',stroke-width:3px' : ''}`;
  });
  return [
    ...lines.sort(byCodeUnit),
    `  classDef note fill:${sheet},stroke:${quiet},color:${quiet},stroke-dasharray:4 4`,
  ];
}

/**
 * Text between quotes. Punctuation is written as numbers: quotes and brackets would end the node, mermaid takes `1.`, `-`,
 * `_`, backquotes and addresses for markdown, `#…;` for a character, and `°` and `¶` for its own notes about such.
 */
function label(text: string): string {
  const escaped = shown(text).replaceAll(special, (character) => `#${character.codePointAt(0)};`);
  return escaped === '' ? '#160;' : escaped;
}

/** `-` and `_` within a word mean nothing. */
const special = /[!-+./:-@[-^`{-~°¶]|(?<![\p{L}\p{N}])[-_]|[-_](?![\p{L}\p{N}])/gu;

/** Text where mermaid knows no numbers for characters: what may mean something is left out. */
function word(text: string): string {
  return shown(text)
    .replaceAll(/[^\p{L}\p{N}\p{M} ,._-]/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}
