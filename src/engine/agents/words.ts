/**
 * A command line as a shell would split it, each word without its quotes; undefined when it is more than one command.
 * Nothing is expanded: `"$DIR"/x` becomes `$DIR/x`, and `$(…)` stays a part of its word.
 */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < line.length) {
    const piece = pieceAt(line, at);
    if (piece === undefined) return undefined;
    if (piece.text === undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + piece.text;
    at = piece.end;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** A word that a POSIX shell takes as it is. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A part of a word, or what separates two (no text); undefined where a command ends and another could begin. */
function pieceAt(line: string, at: number): { readonly text?: string; readonly end: number } | undefined {
  piece.lastIndex = at;
  const found = piece.exec(line);
  if (found === null) return undefined;
  const end = piece.lastIndex;
  const { space, single, double, substitution, escaped, plain } = found.groups ?? {};
  if (space !== undefined) return { end };
  return { text: single ?? double ?? substitution ?? escaped ?? plain ?? '', end };
}

const piece =
  /(?:(?<space>[ \t]+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\`]|\\.)*)"|(?<substitution>\$\([^()'"`]*\))|\\(?<escaped>[^\n])|(?<plain>[^\s'"\\;&|<>()`#]+))/y;
