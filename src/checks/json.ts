import type { JsonValue } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type CheckOutcome, failed, passed } from './outcome.ts';
import { decodeUtf8, shorten } from './text.ts';

/** It is one JSON value. */
export function checkJson(bytes: Uint8Array): CheckOutcome {
  const parsed = parseLimitedJson(bytes);
  return parsed.ok ? passed : failed(parsed.failure);
}

/** Parses JSON from outside. Depth is limited before parsing, because code that walks the value may recurse. */
export function parseLimitedJson(bytes: Uint8Array): Result<JsonValue, string> {
  if (bytes.length === 0) return fail('empty');
  if (isDeeperThan(bytes, depthMax)) return fail(`nested deeper than ${depthMax}`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return fail('not-utf8');
  if (text.charCodeAt(0) === 0xfeff) return fail('byte-order-mark');
  try {
    return ok(JSON.parse(text) as JsonValue);
  } catch (error) {
    return fail(shorten(error instanceof Error ? error.message : String(error)));
  }
}

const depthMax = 200;

/** Counts brackets outside strings, in bytes: no byte of a longer UTF-8 character looks like one. */
function isDeeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBracket || byte === openBrace) {
      if (++depth > limit) return true;
    } else if (byte === closeBracket || byte === closeBrace) depth--;
  }
  return false;
}

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
