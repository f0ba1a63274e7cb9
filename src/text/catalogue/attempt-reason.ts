import type { AttemptReason } from '../../model/reason.ts';
import { pauseWords } from '../phrases/model-calls.ts';
import { clip, plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { reasonWords } from './reasons.ts';

/** Why an attempt was started, as it follows a colon. The present tense of a plan becomes the past here. */
export function attemptReasonWords(why: AttemptReason, style: Style): string {
  switch (why.code) {
    case 'not-recorded':
      return 'reason not recorded (by an older version of Pawl)';
    case 'other-version':
      return `reason of another version of Pawl: ${clip(plain(JSON.stringify(why.recorded)), 200, '...')}`;
    case 'never-ran':
      return 'first attempt';
    case 'waited':
      // Not that the wait was over, because --past-limits ends one early.
      return `attempt ${why.attempt} was paused by ${pauseWords(why.pause)}`;
    case 'rerun-requested':
      return withReason('re-run requested', why.reason);
    default:
      return reasonWords(why, style);
  }
}

/** The same where an attempt has a line of its own; undefined where it would say nothing new. */
export function tellingReason(why: AttemptReason | undefined, style: Style): string | undefined {
  const isPlain = why === undefined || why.code === 'never-ran' || why.code === 'not-recorded';
  return isPlain ? undefined : attemptReasonWords(why, style);
}

function withReason(words: string, reason: string | undefined): string {
  return reason === undefined || reason === '' ? words : `${words}: ${clip(plain(reason), 120, '...')}`;
}
