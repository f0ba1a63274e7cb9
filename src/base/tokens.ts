/**
 * How much of a model's context a text takes. Each counts differently, and none is asked: one for every three and a half
 * bytes is on the safe side for prose with names and numbers in it, and counts scripts with many characters for what they are.
 */
export function tokensIn(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return Math.ceil(bytes / bytesPerToken);
}

const bytesPerToken = 3.5;
