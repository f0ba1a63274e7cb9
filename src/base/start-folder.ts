import { isAbsolute, join } from 'node:path';

/** A command line without the folder that the command starts in. */
export interface StartFolder {
  /** As it was typed; of several each from the one before, as with git. Undefined: there is none. */
  readonly folder: string | undefined;
  readonly rest: readonly string[];
}

/** Takes `-C PATH` and `--dir PATH` out of a command line, wherever they stand before `--`. */
export function takeStartFolder(argv: readonly string[]): StartFolder {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const rest: string[] = [];
  let folder: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const isAlone = word === '-C' || word === '--dir';
    const path = isAlone ? words[at + 1] : /^(?:-C|--dir=)(.+)$/s.exec(word)?.[1];
    // Without its value it is left to the parser, which says so.
    if (path === undefined) {
      rest.push(word);
      continue;
    }
    if (isAlone) at++;
    folder = folder === undefined || isAbsolute(path) ? path : join(folder, path);
  }
  return { folder, rest: [...rest, ...(end === -1 ? [] : argv.slice(end))] };
}
