import { type CheckOutcome, failed, passed } from './outcome.ts';
import { decodeUtf8, shorten } from './text.ts';
import { runWithTimeLimit } from './time-limit.ts';

/** The pattern is found somewhere in the text. */
export function checkRegex(
  pattern: string,
  flags: string,
  bytes: Uint8Array,
  timeoutMs: number,
): CheckOutcome {
  const text = decodeUtf8(bytes);
  if (text === undefined) return failed('not-utf8');
  try {
    const regex = new RegExp(pattern, flags);
    const search = () => regex.test(text);
    const found = canBacktrack.test(pattern) ? runWithTimeLimit(timeoutMs, search) : { value: search() };
    if (found === 'timed-out') {
      return failed(`no answer within ${timeoutMs} ms from /${shorten(pattern)}/${flags}`);
    }
    return found.value ? passed : failed(`no match for /${shorten(pattern)}/${flags}`);
  } catch (error) {
    // An invalid pattern, or one that used up the stack on this text.
    if (error instanceof SyntaxError || error instanceof RangeError) return failed(shorten(error.message));
    throw error;
  }
}

/** A pattern without these is tried once at each place; a time limit costs more than that. */
const canBacktrack = /[*+?{|]/;
