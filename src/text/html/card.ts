import type { PagePicture, PageText, PageUnit } from '../../engine/show/page/page.ts';
import { gateWords } from '../phrases/gates.ts';
import { stepStatusWords, unitStatusWords } from '../phrases/statuses.ts';
import { scoreWords } from '../style/figures.ts';
import { html, lines, type Markup, nothing } from '../style/markup.ts';
import { plainLines } from '../style/plain.ts';
import { count } from '../style/words.ts';
import { pictureHtml } from './picture.ts';
import { unitTone } from './tone.ts';
import { stripHtml, triesHtml } from './tries.ts';

export interface CardOptions {
  /** Unique on the page. */
  readonly id: string;
  /** What people call a finished unit. */
  readonly doneKey: string;
  /** Others of its stage have pictures: one that has none leaves its place empty. */
  readonly isPictured: boolean;
  readonly isResult: boolean;
}

/** A unit: what it came to, where it stands, and how it got there. */
export function cardHtml(shown: PageUnit, options: CardOptions): Markup {
  const { unit } = shown;
  const tone = unitTone(unit.status);
  const status = unitStatusWords(unit.status, options.doneKey);
  const retried = unit.attemptsMost > 1 ? html` data-retried` : nothing;
  const kind = options.isResult ? 'result' : 'card';
  return html`<article class="${kind} ${tone}" id="${options.id}"${retried}>
${shotHtml(shown, options)}<div class="text"><header><h3>${unit.unit}</h3><span class="badge ${tone}">${status}</span></header>
${factsHtml(shown, status)}${gatesHtml(shown)}${shown.final.length === 0 ? phasesHtml(shown) : nothing}${excerptHtml(shown)}${stripHtml(shown)}${triesHtml(shown)}${textsHtml(shown)}</div></article>
`;
}

function shotHtml({ unit, final }: PageUnit, { isPictured, isResult }: CardOptions): Markup {
  const [first, ...others] = final;
  if (first === undefined) return isPictured ? html`<figure class="shot empty">no picture</figure>` : nothing;
  const alt = (picture: PagePicture) => `${unit.unit}, ${picture.output}`;
  const more = others.slice(0, othersMax).map((picture) => pictureHtml(picture, alt(picture), othersSide));
  const rest = more.length === 0 ? nothing : html`<span class="others">${more}</span>`;
  const side = isResult ? resultSide : shotSide;
  return html`<figure class="shot">${pictureHtml(first, alt(first), side, 'final')}${rest}</figure>`;
}

const shotSide = 256;
const resultSide = 1024;
const othersSide = 64;
const othersMax = 6;

function factsHtml({ unit }: PageUnit, status: string): Markup {
  const score = unit.score === undefined ? nothing : html`<b class="score">${scoreWords(unit.score)}</b>`;
  // A pipeline may well call a finished unit what its gate calls a good one.
  const isSaid = unit.verdict === undefined || unit.verdict === status;
  const verdict = isSaid ? nothing : html`<span>${unit.verdict}</span>`;
  const attempts =
    unit.attemptsMost === 0 ? nothing : html`<span>${count(unit.attemptsMost, 'attempt')}</span>`;
  if (unit.attemptsMost === 0) return nothing;
  return html`<p class="figures">${score}${verdict}${attempts}</p>`;
}

function gatesHtml({ unit }: PageUnit): Markup {
  const lines = unit.gates.flatMap((gate) => gateWords(gate) ?? []);
  return html`${lines.map((line) => html`<p class="quiet">${line}</p>`)}`;
}

function phasesHtml({ unit }: PageUnit): Markup {
  if (unit.cells.length < 2) return nothing;
  const items = unit.cells.map(({ phase, status }) => {
    const last = unit.attempts.findLast(
      (attempt) => attempt.phase === phase && attempt.superseded === undefined,
    );
    const verdict = last?.verdict === undefined ? nothing : html` <i>${last.verdict}</i>`;
    const round = last !== undefined && last.iteration > 1 ? html` <i>r${last.iteration}</i>` : nothing;
    return html`<li class="${unitTone(status)}" title="${stepStatusWords(status)}">${phase}${verdict}${round}</li>`;
  });
  return html`<ul class="phases">${items}</ul>`;
}

/** Of a unit that came to a text, its beginning. */
function excerptHtml({ texts, final }: PageUnit): Markup {
  const last = texts.filter(({ phase }) => phase === texts.at(-1)?.phase);
  const shown = last.find(({ text }) => !/^\s*[[{]/.test(text)) ?? last[0];
  if (shown === undefined || final.length > 0) return nothing;
  return html`<pre class="excerpt" title="${shown.path}">${lines(plainLines(shown.text).slice(0, excerptLines))}</pre>`;
}

const excerptLines = 12;

function textsHtml({ texts }: PageUnit): Markup {
  const items = texts.map(textHtml);
  if (texts.length <= textsApart) return html`${items}`;
  return html`<details class="outputs"><summary>${count(texts.length, 'output')}</summary><div>${items}</div></details>`;
}

const textsApart = 2;

function textHtml({ phase, output, path, text, isCut }: PageText): Markup {
  const end = isCut ? html`<p class="quiet">The whole is in ${path}.</p>` : nothing;
  return html`<details class="output"><summary>${output}<span class="quiet">${phase}</span></summary><pre>${lines(plainLines(text))}</pre>${end}</details>`;
}
