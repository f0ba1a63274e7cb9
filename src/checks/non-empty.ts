import { type CheckOutcome, failed, passed } from './outcome.ts';

/** There is something other than white space. */
export function checkNonEmpty(bytes: Uint8Array): CheckOutcome {
  if (bytes.length === 0) return failed('empty');
  return bytes.some((byte) => !whiteSpace.has(byte)) ? passed : failed('only-white-space');
}

/** Tab, line feed, vertical tab, form feed, carriage return, space. */
const whiteSpace = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
