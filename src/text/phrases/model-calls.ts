import { unreachable } from '../../base/result.ts';
import type { PauseReason } from '../../model/event.ts';
import { firstPause } from '../../model/reason.ts';
import type { Stop } from '../../runner/outcome.ts';
import { money } from '../style/figures.ts';
import { plain } from '../style/plain.ts';
import { continued, hint } from './hints.ts';

/** What made a step wait, as it follows `by` or `because of`. */
export function pauseWords(reason: PauseReason): string {
  switch (reason) {
    case 'rate-limited':
      return 'a rate limit of the provider';
    case 'quota':
      return 'a quota of the provider';
    case 'overloaded':
      return 'an overload of the provider';
    case 'requested':
      return 'its own request';
    default:
      return unreachable(reason);
  }
}

/** A call that was sent and whose answer is unknown: the model, and what may have been paid. */
export function doubtWords({
  model,
  atStake,
  answered = false,
}: {
  readonly model: string;
  readonly atStake: number | undefined;
  readonly answered?: boolean;
}): string {
  if (answered) return `${plain(model)} had answered, and that is taken over`;
  const paid =
    atStake === undefined ? 'nobody knows what was paid' : `up to ${money(atStake)} may have been paid`;
  return `${plain(model)} was asked, and ${paid}`;
}

/** When the first waiting step may continue; undefined if none waits. */
export function pausedUntil(stops: readonly Pick<Stop, 'why'>[]): string | undefined {
  return firstPause(stops.map(({ why }) => why));
}

/** The command that waits and then continues. */
export function waitHint(path: string | undefined, narrowing: readonly string[] = []): string {
  return `${hint('run', path, undefined, ...continued(narrowing))} --wait`;
}
