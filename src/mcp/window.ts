/** A part of a text, cut where characters end. */
export interface TextWindow {
  readonly text: string;
  /** In bytes of the whole. */
  readonly from: number;
  readonly to: number;
}

/** Undefined for what is no text: bytes that are not UTF-8, or that hold a NUL. */
export function textWindow(bytes: Uint8Array, offset: number, length: number): TextWindow | undefined {
  if (bytes.includes(0) || !isUtf8(bytes)) return undefined;
  const from = characterStart(bytes, Math.min(offset, bytes.length));
  // Less than one character would be no progress.
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
