import { interpreterOf, programIndex } from '../phases/program-text.ts';

/** A word of a command that may name a script. */
export interface CommandWord {
  readonly path: string;
  /** It is what runs: a file that is missing there is one that was removed. Other words may name anything. */
  readonly isScript: boolean;
}

/** The words of a command that may name files: all but flags, and those that differ from unit to unit. */
export function commandWords(argv: readonly string[]): CommandWord[] {
  const program = programIndex(argv);
  const script = scriptAfter(argv, program);
  return argv.flatMap((word, at): CommandWord[] => {
    if (interpreterOf(argv, at) !== undefined) return wordsOfText(word);
    if (word === '' || word.startsWith('-') || !isPath(word)) return [];
    // What has no slash is looked for on the PATH, and not in the workspace.
    if (at <= program && isOnPath(word)) return [];
    return [{ path: word, isScript: at === script || at === program }];
  });
}

/** What a system could take for a path, and Pawl fills nothing into. */
function isPath(word: string): boolean {
  const isShort = word.length <= 1024 && word.split('/').every((name) => name.length <= 255);
  return isShort && !/[{\n\0]/.test(word);
}

function isOnPath(word: string): boolean {
  return !word.includes('/');
}

/** The first word behind an interpreter that is no flag, if its name says that it is a script. */
function scriptAfter(argv: readonly string[], program: number): number | undefined {
  const at = argv.findIndex((word, at) => at > program && !word.startsWith('-'));
  return scriptEnding.test(argv[at] ?? '') ? at : undefined;
}

/** Of a text for a shell only what looks like a script, because its other words may be anything. */
function wordsOfText(text: string): CommandWord[] {
  const words: CommandWord[] = [];
  for (const [, redirect, word = ''] of text.matchAll(/(>?)\s*([^\s'"`;|&<>()$={}]+)/g)) {
    const isNamed = /^\.{0,2}\//.test(word) || scriptEnding.test(word);
    if (isNamed && redirect === '' && isPath(word)) words.push({ path: word, isScript: false });
  }
  return words;
}

const scriptEnding = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|r|jl|sh|bash|zsh|fish|ps1|awk|sed|jq|sql)$/i;
