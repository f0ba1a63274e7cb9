/*
 * Which arguments of a command say what is run: the program, and texts that a shell or an interpreter reads as one. What
 * comes from a unit, a model or a file must not become part of them.
 */

/**
 * The interpreter of which the argument is a program text or code to load first, as in `sh -c TEXT` or `node --eval=TEXT`:
 * what is spliced into it would be run. Undefined: it is neither.
 */
export function interpreterOf(argv: readonly string[], index: number): string | undefined {
  const argument = argv[index] ?? '';
  const flagAt = isAttached(argument) || isSplitByEnv(argv, index) ? index : index - 1;
  const flag = argv[flagAt];
  if (flag === undefined || (flagAt < index && !isScriptFlag(argv, flagAt))) return undefined;
  const program = argv.findLastIndex((one, at) => at < flagAt && isInterpreter(one));
  // Behind the name of a script, flags are the script's own.
  const between = argv.slice(program + 1, flagAt);
  const isFlag = (one: string, at: number) => /^[-+/]/.test(one) || flagWithValue.test(between[at - 1] ?? '');
  return program !== -1 && between.every(isFlag) ? argv[program] : undefined;
}

/** The place of the program that a command starts in the end, behind wrappers such as `env X=1` and `timeout 5s`. */
export function programIndex(argv: readonly string[]): number {
  return programIndexes(argv).at(-1) ?? 0;
}

