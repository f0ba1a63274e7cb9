import type { FileWrite, TextEdit } from './call.ts';

/* The patches of `apply_patch`: sections by file, in each of them pieces that begin with `@@`. */

export function isPatch(text: string): boolean {
  return /^\*\*\* Begin Patch\s*$/m.test(text);
}

/** The files that a patch writes, with what each piece finds and leaves. Lines that make no sense are passed over. */
export function readPatch(text: string): FileWrite[] {
  const writes: FileWrite[] = [];
  let section: Section | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, word, path] = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line) ?? [];
    if (path !== undefined) {
      if (section !== undefined) writes.push(finished(section));
      if (writes.length >= filesMax) return writes;
      // What is moved is written at its new place with what the old one held.
      section = { path: path.trim(), isNew: word === 'Add File', pieces: [[]] };
    } else if (/^\*\*\* End Patch/.test(line)) break;
    else if (line.startsWith('@@')) section?.pieces.push([]);
    else if (/^[ +-]/.test(line) || line === '') section?.pieces.at(-1)?.push(line);
  }
  if (section !== undefined) writes.push(finished(section));
  return writes;
}

interface Section {
  readonly path: string;
  readonly isNew: boolean;
  readonly pieces: string[][];
}

const filesMax = 200;

function finished({ path, isNew, pieces }: Section): FileWrite {
  const edits: TextEdit[] = pieces
    .filter((piece) => piece.some((line) => line !== ''))
    .map((piece) => {
      const side = (sign: string) =>
        piece
          .filter((line) => line === '' || line[0] === ' ' || line[0] === sign)
          .map((line) => line.slice(1));
      const after = side('+').join('\n');
      return { before: isNew ? undefined : side('-').join('\n'), after, everywhere: false };
    });
  return { path, edits };
}
