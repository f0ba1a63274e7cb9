import type { InspectedAttempt, InspectedUnit } from '../../engine/observe/inspected.ts';
import type { PageTry, PageUnit } from '../../engine/show/page/page.ts';
import { failureSentence } from '../catalogue/attempt-failures.ts';
import { tellingReason } from '../catalogue/run-reasons.ts';
import { isBest } from '../phrases/gates.ts';
import { outcomeWords } from '../phrases/outcome.ts';
import { costWords, scoreWords } from '../style/figures.ts';
import { html, lines, type Markup, nothing } from '../style/markup.ts';
import { clip, plainLines } from '../style/plain.ts';
import { plainStyle } from '../style/style.ts';
import { count, duration } from '../style/words.ts';
import { pictureHtml } from './picture.ts';
import { tryTone } from './tone.ts';

/** Every attempt's picture in a row, each with its number and its score. */
export function stripHtml({ unit, tries }: PageUnit): Markup {
  const pictured = tries.flatMap((tried, at) => (tried.pictures.length === 0 ? [] : [{ tried, at }]));
  if (pictured.length < 2) return nothing;
  const items = pictured.map(({ tried, at }) => {
    const { attempt, judged } = tried;
    const words = [`attempt ${at + 1}`, judgement(attempt, judged)].filter((word) => word !== '').join(', ');
    const pictures = tried.pictures.map((picture) =>
      pictureHtml(picture, `${unit.unit}, ${words}`, thumbnailSide),
    );
    const score = judged?.score === undefined ? nothing : html`<b>${scoreWords(judged.score)}</b>`;
    return html`<li class="${tryTone(attempt, judged)}" title="${words}"><span class="thumb">${pictures}</span><span class="caption">${at + 1}${score}</span></li>`;
  });
  return html`<ol class="strip">${items}</ol>`;
}

const thumbnailSide = 64;

/** What was found of each attempt. Open where something came to nothing. */
export function triesHtml({ unit, tries }: PageUnit): Markup {
  if (tries.length === 0 || !tries.some(isWorthTelling)) return nothing;
  const sentBack = tries.filter(({ judged }) => judged?.passed === false).length;
  const failed = tries.filter(({ attempt }) => attempt.outcome === 'failed').length;
  const open = unit.status === 'failed' ? html` open` : nothing;
  const title = titleOf(tries.length, unit.attemptsMost, sentBack + failed);
  const bad = [
    ...(sentBack > 0 && tries.length > 1 ? [`${sentBack} sent back`] : []),
    ...(failed > 0 && tries.length > 1 ? [`${failed} failed`] : []),
  ].join(', ');
  const items = tries.map((tried, at) => tryHtml(unit, tried, at + 1));
  return html`<details class="tries"${open}><summary>${title}${bad === '' ? nothing : html`<span class="quiet">${bad}</span>`}</summary><ol>${items}</ol></details>`;
}

function titleOf(told: number, attempts: number, bad: number): string {
  if (told === 1) return bad > 0 ? 'What was found' : 'Scores';
  return told === attempts ? count(told, 'attempt') : 'What happened';
}

function isWorthTelling({ attempt, judged }: PageTry): boolean {
  const { scores = {}, defects = [], passed } = judged ?? {};
  return (
    attempt.outcome !== 'succeeded' ||
    tellingReason(attempt.why, plainStyle) !== undefined ||
    passed === false ||
    defects.length > 0 ||
    Object.keys(scores).length > 0
  );
}

function tryHtml(unit: InspectedUnit, { attempt, judged }: PageTry, number: number): Markup {
  const tone = tryTone(attempt, judged);
  const score =
    judged?.score === undefined ? nothing : html`<b class="score">${scoreWords(judged.score)}</b>`;
  const facts = [
    `${attempt.phase} #${attempt.attempt}`,
    ...(attempt.iteration > 1 ? [`round ${attempt.iteration}`] : []),
    ...(attempt.ms === undefined ? [] : [duration(attempt.ms)]),
    costWords(attempt.cost),
    judged !== undefined && isBest(unit, judged) ? 'best round' : '',
    tellingReason(attempt.why, plainStyle) ?? '',
  ].filter((fact) => fact !== '');
  return html`<li class="${tone}"><p class="line"><span class="number">${number}</span><span class="verdict">${judgement(attempt, judged)}</span>${score}</p>
<p class="quiet facts">${facts.join(' · ')}</p>${reasonsHtml(attempt, judged)}${scoresHtml(judged?.scores ?? {})}</li>`;
}

/** The verdict where there is one, and what came of the attempt where there is none. */
function judgement(attempt: InspectedAttempt, judged: InspectedAttempt | undefined): string {
  if (attempt.outcome !== 'succeeded' || attempt.superseded !== undefined) return outcomeWords(attempt);
  if (judged?.verdict === undefined) return outcomeWords(attempt);
  return judged.decision === undefined ? judged.verdict : `${judged.verdict}, ${judged.decision.is} by hand`;
}

function reasonsHtml(attempt: InspectedAttempt, judged: InspectedAttempt | undefined): Markup {
  const { failure, message } = attempt;
  const reasons = [
    ...(failure === undefined ? [] : [failureSentence(failure, attempt.facts)]),
    ...(judged?.defects ?? []),
    ...(judged?.decision === undefined || judged.decision.note === '' ? [] : [judged.decision.note]),
  ].map((reason) => html`<li>${reason}</li>`);
  const list = reasons.length === 0 ? nothing : html`<ul class="reasons">${reasons}</ul>`;
  const said = plainLines(message ?? '').slice(-messageLinesMax);
  if (said.length === 0) return list;
  return html`${list}<pre>${lines(said.map((line) => clip(line, messageWidthMax, '…')))}</pre>`;
}

const messageLinesMax = 6;
const messageWidthMax = 400;

/** A bar for each score, where all of them are shares of one. */
function scoresHtml(scores: Readonly<Record<string, number>>): Markup {
  const entries = Object.entries(scores);
  if (entries.length === 0) return nothing;
  const isShare = entries.every(([, score]) => score >= 0 && score <= 1);
  const rows = entries.map(([name, score]) => {
    const bar = isShare ? barHtml(score) : nothing;
    return html`<div><dt>${name}</dt><dd>${bar}<span>${scoreWords(score)}</span></dd></div>`;
  });
  return html`<dl class="scores">${rows}</dl>`;
}

function barHtml(share: number): Markup {
  const width = Math.round(share * 100);
  return html`<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="4"/><rect class="bar" width="${width}" height="4"/></svg>`;
}