/** The variables that an argument sets for the program behind it, as in `env NAME=…` and `env -S 'NAME=… PROGRAM'`. */
export function assignedNames(argv: readonly string[], index: number): string[] {
  const argument = argv[index] ?? '';
  const isSplit = argv.slice(0, index).some((one) => programName(one) === 'env') && isSplitText(argv, index);
  if (isSplit)
    return [...argument.matchAll(/(?:^-\w*?S|[\s"'=]|^)([A-Za-z_]\w*)=/g)].map(([, name = '']) => name);
  return index < programIndex(argv) ? (/^[A-Za-z_]\w*(?==)/.exec(argument) ?? []) : [];
}

function isSplitText(argv: readonly string[], index: number): boolean {
  const splitting = /^(-[a-zA-Z]*S|--split-string)$/;
  return splitting.test(argv[index - 1] ?? '') || /^(-[a-zA-Z]*S|--split-string=)./.test(argv[index] ?? '');
}

/**
 * The program that runs this argument although it is no interpreter: `awk TEXT` and `sed TEXT` can start others, and `su`,
 * `script`, `flock` and `npx` hand the text behind `-c` to a shell. Undefined: it is none of these.
 */
export function textRunnerOf(argv: readonly string[], index: number): string | undefined {
  const at = programIndexes(argv).find((one) => one < index && isTextOf(argv, one, index));
  return at === undefined ? undefined : argv[at];
}

function isTextOf(argv: readonly string[], program: number, index: number): boolean {
  const name = programName(argv[program] ?? '');
  const [argument = '', before = ''] = [argv[index], argv[index - 1]];
  if (shellCaller.test(name)) {
    // Behind the program that it starts, flags are that program's own.
    const wrapper = wrappers.get(name);
    const isOwn = wrapper === undefined || operandAfter(argv, program + 1, wrapper) > index;
    return isOwn && (/^(-[a-z]*c|--command|--call)$/.test(before) || /^--(command|call)=/.test(argument));
  }
  const filter = filters.find(({ names }) => names.test(name));
  if (filter === undefined) return false;
  if (filter.textFlag.test(before) || filter.attached.test(argument)) return true;
  // With a flag that brings the text, every operand is a file.
  const flags = argv.slice(program + 1);
  if (flags.some((one) => filter.textFlag.test(one) || filter.attached.test(one) || /^(-f|--file)/.test(one)))
    return false;
  return operandAfter(argv, program + 1, { valued: filter.valued, operands: 0 }) === index;
}

const shellCaller = /^(su|runuser|script|flock|npx|pnpx)$/;
const filters = [
  {
    names: /^[gmn]?awk$/,
    textFlag: /^(-e|--source)$/,
    attached: /^(-e.|--source=)/,
    valued: /^-[Fv]$/,
  },
  {
    names: /^g?sed$/,
    textFlag: /^(-[a-zE]*e|--expression)$/,
    attached: /^--expression=/,
    valued: /^-[lL]$/,
  },
];

/** The program that is named first, and those that it starts. */
function programIndexes(argv: readonly string[]): number[] {
  const found = [0];
  for (;;) {
    const at = found.at(-1) ?? 0;
    const wrapper = wrappers.get(programName(argv[at] ?? ''));
    const next = wrapper === undefined ? undefined : operandAfter(argv, at + 1, wrapper);
    if (next === undefined || next >= argv.length) return found;
    found.push(next);
  }
}

const interpreter =
  /^((ba|da|z|k|a|fi)?sh|cmd|powershell|pwsh|node|deno|bun|python[\d.]*|pypy[\d.]*|perl|ruby|php|lua[\d.]*|julia|elixir|rscript|osascript|tsx|ts-node)(\.exe)?$/;
const scriptFlag =
  /^(-[a-z]*[ce]|-[pr]|--eval|--print|--exec|--run|--command|--init-command|-command|-encodedcommand|--require|--import|--loader|--experimental-loader|\/[ck])$/i;
const scriptFlagWithText =
  /^(--(eval|print|exec|run|command|init-command|require|import|loader|experimental-loader)|-(command|encodedcommand))[=:]/i;
/** Perl, Python and others take the text behind the letter as well. The first letters here have values of their own. */
const scriptLetterWithText = /^-(?![WXIMmCoOQ])[a-zA-Z]*?[ceEr]./;
const cmdTextAttached = /^\/[ck](?=[^a-z])/i;
const flagWithValue = /^([-+]o|-O|-[WXIrM]|--require|--import|--loader)$/;

function isAttached(argument: string): boolean {
  return [scriptFlagWithText, scriptLetterWithText, cmdTextAttached].some((form) => form.test(argument));
}

function isSplitByEnv(argv: readonly string[], at: number): boolean {
  return /^(-S|--split-string=)./.test(argv[at] ?? '') && programName(argv[at - 1] ?? '') === 'env';
}

/** `env -S TEXT` splits its text into a command, and `deno eval TEXT` has a word in place of a flag. */
function isScriptFlag(argv: readonly string[], at: number): boolean {
  const [before = '', flag = ''] = [argv[at - 1], argv[at]];
  if (flag === 'eval') return programName(before) === 'deno';
  return scriptFlag.test(flag) || (/^(-S|--split-string)$/.test(flag) && programName(before) === 'env');
}

function isInterpreter(argument: string): boolean {
  const name = programName(argument);
  return interpreter.test(name) || name === 'env';
}

function programName(argument: string): string {
  return (argument.split(/[\\/]/).at(-1) ?? '').toLowerCase();
}

/** A program that starts the one behind its own arguments. */
interface Wrapper {
  /** Flags with a value of their own behind them. */
  readonly valued: RegExp;
  /** Arguments without a flag that come before the program. */
  readonly operands: number;
}

const wrapper = (valued: RegExp, operands = 0): Wrapper => ({ valued, operands });
const none = /^$/;

const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  ['env', wrapper(/^(-[uC]|--unset|--chdir)$/)],
  ['nice', wrapper(/^(-n|--adjustment)$/)],
  ['ionice', wrapper(/^-[cn]$/)],
  ['nohup', wrapper(none)],
  ['setsid', wrapper(none)],
  ['time', wrapper(/^-[fo]$/)],
  ['timeout', wrapper(/^(-[ks]|--signal|--kill-after)$/, 1)],
  ['stdbuf', wrapper(/^-[ioe]$/)],
  ['taskset', wrapper(none, 1)],
  ['chrt', wrapper(none, 1)],
  ['sudo', wrapper(/^-[ugCDhprRtT]$/)],
  ['doas', wrapper(/^-[uC]$/)],
  ['xargs', wrapper(/^-[adEILnPs]$/)],
  ['busybox', wrapper(none)],
  ['flock', wrapper(/^(-[wEc]|--timeout|--wait|--conflict-exit-code|--command)$/, 1)],
  ['strace', wrapper(/^-[abeEIoOpPsSuUX]$/)],
  ['watch', wrapper(/^(-n|--interval)$/)],
  ['npx', wrapper(/^(-[pwc]|--package|--workspace|--call)$/)],
  ['pnpx', wrapper(/^(--package|-c|--call)$/)],
  ['bunx', wrapper(/^(-p|--package)$/)],
  ['uvx', wrapper(/^(-p|--python|--from|--with)$/)],
]);

function operandAfter(argv: readonly string[], from: number, { valued, operands }: Wrapper): number {
  let left = operands;
  let at = from;
  for (; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (valued.test(argument)) at += 1;
    else if (argument.startsWith('-') || /^[A-Za-z_]\w*=/.test(argument)) continue;
    else if (left === 0) break;
    else left -= 1;
  }
  return at;
}

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
