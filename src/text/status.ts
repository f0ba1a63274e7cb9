import type { StatusAnswer } from '../engine/show/status.ts';
import { isDone } from '../model/status.ts';
import type { Stop } from '../runner/outcome.ts';
import { findingLines } from './catalogue/findings.ts';
import { noticeLines } from './catalogue/notices.ts';
import { refusalLines } from './catalogue/refusals.ts';
import { pausedWords } from './catalogue/stop-reasons.ts';
import { limitLines, stopLines } from './catalogue/stops.ts';
import { startBoard } from './live/board.ts';
import { stripLines } from './live/strip.ts';
import { behindLines, headingLine, ownerWords } from './phrases/heading.ts';
import { hint, resumeHint } from './phrases/hints.ts';
import { doubtWords, waitHint } from './phrases/model-calls.ts';
import { isFailure } from './phrases/outcome.ts';
import { outdatedLines } from './phrases/outdated.ts';
import { stepMark, stepStatusOrder, stepStatusWords } from './phrases/statuses.ts';
import { stepList } from './phrases/steps.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { table, visibleLength } from './style/table.ts';
import { count, idleWords, list, stepLabel, time } from './style/words.ts';

type UnitRow = StatusAnswer['units'][number];
type StepInfo = UnitRow['cells'][number];

/** A run as a matrix of units by phases, and what there is to say about it. */
export function statusText(answer: StatusAnswer, style: Style): string {
  const { heading, holder } = answer;
  const at = { ...style, path: heading.workspace };
  return [
    headingLine(heading, style),
    ...staleLines(answer, style),
    ...(holder === undefined ? [] : [`held by ${ownerWords(holder)}`]),
    ...behindLines(answer, style),
    ...findingLines(answer.findings, style),
    ...extentLines(answer, style),
    ...matrixLines(answer, style),
    ...phaseLines(answer, style),
    ...outdatedLines(outdatedOf(answer), style),
    ...inputLines(answer, style),
    ...reusedLines(answer, style),
    ...noticeLines(answer.notices, style),
    ...refusalLines(answer.refusals, at),
    ...limitLines(answer.limits ?? [], at),
    ...doubtLines(answer, style),
    ...pauseLines(answer, style),
    ...stopLines(givenUp(answer), heading.workspace, style),
    lastLine(answer, style),
  ].join('\n');
}

function outdatedOf({ units }: StatusAnswer): { name: string; changes: readonly string[] }[] {
  return units.flatMap(({ unit, cells: steps }) =>
    steps.flatMap(({ phase, outdated }) =>
      outdated === undefined ? [] : [{ name: `${unit}/${phase}`, changes: outdated }],
    ),
  );
}

/** Steps that are up to date and consumed an outdated result. */
function inputLines({ units }: StatusAnswer, { paint, symbols }: Style): string[] {
  const steps = units.flatMap(({ unit, cells }) =>
    cells.flatMap(({ phase, inputOutdated }) => (inputOutdated ? [{ unit, phase }] : [])),
  );
  return steps.length === 0 ? [] : [`${paint.yellow(symbols.outdated)} input outdated: ${stepList(steps)}`];
}

/** Results of other runs. Answers that another step of this run was given are told with their cost only. */
function reusedLines({ heading, units }: StatusAnswer, { symbols }: Style): string[] {
  const counts = new Map<string, number>();
  for (const { cells: steps } of units)
    for (const { reused } of steps) {
      const run = reused?.split(' ')[0] ?? '';
      if (run !== '' && run !== heading.run) counts.set(run, (counts.get(run) ?? 0) + 1);
    }
  const runs = [...counts].map(([run, steps]) => `${count(steps, 'step')} of run ${plain(run)}`);
  return runs.length === 0 ? [] : [`${symbols.same} reused: ${list(runs)}`];
}

/** An old run is often of an older program too. */
function staleLines({ stale, madeBy }: StatusAnswer, { paint }: Style): string[] {
  if (stale === undefined) return [];
  const version = madeBy === undefined ? 'a version that is not on record' : plain(madeBy);
  return [
    `${paint.yellow('STALE')}: ${idleWords(stale)}; run asks before it resumes, or takes --yes; made by Pawl ${version}`,
  ];
}

const doubtsMax = 10;

/** What may have been paid, and nobody knows for what. */
function doubtLines({ inDoubt = [] }: StatusAnswer, { paint, symbols }: Style): string[] {
  const lines = inDoubt
    .slice(0, doubtsMax)
    .map(
      (call) =>
        `${paint.yellow(symbols.warning)} ${stepLabel(call.unit, call.phase)} attempt ${call.attempt} is in doubt: ${doubtWords(call)}`,
    );
  const rest = inDoubt.length - lines.length;
  return rest > 0 ? [...lines, `${symbols.more} and ${rest} more in doubt`] : lines;
}

const pausesMax = 10;

/** Why each of these waits, and until when. */
function pauseLines({ paused = [] }: StatusAnswer, { paint, symbols }: Style): string[] {
  const lines = paused
    .slice(0, pausesMax)
    .map(
      ({ unit, phase, why }) =>
        `${paint.yellow(symbols.paused)} ${stepLabel(unit, phase)} ${pausedWords(why)}`,
    );
  const rest = paused.length - lines.length;
  return rest > 0 ? [...lines, `${symbols.more} and ${count(rest, 'more step')} paused`] : lines;
}

