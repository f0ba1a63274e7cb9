/*
 * Most blocks are calls of `pawl` and nothing that needs a shell. They are called in this process, because a shell that
 * starts Node for each of them takes twenty times as long.
 */

/** One line of a block. */
export type Line =
  | {
      readonly kind: 'pawl';
      readonly args: readonly string[];
      /** How the line says that it ends; undefined: it has to succeed. */
      readonly code: number | undefined;
    }
  | { readonly kind: 'shell'; readonly text: string };

/** The lines of a block; undefined where they need one shell in which all of them run. */
export function plainLines(text: string): Line[] | undefined {
  if (needsOneShell.test(text)) return undefined;
  const lines: Line[] = [];
  for (const line of text.split('\n')) {
    const [, command = '', comment = ''] = /^(.*?)(\s+#.*|)$/.exec(line.trim()) ?? [];
    if (command === '' || command.startsWith('#')) continue;
    const words = wordsOf(command);
    const args = words && argumentsOf(words);
    if (args === undefined) lines.push({ kind: 'shell', text: line });
    else lines.push({ kind: 'pawl', args, code: codeIn(comment) });
  }
  return lines;
}

/** A folder or a variable that later lines are about, and what goes over several lines. */
const needsOneShell = /^\s*(cd|export|for|if|while|\w+=)|\\$|<<|"[^"\n]*$/m;

/** Undefined: more than plain words, which a shell has to read. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = [];
  let rest = command;
  while (rest !== '') {
    const [whole, plain, single, double] =
      /^(?:([\w./:=,@%+-]+)|'([^']*)'|"([^"$`\\]*)")(?=\s|$)\s*/.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    words.push(plain ?? single ?? double ?? '');
    rest = rest.slice(whole.length);
  }
  return words;
}

/** What follows `pawl` or `npx pawl`. */
function argumentsOf([first, second, ...rest]: readonly string[]): string[] | undefined {
  if (first === 'pawl') return second === undefined ? [] : [second, ...rest];
  return first === 'npx' && second === 'pawl' ? rest : undefined;
}

/** `# exit 4`, as in what people read. */
function codeIn(comment: string): number | undefined {
  const code = /\bexit (?:code )?(\d+)/.exec(comment)?.[1];
  return code === undefined ? undefined : Number(code);
}
