import { unreachable } from '../../base/result.ts';
import type { RunStatus, StepStatus } from '../../model/status.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';

/** A step's status as one painted character. `spin` animates running steps; without it nothing moves. */
export function stepMark(status: StepStatus, style: Style, spin?: number): string {
  const { paint, symbols } = style;
  switch (status) {
    case 'succeeded':
      return paint.green(symbols.good);
    case 'outdated':
      return paint.yellow(symbols.outdated);
    case 'failed':
      return paint.red(symbols.bad);
    case 'blocked':
      return paint.red(symbols.warning);
    case 'running':
      return paint.cyan(spin === undefined ? symbols.runs : turn(symbols.spinner, spin));
    case 'interrupted':
      return paint.yellow(symbols.cutOff);
    case 'waiting_human':
      return paint.yellow(symbols.asks);
    case 'paused':
      return paint.yellow(symbols.paused);
    case 'ready':
      return symbols.ready;
    case 'pending':
      return paint.dim(symbols.waits);
    case 'skipped':
      return paint.dim(symbols.skipped);
    default:
      return unreachable(status);
  }
}

/** For what its gate did not let pass. */
export function rejectedMark({ paint, symbols }: Style): string {
  return paint.yellow(symbols.bad);
}

function turn(spinner: readonly string[], spin: number): string {
  return spinner[spin % spinner.length] ?? '';
}

/** A step's status in words, as it follows a number: `3 waiting for a person`. */
export function stepStatusWords(status: StepStatus): string {
  switch (status) {
    case 'pending':
    case 'ready':
    case 'running':
    case 'failed':
    case 'blocked':
    case 'paused':
    case 'interrupted':
    case 'skipped':
    case 'outdated':
      return status;
    case 'succeeded':
      return 'done';
    case 'waiting_human':
      return 'waiting for a person';
    default:
      return unreachable(status);
  }
}

export function runStatusWords(status: RunStatus): string {
  switch (status) {
    case 'running':
    case 'paused':
    case 'stopped':
    case 'interrupted':
    case 'completed':
    case 'failed':
    case 'cancelled':
      return status;
    case 'waiting_human':
      return 'waiting for a person';
    default:
      return unreachable(status);
  }
}

export function paintRunStatus(status: RunStatus, style: Style): string {
  const words = runStatusWords(status);
  switch (status) {
    case 'completed':
      return style.paint.green(words);
    case 'running':
      return style.paint.cyan(words);
    case 'waiting_human':
    case 'paused':
    case 'stopped':
    case 'interrupted':
      return style.paint.yellow(words);
    case 'failed':
    case 'cancelled':
      return style.paint.red(words);
    default:
      return unreachable(status);
  }
}

/** In the order in which they are counted up for people. */
export const stepStatusOrder: readonly StepStatus[] = [
  'succeeded',
  'outdated',
  'running',
  'failed',
  'blocked',
  'waiting_human',
  'interrupted',
  'paused',
  'ready',
  'pending',
  'skipped',
];
/** A unit's status in the words of its own pipeline. */
export function unitStatusWords(status: StepStatus | undefined, doneKey: string): string {
  if (status === undefined) return 'no longer listed';
  return status === 'succeeded' ? plain(doneKey) : stepStatusWords(status);
}
