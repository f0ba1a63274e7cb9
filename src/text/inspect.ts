import { unreachable } from '../base/result.ts';
import type { InspectedAttempt, InspectedUnit } from '../engine/observe/inspected.ts';
import type { InspectAnswer } from '../engine/show/inspect.ts';
import { failureSentence } from './catalogue/attempt-failures.ts';
import { findingLines } from './catalogue/findings.ts';
import { tellingReason } from './catalogue/run-reasons.ts';
import { gateWords, isBest } from './phrases/gates.ts';
import { headingLine } from './phrases/heading.ts';
import { hint } from './phrases/hints.ts';
import { outcomeWords } from './phrases/outcome.ts';
import { stepMark, unitStatusWords } from './phrases/statuses.ts';
import { costWords, scoresWords, scoreWords } from './style/figures.ts';
import { clip, plain, plainLines } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { table, visibleLength, wrapped } from './style/table.ts';
import { count, duration, time } from './style/words.ts';

/** Every unit of a run in a line, and every attempt at it with what was found. */
export function inspectText(answer: InspectAnswer, style: Style): string {
  const { units, isNarrowed } = answer;
  // Of many units only those are told in full that need somebody.
  const isLong = !isNarrowed && units.length > unitsInFullMax;
  const inFull = isLong ? units.filter(needsSomebody).slice(0, troubledMax) : units;
  const told = inFull.filter(({ attempts }) => attempts.length > 0);
  return [
    headingLine(answer.heading, style),
    ...findingLines(answer.findings, style),
    ...(units.length > 1 ? ['', ...unitTable(answer, style)] : []),
    ...told.flatMap((unit) => ['', ...unitLines(unit, answer, style)]),
    '',
    ...lastLines(answer, isLong, style),
  ].join('\n');
}

const unitsInFullMax = 12;
const troubledMax = 4;
const unitsListedMax = 200;

function needsSomebody({ status }: InspectedUnit): boolean {
  return status === 'failed' || status === 'blocked' || status === 'waiting_human';
}

function unitTable({ units, unitKey, doneKey }: InspectAnswer, style: Style): string[] {
  const { paint, symbols } = style;
  const rows = units
    .slice(0, unitsListedMax)
    .map((unit) => [
      markOf(unit, style),
      plain(unit.unit),
      unitStatusWords(unit.status, doneKey),
      String(unit.attemptsMost),
      unit.score === undefined ? '' : scoreWords(unit.score),
      paint.dim(whyNot(unit)),
    ]);
  const lines = table([['', plain(unitKey), 'status', 'attempts', 'score', ''], ...rows]);
  const rest = units.length - rows.length;
  if (rest > 0) lines.push(`${symbols.more} and ${count(rest, 'more unit')} (--json lists all)`);
  return lines.map((line) => cut(line, style));
}

/** Why the unit is not finished, as far as its newest attempts say. */
function whyNot({ status, attempts }: InspectedUnit): string {
  if (status === 'succeeded' || status === 'outdated') return '';
  const last = attempts.findLast((attempt) => attempt.failure !== undefined || attempt.defects.length > 0);
  if (last?.failure !== undefined) return failureSentence(last.failure, last.facts);
  return (last?.defects ?? []).map(plain).join('; ');
}

/** A line that keeps to the width of the terminal. Colours cannot be cut through: a line that is too long has none. */
function cut(line: string, style: Style): string {
  if (visibleLength(line) <= style.width) return line;
  return clip(plain(line), style.width, style.symbols.more);
}

function unitLines(unit: InspectedUnit, answer: InspectAnswer, style: Style): string[] {
  const words = [
    unitStatusWords(unit.status, answer.doneKey),
    count(unit.attemptsMost, 'attempt'),
    ...(unit.bestScore === undefined ? [] : [`best score ${scoreWords(unit.bestScore)}`]),
  ];
  const rows = attemptRows(unit, style);
  const gates = unit.gates.flatMap((gate) => gateWords(gate) ?? []);
  return [
    `${markOf(unit, style)} ${style.paint.bold(plain(unit.unit))} ${words.join(', ')}`,
    ...unit.attempts.flatMap((attempt, at) => [
      `  ${rows[at] ?? ''}`,
      ...detailLines(attempt, answer.isNarrowed, style),
    ]),
    ...gates.flatMap((words) => wrapped(words, style.width - 2)).map((line) => `  ${line}`),
  ];
}

