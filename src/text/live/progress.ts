import { unreachable } from '../../base/result.ts';
import type { Board } from '../../engine/observe/board.ts';
import type { WatchedStep } from '../../engine/show/watch-status.ts';
import type { Judgement } from '../../model/event.ts';
import type { Progress } from '../../runner/progress.ts';
import { failureSentence } from '../catalogue/attempt-failures.ts';
import { reasonWords } from '../catalogue/run-reasons.ts';
import { pauseWords } from '../phrases/model-calls.ts';
import { shortfallWords } from '../phrases/spending.ts';
import { clip, plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, duration, score, stepLabel, time } from '../style/words.ts';
import { extentWords } from './extent.ts';

/** The first line of a run without a live view. */
export function begunLine({ heading, kind, units, extent }: Board): string {
  if (kind === 'watched') return `${plain(heading.pipeline)}: watching run ${plain(heading.run)}`;
  const where = kind === 'resumed' ? extentWords(extent) : undefined;
  if (where !== undefined) return `${plain(heading.pipeline)}: resuming run ${plain(heading.run)} ${where}`;
  const steps = units.reduce((sum, unit) => sum + unit.cells.length, 0);
  return `${plain(heading.pipeline)}: ${kind} run ${plain(heading.run)} with ${count(units.length, 'unit')}, ${count(steps, 'cell')}`;
}

/** What was running already when someone began to look on. */
export function runningLine({ unit, phase, attempt, ms }: WatchedStep): string {
  const which = attempt > 1 ? `attempt ${attempt}, ` : '';
  return `${stepLabel(unit, phase)} is running (${which}for ${duration(ms)})`;
}

/** What happens to files and processes. It is printed beside a live view too, because the view shows only steps. */
export function besideStepsLine(progress: Progress, style: Style): string | undefined {
  const { type } = progress;
  return besideSteps.has(type) ? progressLine(progress, style) : undefined;
}

const besideSteps: ReadonlySet<Progress['type']> = new Set([
  'file-set-aside',
  'output-restored',
  'leftover-ended',
  'brief-imported',
  'budget-short',
]);

export function moreBesideLine(more: number, { symbols }: Style): string {
  return `${symbols.more} and ${more} more like these`;
}

/** One line for what just happened; undefined for what is not worth one. */
export function progressLine(progress: Progress, style: Style): string | undefined {
  switch (progress.type) {
    case 'attempt-started': {
      const attempt = progress.attempt > 1 ? `attempt ${progress.attempt}, ` : '';
      return `${stepLabel(progress.unit, progress.phase)} started (${attempt}${reasonWords(progress.why, style)})`;
    }
    case 'attempt-succeeded': {
      const verdict = progress.verdict === undefined ? '' : `, verdict ${plain(progress.verdict)}`;
      const judged = progress.judged === undefined ? '' : judgedWords(progress.judged, style);
      if (progress.reused !== undefined)
        return `${stepLabel(progress.unit, progress.phase)} reused from ${plain(progress.reused)}${verdict}${judged}`;
      return `${stepLabel(progress.unit, progress.phase)} succeeded in ${duration(progress.ms)}${verdict}${judged}`;
    }
    case 'attempt-failed': {
      const { reason, facts } = progress.failure;
      const again =
        progress.retryInMs === undefined
          ? ''
          : progress.retryInMs === 0
            ? '; trying again'
            : `; trying again in ${duration(progress.retryInMs)}`;
      return `${stepLabel(progress.unit, progress.phase)} failed: ${failureSentence(reason, facts)}${again}`;
    }
    case 'attempt-interrupted':
      return `${stepLabel(progress.unit, progress.phase)} interrupted`;
    case 'attempt-paused':
      return `${stepLabel(progress.unit, progress.phase)} paused by ${pauseWords(progress.reason)} until ${time(progress.until)}`;
    case 'waiting':
      return waitingWords(progress.until);
    case 'budget-short':
      return `${style.symbols.warning} ${shortfallWords(progress.short)}`;
    case 'budget-narrowed':
      return progress.isFirst ? narrowedWords(progress.atOnce) : undefined;
    case 'call-ended':
      // How its attempt ends says it all.
      return undefined;
    case 'person-asked':
      // The end of the run says what is asked, and how it is answered.
      return undefined;
    case 'output-restored':
      return `${plain(progress.path)} put back from the content store`;
    case 'file-set-aside':
      return `${plain(progress.path)} stood in the way; moved to ${plain(progress.to)}`;
    case 'brief-imported':
      return `${plain(progress.path)}: imported its resumption document. The original is at ${plain(progress.backup)}`;
    case 'leftover-ended':
      return `${stepLabel(progress.unit, progress.phase)} had left process ${progress.pid} behind; ended it`;
    case 'unit-finished':
      return `${plain(progress.unit)} finished`;
    default:
      return unreachable(progress);
  }
}

/** Why fewer steps run at once than the pace allows. */
export function narrowedWords(atOnce: number): string {
  return `near the budget: ${count(atOnce, 'step')} at a time`;
}

/** Why nothing seems to happen. */
export function waitingWords(until: string): string {
  return `waiting until ${time(until)}: no call may start before`;
}

/** `, score 0.62 (palette is off; feet 3 px too low)`. */
function judgedWords({ score: value, defects = [] }: Judgement, { symbols }: Style): string {
  const scored = value === undefined ? '' : `, score ${score(value)}`;
  if (defects.length === 0) return scored;
  const shown = defects
    .slice(0, defectsShownMax)
    .map((defect) => clip(plain(defect), defectLengthMax, symbols.more));
  const rest = defects.length > shown.length ? `; and ${defects.length - shown.length} more` : '';
  return `${scored} (${shown.join('; ')}${rest})`;
}

const defectsShownMax = 3;
const defectLengthMax = 60;

/** After the first signal. */
export const stoppingWords = 'finishing what runs; again to end it';

/** After the second one. */
export const endingWords = 'ending what runs; again to leave at once';