function extentLines({ extent, ...answer }: Parameters<typeof statusText>[0], style: Style): string[] {
  return stripLines(startBoard({ ...answer, extent, kind: 'resumed' }, 0), stripLinesMax, style);
}

const stripLinesMax = 4;

/** Finished units are told by number where there are many: what is open is what one looks for. */
const unitsShownMax = 50;

function matrixLines({ units, phases }: StatusAnswer, style: Style): string[] {
  const open = units.length > unitsShownMax ? units.filter((unit) => !isFinished(unit)) : units;
  const shown = open.slice(0, unitsShownMax);
  const finished = units.length - open.length;
  const lines = shown.length === 0 ? [] : wideOrNarrow(shown, phases, style);
  const { more } = style.symbols;
  if (open.length > shown.length) {
    lines.push(`${more} and ${count(open.length - shown.length, 'more unit')} (--json lists all)`);
  }
  if (finished > 0) lines.push(`${more} and ${count(finished, 'finished unit')}`);
  return lines;
}

/** How many steps of each phase have which status: with many units nobody counts them in the matrix. */
function phaseLines({ units, byPhase, counts }: StatusAnswer, style: Style): string[] {
  if (units.length <= unitsCountedMax || byPhase.length === 0) return [];
  const present = stepStatusOrder.filter((status) => counts[status] > 0);
  const rows = byPhase.map(({ phase, counts: own }) => [
    plain(phase),
    ...present.map((status) => (own[status] === 0 ? '' : String(own[status]))),
  ]);
  const named = present.map((status) => `${stepMark(status, style)} ${stepStatusWords(status)}`);
  const wide = table([['by phase', ...named], ...rows], 1);
  if (wide.every((line) => visibleLength(line) <= style.width)) return wide;
  // The last line says what each mark means.
  return table([['by phase', ...present.map((status) => stepMark(status, style))], ...rows], 1);
}

const unitsCountedMax = 20;

function wideOrNarrow(units: readonly UnitRow[], phases: readonly string[], style: Style): string[] {
  const wide = table([
    ['', ...phases.map(plain)],
    ...units.map((unit) => {
      const steps = new Map(unit.cells.map((step) => [step.phase, step]));
      return [plain(unit.unit), ...phases.map((phase) => stepWords(steps.get(phase), style))];
    }),
  ]);
  if (wide.every((line) => visibleLength(line) <= style.width)) return wide;
  // Too wide for the names: one character a phase, in the order that is listed above.
  const narrow = table(
    units.map((unit) => {
      const steps = new Map(unit.cells.map((step) => [step.phase, step.status]));
      const marks = phases.map((phase) => {
        const status = steps.get(phase);
        return status === undefined ? ' ' : stepMark(status, style);
      });
      return [plain(unit.unit), marks.join('')];
    }),
  );
  return [`phases: ${list(phases.map(plain), phases.length)}`, ...narrow];
}

/** `✓ pass r2`: the status, what the gate said, the round when there was more than one. */
function stepWords(step: StepInfo | undefined, style: Style): string {
  if (step === undefined) return '';
  const words = [stepMark(step.status, style)];
  if (step.verdict !== undefined) words.push(plain(step.verdict));
  if (step.iteration > 1 && step.status !== 'skipped') words.push(style.paint.dim(`r${step.iteration}`));
  return words.join(' ');
}

function isFinished({ cells: steps }: UnitRow): boolean {
  return steps.every(({ status }) => isDone(status));
}

/** What no run tries again by itself, and nobody is asked about. */
function givenUp({ stuck = [] }: StatusAnswer): Stop[] {
  return stuck.filter(isFailure);
}

function lastLine(answer: StatusAnswer, style: Style): string {
  const { counts, heading, refusals, retryAt, limits } = answer;
  const words = countWords(counts, style);
  if (heading.status === 'completed' && refusals.length === 0) return words;
  if (heading.status === 'running') return `${words}; it is at work`;
  if (heading.status === 'failed' || heading.status === 'cancelled') return `${words}; it is over for good`;
  if (refusals.length > 0) return `${words}; run would refuse, see above`;
  if (limits !== undefined) return `${words}; run would start nothing, see above`;
  if (retryAt !== undefined)
    return `${words}; it may go on from ${time(retryAt)}; to wait for that: ${waitHint(heading.workspace)}`;
  if (heading.status === 'waiting_human' && (counts.waiting_human > 0 || answer.stuck !== undefined))
    return `${words}; what waits for a decision: ${hint('checkpoints', heading.workspace)}`;
  if (givenUp(answer).length > 0) return `${words}; run would start nothing by itself, see above`;
  return `${words}; to go on: ${resumeHint(heading)}`;
}

/** `✓ 41 done, ✗ 1 failed`: the counts, and what the marks of the matrix mean. */
function countWords(counts: StatusAnswer['counts'], style: Style): string {
  const words = stepStatusOrder
    .filter((status) => counts[status] > 0)
    .map((status) => `${stepMark(status, style)} ${counts[status]} ${stepStatusWords(status)}`);
  return words.length === 0 ? 'no cells' : words.join(', ');
}
