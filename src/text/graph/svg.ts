import type { GraphAnswer } from '../../engine/observe/task-answers.ts';
import { identityOf } from '../phrases/heading.ts';
import { html, type Markup, nothing, trusted } from '../style/markup.ts';
import { plainStyle } from '../style/style.ts';
import { count } from '../style/words.ts';
import { boxSvg, clipSvg } from './card.ts';
import { drawnStages } from './drawn.ts';
import { headHeight, headScale, headSvg } from './header.ts';
import { iconDefinitions } from './icons.ts';
import { type Band, type Frame, type GraphStage, layoutGraph } from './layout.ts';
import { fitting, shown, textWidth } from './measure.ts';
import { pictureStyle } from './palette.ts';
import { type Route, routesOf } from './route.ts';
import { boxKind, type Sizes, sizesFor } from './sizes.ts';
import { taskCounts } from './task-words.ts';

/** Stands near the beginning of every picture, so that Pawl recognizes its own pictures. */
export const svgMark = '<!-- Pawl graph -->';

/** One picture that needs nothing from elsewhere: no script, no request, and no text of a run is markup in it. */
export function graphSvg(answer: GraphAnswer): string {
  const { stages, leftOut } = drawnStages(answer);
  const kind = boxKind(stages.reduce((sum, { tasks }) => sum + tasks.length, 0));
  const sizes = new Map(stages.map((stage) => [stage, sizesFor(stage.tasks, kind)]));
  const sizesOf = (stage: GraphStage) => sizes.get(stage) ?? sizesFor([], kind);
  const { width, height, bands } = layoutGraph(stages, sizesOf, frameOf(answer, leftOut));
  const scale = headScale(width - 2 * margin);
  const { heading } = answer;
  const title = `${heading.pipeline} ${identityOf(heading)}`.trimEnd();
  return html`${trusted(svgMark)}
<svg xmlns="http://www.w3.org/2000/svg" class="${kind}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="pawl-title pawl-counts">
<title id="pawl-title">${shown(`${title}: tasks of run ${heading.run}`)}</title>
<desc id="pawl-counts">${shown(`${count(answer.tasks.total, 'task')}: ${taskCounts(answer.tasks, plainStyle).join(', ')}`)}</desc>
<style>${trusted(pictureStyle())}</style>
<defs>
${iconDefinitions()}
${clipSvg}
${tipSvg}
</defs>
<rect class="page" width="${width}" height="${height}"/>
${headSvg(answer, margin, margin, width - 2 * margin, leftOut)}${bands.map((band, at) => bandSvg(band, at, scale))}</svg>`
    .markup;
}

const margin = 32;

function frameOf(answer: GraphAnswer, leftOut: number): Frame {
  const inside = (width: number) => width - 2 * margin;
  return {
    margin,
    pad: 24,
    widthMin: 900,
    headHeight: (width) => headHeight(answer, inside(width), leftOut),
    titleHeight: (width) => Math.ceil(48 * headScale(inside(width))) + 4,
    bandGap: 30,
  };
}

const tipSvg = trusted(
  '<marker id="pawl-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0 .6 7.4 4 0 7.4 1.4 4z"/></marker>',
);

function bandSvg(band: Band, at: number, scale: number): Markup {
  const { left, top, width, height, boxes, ways, sizes } = band;
  const barrier = at === 0 ? nothing : barrierSvg(left + width / 2, top);
  return html`${barrier}<g>
<rect class="band${band.stage.isOpen ? ' open' : ''}" x="${left}" y="${top}" width="${width}" height="${height}" rx="14"/>
${titleSvg(band, scale)}${routesOf(ways, sizes).map((route) => waySvg(route, sizes))}${boxes.map((box) => boxSvg(box, sizes))}</g>
`;
}

/** Everything below waits for everything above. */
function barrierSvg(x: number, top: number): Markup {
  return html`<path class="barrier" d="M${x} ${top - 26}V${top - 8}m-6 -6l6 6l6 -6" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>
`;
}

function titleSvg({ stage, left, top, width }: Band, scale: number): Markup {
  const room = width / scale - 48;
  const done = stage.tasks.filter(({ state }) => state === 'done').length;
  const right = stage.isOpen
    ? 'its tasks are not listed yet'
    : stage.tasks.length === 0
      ? 'no tasks'
      : `${done} of ${stage.tasks.length} done`;
  const name = fitting(shown(stage.name), room / 2, 15);
  const nameWidth = textWidth(name, 15.6) + 14;
  const phases = fitting(shown(stage.phases.join(' → ')), room - nameWidth - textWidth(right, 13) - 20, 11.5);
  return html`<g transform="translate(${left} ${top}) scale(${Math.round(scale * 1000) / 1000})"><text x="24" y="31"><tspan class="stage">${name}</tspan><tspan class="quiet small" dx="12">${phases}</tspan></text><text class="quiet end" x="${Math.floor(width / scale) - 24}" y="31">${right}</text></g>
`;
}

function waySvg({ way, path }: Route, { kind }: Sizes): Markup {
  const met = way.from.task.state === 'done' ? ' met' : '';
  const tip = kind === 'cards' ? html` marker-end="url(#pawl-tip)"` : nothing;
  return html`<path class="way${met}" d="${path}"${tip}/>
`;
}
