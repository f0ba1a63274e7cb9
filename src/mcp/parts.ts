/** A part of a long list, with the length of the whole: an agent pays for every line that it gets. */
export interface Cut<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export function cut<T>(items: readonly T[], offset: number, limit: number): Cut<T> {
  return { items: items.slice(offset, offset + limit), total: items.length };
}

/** The beginning of a list that is rarely long. */
export function few<T>(items: readonly T[]): readonly T[] {
  return items.slice(0, fewMax);
}

const fewMax = 50;

/** As many as fit into one message, because clients end a connection after a larger one. */
export function fitting<T>(items: readonly T[], charactersMax = messageCharactersMax): Cut<T> {
  let left = charactersMax;
  const fits = items.findIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return cut(items, 0, fits < 0 ? items.length : fits);
}

/** The client library takes 10 MiB, and a text that is quoted twice grows. */
const messageCharactersMax = 2 * 1024 * 1024;

/** A part of a text that begins and ends between characters. */
export interface TextWindow {
  readonly text: string;
  /** In bytes of the whole. */
  readonly from: number;
  readonly to: number;
}

/** Undefined for bytes that are no text: not UTF-8, or with a NUL. */
export function textWindow(bytes: Uint8Array, offset: number, length: number): TextWindow | undefined {
  if (bytes.includes(0) || !isUtf8(bytes)) return undefined;
  const from = characterStart(bytes, Math.min(offset, bytes.length));
  // At least one character, so that a caller who continues at `to` makes progress.
  const to = characterStart(bytes, Math.min(bytes.length, Math.max(offset + length, from + 1)));
  return { text: new TextDecoder().decode(bytes.subarray(from, to)), from, to };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The first byte at or after this one that begins a character; the end is one. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