function attemptRows(unit: InspectedUnit, style: Style): string[] {
  const { attempts } = unit;
  const rows = attempts.map((attempt) => [
    plain(attempt.phase),
    `#${attempt.attempt}`,
    attempt.iteration > 1 ? style.paint.dim(`r${attempt.iteration}`) : '',
    paintOutcome(attempt, style),
    verdictWords(attempt, style),
    attempt.score === undefined ? '' : scoreWords(attempt.score),
    isBest(unit, attempt) ? 'best' : '',
    attempt.ms === undefined ? '' : duration(attempt.ms),
    costWords(attempt.cost),
  ]);
  const told = withoutEmptyColumns(rows);
  const dated = table(told.map((row, at) => [...row, style.paint.dim(time(attempts[at]?.startedAt ?? ''))]));
  const isWide = dated.some((line) => visibleLength(line) + 2 > style.width);
  return isWide ? table(told) : dated;
}

function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((row) => row.filter((_, column) => rows.some((other) => other[column] !== '')));
}

function verdictWords({ verdict, passed, decision }: InspectedAttempt, { paint }: Style): string {
  if (verdict === undefined) return '';
  const words = decision === undefined ? plain(verdict) : `${plain(verdict)}, ${decision.is}`;
  return passed === undefined ? words : passed ? paint.green(words) : paint.yellow(words);
}

function detailLines(attempt: InspectedAttempt, withPaths: boolean, style: Style): string[] {
  const { scores, defects, failure, message, decision, outputs } = attempt;
  const { paint, symbols } = style;
  const indent = ' '.repeat(6);
  const under = (text: string, mark = '') =>
    wrapped(text, style.width - indent.length - mark.length).map(
      (line, at) => `${indent}${at === 0 ? mark : ' '.repeat(mark.length)}${line}`,
    );
  const lines: string[] = [];
  const why = tellingReason(attempt.why, style);
  if (why !== undefined) lines.push(...under(why, 'why: ').map((line) => paint.dim(line)));
  const from = attempt.reused ?? attempt.call?.reused;
  if (from !== undefined) lines.push(...under(`reused from ${plain(from)}`, `${symbols.becomes} `));
  if (scores !== undefined && Object.keys(scores).length > 0)
    lines.push(...under(scoresWords(scores)).map((line) => paint.dim(line)));
  for (const defect of defects) lines.push(...under(plain(defect), '- '));
  if (failure !== undefined) lines.push(...under(failureSentence(failure, attempt.facts), '- '));
  const end = plainLines(message ?? '').slice(-messageLinesMax);
  lines.push(...end.map((line) => cut(`${indent}${paint.dim('|')} ${line}`, style)));
  if (decision !== undefined)
    lines.push(...under(`${decision.is} by ${plain(decision.by)}: ${plain(decision.note)}`, '- '));
  for (const output of withPaths ? outputs : []) {
    const edited = output.isAdopted ? ' (edited by hand, adopted)' : '';
    lines.push(`${indent}${symbols.becomes} ${plain(output.path)}${edited}`);
  }
  return lines;
}

/** The whole is in the log: here stands the error that ended it. */
const messageLinesMax = 6;

function paintOutcome(attempt: InspectedAttempt, { paint }: Style): string {
  const words = outcomeWords(attempt);
  switch (attempt.outcome) {
    case 'succeeded':
      return attempt.superseded === undefined ? paint.green(words) : paint.dim(words);
    case 'failed':
      return paint.red(words);
    case 'running':
      return paint.cyan(words);
    case 'released':
      return paint.dim(words);
    case 'interrupted':
    case 'paused':
    case 'in-doubt':
      return paint.yellow(words);
    default:
      return unreachable(attempt.outcome);
  }
}

function markOf({ status }: InspectedUnit, style: Style): string {
  return status === undefined ? style.paint.dim(style.symbols.skipped) : stepMark(status, style);
}

function lastLines(answer: InspectAnswer, isLong: boolean, { width }: Style): string[] {
  const { totals, doneKey, heading } = answer;
  const words = [
    `${count(totals.units, 'unit')} (${totals.unitsFinished} ${plain(doneKey)})`,
    count(totals.attempts, 'attempt'),
    ...(totals.sentBack > 0 ? [`${totals.sentBack} sent back`] : []),
    ...(totals.failed > 0 ? [`${totals.failed} failed`] : []),
    `${duration(totals.ms)} of work`,
    costWords(totals.cost),
  ]
    .filter((part) => part !== '')
    .join(', ');
  const lines = wrapped(words, width);
  const [first] = answer.units.map(({ unit }) => unit);
  if (!isLong || first === undefined) return lines;
  return [...lines, `for one of them: ${hint('inspect', heading.workspace, heading.run, '--unit', first)}`];
}
