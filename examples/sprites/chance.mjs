// Chance that can be repeated: the same words give the same numbers, on every machine.

/** A number from 0 up to 1 that hangs on these words alone. @param {(string | number)[]} words */
export function chance(...words) {
  let hash = 0x811c9dc5;
  for (const letter of words.join('\u001f')) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  // Words that differ in the last letter alone would otherwise give numbers that lie close together.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
