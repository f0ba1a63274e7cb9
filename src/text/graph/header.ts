import type { GraphAnswer, TaskState } from '../../engine/observe/task-answers.ts';
import { identityOf } from '../phrases/heading.ts';
import { runStatusWords } from '../phrases/statuses.ts';
import { html, type Markup, nothing } from '../style/markup.ts';
import { count, time } from '../style/words.ts';
import { icon } from './icons.ts';
import { fitting, shown, textWidth } from './measure.ts';
import { taskStateOrder, taskStateWords } from './task-words.ts';

/** Words keep their size against the whole: in a picture that is made small to be seen at once they grow with it. */
export function headScale(width: number): number {
  return Math.min(4, Math.max(1, width / 1800));
}

/** Of the part above the bands. */
export function headHeight(answer: GraphAnswer, width: number, leftOut: number): number {
  const scale = headScale(width);
  return Math.ceil((legendTop + legendRows(answer, width / scale, leftOut).length * legendLine + 14) * scale);
}

/** Which run it is, how far it is, and what the marks mean. */
export function headSvg(
  answer: GraphAnswer,
  left: number,
  top: number,
  width: number,
  leftOut: number,
): Markup {
  const scale = headScale(width);
  const room = width / scale;
  const { heading, tasks } = answer;
  const done = `${tasks.done} of ${tasks.total} done`;
  const nameRoom = room - textWidth(done, 18) - 40;
  const values = identityOf(heading);
  const name = fitting(shown(`${heading.pipeline}${values === '' ? '' : ` · ${values}`}`), nameRoom, 25);
  const facts = fitting(
    shown(`${heading.run} · ${runStatusWords(heading.status)} · last change ${time(heading.updatedAt)}`),
    room,
    13,
    'mono',
  );
  return html`<g transform="translate(${left} ${top}) scale(${Math.round(scale * 1000) / 1000})">
<text class="name" y="24">${name}</text><text class="stage end" x="${Math.floor(room)}" y="24">${done}</text>
<text class="quiet mono small" y="48">${facts}</text>
${barSvg(answer, room)}${legendSvg(answer, room, leftOut)}</g>
`;
}

const barTop = 64;
const barHeight = 8;
const legendTop = 84;
const legendLine = 24;

/** How far the run is, as one bar; the legend below says the same in numbers. */
function barSvg({ tasks }: GraphAnswer, room: number): Markup {
  const states = taskStateOrder.filter((state) => tasks[state] > 0);
  let counted = 0;
  const parts = states.map((state) => {
    const left = tenths((counted / tasks.total) * room);
    counted += tasks[state];
    const gap = state === states.at(-1) ? 0 : 2;
    const width = Math.max(1, tenths((counted / tasks.total) * room - left - gap));
    return html`<g class="${state}"><rect class="ink" x="${left}" y="${barTop}" width="${width}" height="${barHeight}"/></g>`;
  });
  return html`<clipPath id="pawl-bar"><rect y="${barTop}" width="${Math.floor(room)}" height="${barHeight}" rx="4"/></clipPath><g clip-path="url(#pawl-bar)">${parts}</g>
`;
}

function tenths(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

interface LegendItem {
  readonly mark: TaskState | 'doubt' | 'startable' | undefined;
  readonly words: string;
}

function legendItems({ tasks, findings }: GraphAnswer, leftOut: number): LegendItem[] {
  const loud = findings.filter(({ weight }) => weight === 'loud').length;
  return [
    ...taskStateOrder
      .filter((state) => tasks[state] > 0)
      .map((state) => ({ mark: state, words: `${tasks[state]} ${taskStateWords(state)}` })),
    ...(tasks.runnable > 0
      ? [{ mark: 'startable' as const, words: `${tasks.runnable} can be started now` }]
      : []),
    ...(tasks.inDoubt > 0 ? [{ mark: 'doubt' as const, words: `${tasks.inDoubt} in doubt` }] : []),
    ...(leftOut > 0 ? [{ mark: undefined, words: `${count(leftOut, 'more task')} not drawn` }] : []),
    ...(loud > 0 ? [{ mark: undefined, words: `the journal is damaged: ${count(loud, 'finding')}` }] : []),
  ];
}

function legendRows(answer: GraphAnswer, room: number, leftOut: number): { x: number; item: LegendItem }[][] {
  const rows: { x: number; item: LegendItem }[][] = [[]];
  let x = 0;
  for (const item of legendItems(answer, leftOut)) {
    const width = 18 + textWidth(item.words, 13) + 20;
    if (x > 0 && x + width > room) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ x: Math.round(x), item });
    x += width;
  }
  return rows;
}

function legendSvg(answer: GraphAnswer, room: number, leftOut: number): Markup {
  const items = legendRows(answer, room, leftOut).flatMap((row, at) =>
    row.map(({ x, item: { mark, words } }) => {
      const y = legendTop + at * legendLine;
      const drawn = mark === undefined ? nothing : icon(mark, x, y);
      return html`<g class="${mark ?? 'doubt'}">${drawn}<text x="${x + 18}" y="${y + 10.5}">${words}</text></g>`;
    }),
  );
  return html`${items}`;
}
