import type { ReportPage } from '../../engine/show/page/page.ts';
import { findingLines } from '../catalogue/findings.ts';
import { noticeLines } from '../catalogue/notices.ts';
import { refusalLines } from '../catalogue/refusals.ts';
import { runStatusWords, unitStatusWords } from '../phrases/statuses.ts';
import { costParts, scoreWords } from '../style/figures.ts';
import { html, lines, type Markup, nothing } from '../style/markup.ts';
import { plainStyle } from '../style/style.ts';
import { count, duration, time } from '../style/words.ts';
import { runTone, unitTone } from './tone.ts';

/** Which run it is, where it stands, and what it took. */
export function overviewHtml(page: ReportPage, idOf: (unit: string) => string): Markup {
  const { heading } = page;
  const identity = Object.entries(heading.identity)
    .filter(([name, value]) => name !== 'pipeline' || value !== heading.pipeline)
    .map(([name, value]) => html`<span class="tag"><i>${name}</i> ${value}</span>`);
  return html`<header class="top">
<h1>${heading.pipeline}${identity}</h1>
<p class="state">${badgeHtml(page)}<code>${heading.run}</code><span>begun ${time(heading.createdAt)}</span><span>last change ${time(heading.updatedAt)}</span></p>
${figuresHtml(page)}${mapHtml(page, idOf)}${troubleHtml(page)}${originHtml(page)}</header>
`;
}

function figuresHtml(page: ReportPage): Markup {
  const { totals, doneKey } = page;
  const figure = (name: string, value: string | number, more = '') =>
    html`<div><dt>${name}</dt><dd>${value}${more === '' ? nothing : html` <small>${more}</small>`}</dd></div>`;
  const isWhole = totals.unitsFinished === totals.units;
  const bad = [
    ...(totals.sentBack > 0 ? [`${totals.sentBack} sent back`] : []),
    ...(totals.failed > 0 ? [`${totals.failed} failed`] : []),
  ];
  const [spent = '', ...rest] = costParts(totals.cost);
  return html`<dl class="totals">${[
    figure('units', isWhole ? totals.units : `${totals.unitsFinished} of ${totals.units}`, doneKey),
    figure('failed', failedUnits(page)),
    figure('attempts', totals.attempts, bad.join(', ')),
    figure('work', duration(totals.ms)),
    ...(spent === '' ? [] : [figure('cost', spent, rest.join(', '))]),
  ]}</dl>
`;
}

function failedUnits({ stages }: ReportPage): number {
  return stages.flatMap(({ units }) => units).filter(({ unit }) => unit.status === 'failed').length;
}

/** A run may be complete although some of its units failed, where its manifest allows that. */
function badgeHtml(page: ReportPage): Markup {
  const { status } = page.heading;
  const failures = status === 'completed' ? failedUnits(page) : 0;
  if (failures === 0) return html`<span class="badge ${runTone(status)}">${runStatusWords(status)}</span>`;
  return html`<span class="badge warn">completed with ${count(failures, 'failure')}</span>`;
}

/** A square for each unit: where one looks first among many. */
function mapHtml({ stages, doneKey }: ReportPage, idOf: (unit: string) => string): Markup {
  const units = stages.filter(({ isResult }) => !isResult).flatMap((stage) => stage.units);
  if (units.length < 2) return nothing;
  const squares = units.map(({ unit }) => {
    const score = unit.score === undefined ? '' : `, ${scoreWords(unit.score)}`;
    const words = `${unit.unit}: ${unitStatusWords(unit.status, doneKey)}${score}`;
    return html`<li><a class="${unitTone(unit.status)}" href="#${idOf(unit.unit)}" title="${words}" aria-label="${words}"></a></li>`;
  });
  return html`<nav aria-label="Units"><ol class="map">${squares}</ol></nav>
`;
}

/** What is not as it should be, in the words of the command line. */
function troubleHtml({ findings, refusals, notices, unitsLeftOut, pictures }: ReportPage): Markup {
  const told = [
    ...findingLines(findings, plainStyle, findingsMax),
    ...refusalLines(refusals, plainStyle),
    ...noticeLines(notices, plainStyle),
    ...(unitsLeftOut > 0 ? [`! ${count(unitsLeftOut, 'unit')} left out: there are too many for a page`] : []),
    ...(pictures.leftOut > 0
      ? [`! ${count(pictures.leftOut, 'picture')} left out: too large for a page, or not to be had any more`]
      : []),
  ];
  return told.length === 0
    ? nothing
    : html`<pre class="trouble">${lines(told)}</pre>
`;
}

const findingsMax = 20;

function originHtml({ manifests, folder, resumes }: ReportPage): Markup {
  const items = manifests.map(
    ({ hash, at }) => html`<li><code>${hash}</code> <span class="quiet">since ${time(at)}</span></li>`,
  );
  const changes =
    manifests.length > 1
      ? html`<span class="quiet">changed ${count(manifests.length - 1, 'time')}</span>`
      : nothing;
  const taken = resumes === 0 ? nothing : html`<dt>taken up again</dt><dd>${count(resumes, 'time')}</dd>`;
  return html`<details class="origin"><summary>Manifest and folder${changes}</summary>
<dl><dt>manifest</dt><dd><ol>${items}</ol></dd><dt>folder</dt><dd><code>${folder}</code></dd>${taken}</dl></details>
`;
}
