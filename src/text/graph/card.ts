import type { TaskView } from '../../engine/observe/task-answers.ts';
import { html, type Markup, nothing, trusted } from '../style/markup.ts';
import { plain } from '../style/plain.ts';
import { count, time } from '../style/words.ts';
import type { Box } from './block.ts';
import { icon } from './icons.ts';
import { fitting, shown, textWidth } from './measure.ts';
import { cardPad, cardWidth, chipPx, type Sizes, titleLinePx, titleLinesOf } from './sizes.ts';
import { noteOf, taskStateWords } from './task-words.ts';

/** A task as a box of the picture. */
export function boxSvg({ task, left, top }: Box, sizes: Sizes): Markup {
  const runnable = task.runnable ? ' runnable' : '';
  const drawn = sizes.kind === 'cards' ? cardSvg(task, sizes) : chipSvg(task, sizes);
  return html`<g class="${sizes.kind === 'cards' ? 'card' : 'chip'} ${task.state}${runnable}" transform="translate(${left} ${top})"><title>${tooltip(task)}</title>${drawn}</g>
`;
}

/** What a card's words are cut off at: no font may write over its border. */
export const clipSvg: Markup = html`<clipPath id="pawl-inside"><rect width="${cardWidth - 6}" height="200"/></clipPath>`;

function cardSvg(task: TaskView, { boxWidth, boxHeight }: Sizes): Markup {
  const words = taskStateWords(task.state);
  const pillWidth = Math.ceil(textWidth(words, 12.3)) + 32;
  const pillLeft = boxWidth - pillWidth - 8;
  const id = fitting(shown(task.unit), pillLeft - cardPad - 8, 13, 'mono');
  const lines = titleLinesOf(task.title).map(
    (line, at) => html`<text class="title" x="${cardPad}" y="${43 + at * titleLinePx}">${line}</text>`,
  );
  return html`<rect class="box" width="${boxWidth}" height="${boxHeight}" rx="9"/><rect class="ink" x="6" y="10" width="3" height="${boxHeight - 20}" rx="1.5"/><g clip-path="url(#pawl-inside)"><text class="mono strong" x="${cardPad}" y="24">${id}</text>${lines}${noteSvg(task, boxWidth, boxHeight)}</g><rect class="back" x="${pillLeft}" y="9" width="${pillWidth}" height="20" rx="10"/>${icon(task.state, pillLeft + 8, 13)}<text class="ink strong small" x="${pillLeft + 24}" y="23">${words}</text>${doubtSvg(task, boxWidth)}`;
}

function noteSvg(task: TaskView, boxWidth: number, boxHeight: number): Markup {
  const note = noteOf(task);
  if (note === undefined) return nothing;
  const text = fitting(shown(note), boxWidth - 2 * cardPad, 11.5);
  const tone = task.inDoubt ? 'ink' : task.reason === undefined ? 'quiet' : 'ink';
  const line = html`<text class="${tone} small" x="${cardPad}" y="${boxHeight - 12}">${text}</text>`;
  return task.inDoubt ? html`<g class="doubt">${line}</g>` : line;
}

/** On the corner, over the border: it must not be overlooked. */
function doubtSvg({ inDoubt }: TaskView, boxWidth: number): Markup {
  if (!inDoubt) return nothing;
  return html`<g class="doubt"><circle class="back" cx="${boxWidth}" cy="0" r="10" stroke="currentColor" stroke-width="1.5"/>${icon('doubt', boxWidth - 6, -6)}</g>`;
}

/** The mark stands on the full colour: it is all that can be seen of a picture that is made small. */
function chipSvg(task: TaskView, { boxWidth, boxHeight }: Sizes): Markup {
  const id = fitting(shown(task.unit), boxWidth - 29, chipPx, 'mono');
  const mark = icon(task.inDoubt ? 'doubt' : task.state, 4, 5);
  const cap = html`<path class="ink" d="M20 0H5A5 5 0 0 0 0 5V${boxHeight - 5}A5 5 0 0 0 5 ${boxHeight}H20z"/>`;
  return html`<rect class="box back" width="${boxWidth}" height="${boxHeight}" rx="5"/><g${task.inDoubt ? html` class="doubt"` : nothing}>${cap}<g class="on-ink">${mark}</g></g><text class="mono" x="24" y="15">${id}</text>`;
}

/** All details, as the tooltip of the card. */
function tooltip(task: TaskView): Markup {
  const { claim } = task;
  const note = noteOf(task);
  const lines = [
    task.title === undefined ? task.unit : `${task.unit} ${task.title}`,
    `${taskStateWords(task.state)}${task.runnable ? ', can be started now' : ''}`,
    ...(note === undefined ? [] : [note]),
    ...(claim?.live ? [`until ${time(claim.until)}`] : []),
    ...(task.doneAt === undefined ? [] : [`done ${time(task.doneAt)}`]),
    ...(task.attempts > 1 ? [count(task.attempts, 'attempt')] : []),
  ];
  return trusted(lines.map((line) => html`${shown(plain(line))}`.markup).join('\n'));
}
