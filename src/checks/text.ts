/**
 * Undefined for what is not UTF-8. A byte order mark stays, because later readers of the output would see it.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** So much of a text from outside as belongs into a message. */
export function shorten(text: string, lengthMax = 200): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`;
}
