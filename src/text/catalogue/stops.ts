import { asksOf, type ReachedLimit } from '../../model/reason.ts';
import type { Stop } from '../../runner/outcome.ts';
import { againHint, hint, unblockHint } from '../phrases/hints.ts';
import { waitHint } from '../phrases/model-calls.ts';
import { answerWays, raiseBudgetWords } from '../phrases/questions.ts';
import { isBudget, limitWords } from '../phrases/spending.ts';
import { plain, plainLines } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, stepLabel } from '../style/words.ts';
import { failureStep } from './attempt-failures.ts';
import { stopWords } from './stop-reasons.ts';

/** Each step that keeps a run from being complete: why, the end of its message, and where its log is. */
export function stopLines(stops: readonly Stop[], path: string | undefined, style: Style): string[] {
  const { symbols } = style;
  const lines = stops.slice(0, stopsMax).flatMap((stop) => oneStop(stop, path, style));
  const rest = stops.length - stopsMax;
  if (rest > 0) lines.push(`  ${symbols.more} and ${count(rest, 'more cell')}: ${hint('status', path)}`);
  return lines;
}

const stopsMax = 10;
const messageLinesMax = 6;
const defectsMax = 6;

function oneStop(stop: Stop, path: string | undefined, style: Style): string[] {
  const { paint } = style;
  const asks = asksOf(stop.why);
  const name = stepLabel(stop.unit, stop.phase);
  const lines = [`${markOf(stop, style)} ${paint.bold(name)} ${stopWords(stop.why)}`];
  // The end of a message says more than its beginning: there stands the error that ended it.
  const message = stop.why.code === 'failed' ? plainLines(stop.why.message).slice(-messageLinesMax) : [];
  lines.push(...message.map((line) => `    ${paint.dim('|')} ${line}`));
  const defects = stop.why.code === 'gate-limit' ? (stop.why.defects ?? []) : [];
  lines.push(...defects.slice(0, defectsMax).map((defect) => `    ${paint.dim('|')} ${plain(defect)}`));
  const step = stepOf(stop);
  if (step !== undefined) lines.push(`    to mend it: ${step}`);
  const phase = stop.phase;
  if (asks !== undefined) lines.push(...answerWays({ ...asks, phase }, path).map((way) => `    ${way}`));
  if (stop.why.code === 'blocked') lines.push(`    when it is settled: ${unblockHint(stop.unit, path)}`);
  if (isGivenUp(stop)) lines.push(`    to try again: ${againHint(stop, path)}`);
  if (stop.why.code === 'paused') lines.push(`    to wait for it: ${waitHint(path, style.narrowing)}`);
  if (stop.why.code !== 'checkpoint-asks') lines.push(`    log: ${hint('logs', path, name)}`);
  return lines;
}

/** It does not run again by itself, and no question is open about it. */
function isGivenUp({ why }: Stop): boolean {
  switch (why.code) {
    case 'attempts-used-up':
    case 'gate-limit':
    case 'checkpoint-rejected':
      return asksOf(why) === undefined;
    default:
      return false;
  }
}

function markOf({ why }: Stop, { paint, symbols }: Style): string {
  if (asksOf(why) !== undefined) return paint.yellow(symbols.asks);
  return why.code === 'paused' ? paint.yellow(symbols.paused) : paint.red(symbols.bad);
}

/** What helps against a failure, where that is known. */
export function stepOf({ why }: Stop): string | undefined {
  if (why.code === 'failed') return failureStep(why.failure, why.facts);
  return why.code === 'attempts-used-up' ? failureStep(why.failure, why.facts) : undefined;
}

/** A line for each limit over all units and each budget that keeps a run from going on, and the ways past it. */
export function limitLines(limits: readonly ReachedLimit[], style: Style): string[] {
  const { paint, symbols } = style;
  const asked = limits.filter((limit) => asksOf(limit) !== undefined);
  const firm = limits.filter((limit) => asksOf(limit) === undefined);
  const indented = (way: string) => `    ${way}`;
  return [
    ...firm.map((limit) => `${paint.red(symbols.bad)} ${limitWords(limit)}`),
    ...limitWays(firm, style).map(indented),
    ...asked.flatMap((limit) => [
      `${paint.yellow(symbols.asks)} ${limitWords(limit)}`,
      ...limitWays([limit], style).map(indented),
    ]),
  ];
}

/** How to go on past these limits, each way once. */
export function limitWays(
  limits: readonly ReachedLimit[],
  { path, narrowing = [] }: Pick<Style, 'path' | 'narrowing'>,
): string[] {
  return [
    ...new Set(
      limits.flatMap((limit) => {
        const asks = asksOf(limit);
        if (asks !== undefined) return answerWays(asks, path);
        return isBudget(limit.limit)
          ? [raiseBudgetWords]
          : [
              `raise the limit in the manifest, or continue past it: ${hint('run', path, undefined, ...narrowing, '--past-limits', '--reason', 'the cause was looked at')}`,
            ];
      }),
    ),
  ];
}
