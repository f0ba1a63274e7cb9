import { unreachable } from '../base/result.ts';
import type { Part, WhyAnswer, WhyManyAnswer } from '../engine/show/why.ts';
import { failureSentence, failureStep } from './catalogue/attempt-failures.ts';
import { refusalLines } from './catalogue/refusals.ts';
import { reasonWords, skipWords } from './catalogue/run-reasons.ts';
import { stopWords } from './catalogue/stop-reasons.ts';
import { pathOf } from './phrases/heading.ts';
import { hint } from './phrases/hints.ts';
import { outdatedWords } from './phrases/outdated.ts';
import { stepMark, stepStatusWords } from './phrases/statuses.ts';
import { plain, plainLines } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { table } from './style/table.ts';
import { count, hashChange, list, short, stepLabel, time } from './style/words.ts';
import { storyLines } from './why-story.ts';

/** What `run` would do with one cell, why, and every part that its result was made from. */
export function whyText(answer: WhyAnswer | WhyManyAnswer, style: Style): string {
  if ('steps' in answer) return whyManyText(answer, style);
  return [
    ...whyLines(answer, style),
    ...storyLines(answer, style),
    ...section(
      'made from',
      answer.parts.map((part) => partRow(part, style)),
    ),
    ...section(
      'outputs',
      answer.outputs.map((output) => outputRow(output, style)),
    ),
    ...section(
      `files${answer.actor === undefined ? '' : `, by ${plain(answer.actor)}`}`,
      (answer.files ?? []).map(({ path, hash }) => [plain(path), short(hash)]),
    ),
  ].join('\n');
}

/** Without the parts of its result. */
function whyLines(answer: WhyAnswer, style: Style): string[] {
  const { paint, symbols } = style;
  const round = answer.iteration > 1 ? `, round ${answer.iteration}` : '';
  const name = stepLabel(answer.unit, answer.phase);
  const status = `${stepStatusWords(answer.status)}, ${count(answer.attempts, 'attempt')}${round}`;
  return [
    `${stepMark(answer.status, style)} ${paint.bold(name)} ${status}`,
    `  ${paint.cyan(symbols.becomes)} ${verdictWords(answer, style)}`,
    ...(answer.inputOutdated
      ? [`  ${paint.yellow(symbols.outdated)} input outdated: it consumed a result that is outdated`]
      : []),
    ...refusals(answer, style),
    ...failureLines(answer, name, style),
  ];
}

/** Several steps, each without the parts of its result: those are for one step alone. */
function whyManyText({ heading, steps }: WhyManyAnswer, style: Style): string {
  const [first] = steps;
  if (first === undefined) return 'no step is selected';
  const shown = steps.slice(0, stepsShownMax);
  const rest = steps.length - shown.length;
  return [
    ...shown.flatMap((step) => whyLines(step, style)),
    ...(rest > 0 ? [`${style.symbols.more} and ${count(rest, 'more step')} (--json lists all)`] : []),
    `${count(steps.length, 'step')}; all parts of the first:`,
    `  ${hint('why', pathOf(heading, style), `${first.unit}/${first.phase}`)}`,
  ].join('\n');
}

const stepsShownMax = 50;

type Kept = Extract<WhyAnswer['verdict'], { do: 'reuse' }>;

function whyKept({ result: { kept }, outdated }: Kept, parts: readonly Part[]): string {
  if (outdated !== undefined) {
    const because = kept === undefined || kept.reason === '' ? '' : `; reason: ${plain(kept.reason)}`;
    return `${outdatedWords(outdated)}${because}`;
  }
  return parts.every(({ same }) => same)
    ? 'nothing that it was made from has changed'
    : 'what changed does not affect it';
}

function reusedWords({ reused }: Kept['result']): string {
  return reused === undefined ? '' : `, reused from ${plain(reused)}`;
}

function verdictWords({ verdict, parts }: WhyAnswer, style: Style): string {
  switch (verdict.do) {
    case 'reuse':
      return `run keeps the result of attempt ${verdict.result.attempt} (${time(verdict.result.at)}${reusedWords(verdict.result)}): ${whyKept(verdict, parts)}`;
    case 'restore':
      return `run puts ${list(verdict.outputs.map(plain))} of attempt ${verdict.result.attempt} back from the content store`;
    case 'run':
      return verdict.role === undefined
        ? `run starts an attempt: ${reasonWords(verdict.why, style)}`
        : `${plain(verdict.role)} may claim it: ${reasonWords(verdict.why, style)}`;
    case 'wait':
      return verdict.for.length === 0
        ? 'run decides when what comes before is done'
        : `run decides when ${list(verdict.for.map(plain))} ${verdict.for.length === 1 ? 'is' : 'are'} done`;
    case 'claimed':
      return `run leaves it to ${plain(verdict.actor)}, who has claimed it until ${time(verdict.until)}`;
    case 'skip':
      return `run skips it: ${skipWords(verdict.why)}`;
    case 'refuse':
      return 'run refuses and starts nothing';
    case 'stop':
      return `run leaves it: ${stopWords(verdict.why)}`;
    default:
      return unreachable(verdict);
  }
}

function refusals({ verdict, heading }: WhyAnswer, style: Style): string[] {
  if (verdict.do !== 'refuse') return [];
  return refusalLines(verdict.refusals, { ...style, path: pathOf(heading, style) }).map(
    (line) => `  ${line}`,
  );
}

function failureLines({ failure, heading }: WhyAnswer, name: string, style: Style): string[] {
  if (failure === undefined) return [];
  const { paint } = style;
  const step = failureStep(failure.reason, failure.facts);
  return [
    `  attempt ${failure.attempt} failed at ${time(failure.at)}: ${failureSentence(failure.reason, failure.facts)}`,
    ...plainLines(failure.message)
      .slice(-6)
      .map((line) => `    ${paint.dim('|')} ${line}`),
    ...(step === undefined ? [] : [`    to mend it: ${step}`]),
    `    log: ${hint('logs', pathOf(heading, style), name)}`,
  ];
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [`  ${title}`, ...table(rows).map((row) => `    ${row}`)];
}

function partRow({ name, path, recorded, now, same, pending }: Part, style: Style): string[] {
  const { paint, symbols } = style;
  if (now === undefined && pending !== undefined) {
    const words = `not known before ${list(pending.map(plain))} is done`;
    return [`${paint.yellow(symbols.asks)} ${plain(name)}`, path === undefined ? '' : plain(path), words];
  }
  const mark = same ? paint.green(symbols.same) : paint.red(symbols.differs);
  const hashes = same ? (now === undefined ? '' : short(now)) : hashChange(recorded, now, style);
  return [`${mark} ${plain(name)}`, path === undefined ? '' : plain(path), hashes];
}

type Output = WhyAnswer['outputs'][number];

function outputRow({ name, path, hash, state, writtenBy }: Output, style: Style): string[] {
  const { paint, symbols } = style;
  const mark = state === 'intact' ? paint.green(symbols.same) : paint.red(symbols.differs);
  const words = writtenBy === undefined ? stateWords(state) : `written by run ${plain(writtenBy)}`;
  return [`${mark} ${plain(name)}`, plain(path), short(hash), words];
}

function stateWords(state: Output['state']): string {
  switch (state) {
    case 'intact':
      return '';
    case 'missing':
      return 'missing';
    case 'unpromoted':
      return 'not at its path yet; run puts it there';
    case 'edited':
      return 'edited by hand';
    case 'damaged':
      return 'damaged';
    case 'older-round':
      return 'of an earlier round; kept in the content store';
    default:
      return unreachable(state);
  }
}
