import { blanks } from '../../base/plain.ts';

export { clip, plain, plainLines } from '../../base/plain.ts';

/** One JSON document, readable, in which nothing is hidden either: what cannot be seen is written as escapes. */
export function jsonText(document: object): string {
  return JSON.stringify(document, undefined, 2).replaceAll(unseenInJson, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/** The line ends and spaces of the document itself stay as they are. */
const unseenInJson = new RegExp(`(?![\\n])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}${blanks}]`, 'gu');
