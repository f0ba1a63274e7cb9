import type { PageStage, PageUnit, ReportPage } from '../../engine/show/page/page.ts';
import { html, type Markup, nothing, trusted } from '../style/markup.ts';
import { identity, time } from '../style/words.ts';
import { cardHtml } from './card.ts';
import { overviewHtml } from './overview.ts';
import { contentPolicy } from './policy.ts';
import { pageScript } from './script.ts';
import { pageStyle } from './style.ts';

/** Stands near the beginning of every page, so that Pawl recognizes its own pages. */
export const pageMark = '<meta name="generator" content="Pawl report">';

// By itself: in a tagged template a bundler takes the end of the element for a danger.
const scriptElement = `<script>${pageScript}</script>`;

/** One page that needs nothing from elsewhere: no request leaves it, and no text of a run is markup in it. */
export function reportHtml(page: ReportPage): string {
  const ids = new Map<string, string>();
  for (const { units } of page.stages) for (const { unit } of units) ids.set(unit.unit, `u${ids.size + 1}`);
  const idOf = (unit: string) => ids.get(unit) ?? '';
  const { heading } = page;
  const title = `${heading.pipeline} ${identity(heading.identity)}`;
  const results = page.stages.filter(({ isResult }) => isResult);
  const stages = page.stages.filter(({ isResult }) => !isResult);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${trusted(pageMark)}
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(pageStyle, pageScript)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
${overviewHtml(page, idOf)}<main>
${resultsHtml(results, stages, page, idOf)}${filtersHtml(stages)}${stages.map((stage) => stageHtml(stage, page, idOf))}</main>
<footer>Made from the journal at ${time(page.madeAt)} by Pawl. This page asks nothing of any network.</footer>
${trusted(scriptElement)}
</body>
</html>
`.markup;
}

/** What the run was for comes first: the outputs of its last stage, and its counted pictures in motion. */
function resultsHtml(
  results: readonly PageStage[],
  stages: readonly PageStage[],
  page: ReportPage,
  idOf: (unit: string) => string,
): Markup {
  const moving = stages.findIndex(isAnimation);
  if (results.length === 0 && moving === -1) return nothing;
  const cards = results.flatMap(({ units }) =>
    units.map((unit) =>
      cardHtml(unit, { id: idOf(unit.unit.unit), doneKey: page.doneKey, isPictured: false, isResult: true }),
    ),
  );
  const player = moving === -1 ? nothing : playerHtml(`s${moving + 1}`);
  return html`<section class="results" aria-label="Results">${cards}${player}</section>
`;
}

/** Finished units that are counted, with pictures of one size, are the frames of something that moves. */
function isAnimation({ units }: PageStage): boolean {
  if (units.some(({ unit }) => unit.index === undefined)) return false;
  const finished = units.filter(({ unit, final }) => isFinished(unit.status) && final.length > 0);
  const sizes = new Set(finished.map(({ final }) => sizeOf(final)));
  return finished.length >= framesMin && sizes.size === 1 && !sizes.has(undefined);
}

function isFinished(status: PageUnit['unit']['status']): boolean {
  return status === 'succeeded' || status === 'outdated';
}

const framesMin = 3;

function sizeOf([picture]: PageUnit['final']): string | undefined {
  if (picture?.content.kind !== 'embedded') return undefined;
  return `${picture.content.width}x${picture.content.height}`;
}

/** Empty and hidden until the script fills it. */
function playerHtml(stage: string): Markup {
  return html`<figure class="player" data-frames="${stage}" hidden><div class="shot"><img class="pixels" alt="all pictures in turn"></div><figcaption><button type="button" aria-pressed="false">Play</button><label>speed <input type="range" min="1" max="24" value="9"></label><output></output></figcaption></figure>`;
}

function filtersHtml(stages: readonly PageStage[]): Markup {
  const units = stages.flatMap((stage) => stage.units);
  const retried = units.filter(({ unit }) => unit.attemptsMost > 1).length;
  const failed = units.filter(({ unit }) => unit.status === 'failed' || unit.status === 'blocked').length;
  if (units.length < 2 || retried + failed === 0) return nothing;
  const button = (show: string, name: string, count: number) => {
    const disabled = count === 0 ? html` disabled` : nothing;
    const isOn = show === 'all' ? 'true' : 'false';
    return html`<button type="button" data-show="${show}" aria-pressed="${isOn}"${disabled}>${name} <b>${count}</b></button>`;
  };
  return html`<div class="filters" role="group" aria-label="Which units are shown" hidden>${button('all', 'All', units.length)}${button('retried', 'With retries', retried)}${button('bad', 'Failed', failed)}</div>
`;
}

function stageHtml(stage: PageStage, page: ReportPage, idOf: (unit: string) => string): Markup {
  const stages = page.stages.filter(({ isResult }) => !isResult);
  const isPictured = stage.units.some(({ final }) => final.length > 0);
  const cards = stage.units.map((unit) =>
    cardHtml(unit, { id: idOf(unit.unit.unit), doneKey: page.doneKey, isPictured, isResult: false }),
  );
  const title = stage.name ?? 'No longer in the pipeline';
  const head =
    page.stages.length > 1 ? html`<h2>${title} <small>${stage.units.length}</small></h2>` : nothing;
  return html`<section id="s${stages.indexOf(stage) + 1}" aria-label="${title}">${head}
<div class="grid${isPictured ? '' : ' wide'}">
${cards}</div></section>
`;
}
