import { plain } from '../style/plain.ts';

/*
 * How wide text will be, without the font: the reader's own font is used, and it is unknown here. The widths are those of a
 * wide one, so that in others there is some room left.
 */

export type Face = 'sans' | 'mono';

/** Text from outside as one line that shows all it holds and may stand in XML. */
export function shown(text: string): string {
  return plain(text).replaceAll(noCharacters, '').replaceAll(/\s+/g, ' ').trim();
}

/** Code points that XML cannot hold and that are no control characters. */
const noCharacters = /[\ufffe\uffff]/g;

export function textWidth(text: string, px: number, face: Face = 'sans'): number {
  let em = 0;
  for (const character of text) em += face === 'mono' ? monoEm(character) : sansEm(character);
  return em * px;
}

/** As much as fits, with a mark where something was left out. */
export function fitting(text: string, widthMax: number, px: number, face: Face = 'sans'): string {
  if (textWidth(text, px, face) <= widthMax) return text;
  const room = widthMax - textWidth(more, px, face);
  return `${beginning(text, room, px, face).trimEnd()}${more}`;
}

/** Broken between words where that is possible; what does not fit into the lines is left out. */
export function fittingLines(text: string, widthMax: number, px: number, linesMax: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < linesMax - 1) {
    if (textWidth(rest, px) <= widthMax) break;
    const start = beginning(rest, widthMax, px, 'sans');
    const space = rest[start.length] === ' ' ? start.length : start.lastIndexOf(' ');
    // A word that is longer than a line is broken anywhere. Something is always taken, or this would never end.
    const end = space > 0 ? space : Math.max(start.length, firstLength(rest));
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? lines : [...lines, fitting(rest, widthMax, px)];
}

const more = '…';

function beginning(text: string, widthMax: number, px: number, face: Face): string {
  let width = 0;
  let end = 0;
  for (const character of text) {
    width += textWidth(character, px, face);
    if (width > widthMax) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function firstLength(text: string): number {
  const [first = ''] = text;
  return first.length;
}

function monoEm(character: string): number {
  if (character < '\u0300') return 0.605;
  return sansEm(character) > 0.9 ? 1.21 : sansEm(character) === 0 ? 0 : 0.605;
}

function sansEm(character: string): number {
  if (character < '\u0300') {
    if (" .,:;|!'`ijlI()[]{}/\\-".includes(character)) return 0.36;
    if ('frt"'.includes(character)) return 0.43;
    if ('mwMW@%'.includes(character)) return 0.97;
    if (character >= 'A' && character <= 'Z') return 0.72;
    return 0.62;
  }
  if (mark.test(character)) return 0;
  if (character === more) return 1;
  return wide.test(character) ? 1.05 : 0.72;
}

const mark = /\p{M}/u;
/** Written languages with square letters, and pictures. */
const wide =
  /[\u1100-\u11ff\u2600-\u27bf\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\u{1f000}-\u{3ffff}]/u;
