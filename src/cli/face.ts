import { isatty } from 'node:tty';
import { asciiSymbols, noPaint, type Paint, type Style, unicodeSymbols } from '../report/words/style.ts';

/** Where a command speaks, and to whom. */
export interface Face {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly outStyle: Style;
  readonly errStyle: Style;
  /** A person sits there and can answer. */
  readonly canAsk: boolean;
  /** Progress may be drawn over and over, instead of line by line. */
  readonly canDraw: boolean;
  /** The result. */
  out(text: string): void;
  /** Everything that is not the result. */
  err(text: string): void;
}

export interface FaceOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  /** The path as it was typed. */
  readonly path: string | undefined;
}

export async function openFace(options: FaceOptions): Promise<Face> {
  const { stdout, stderr, env } = process;
  const isDumb = env.TERM === 'dumb';
  // A reader that closes early, or a terminal that is gone, must not end a run that pays for itself.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  const styleOf = async (stream: NodeJS.WriteStream): Promise<Style> => ({
    paint: options.color && wantsColor(env, stream.isTTY && !isDumb) ? await colors() : noPaint,
    symbols: speaksUtf8(env) ? unicodeSymbols : asciiSymbols,
    width: stream.columns || widthOfFiles,
    path: options.path,
  });
  return {
    json: options.json,
    quiet: options.quiet,
    outStyle: await styleOf(stdout),
    errStyle: await styleOf(stderr),
    // Asked of the system: `process.stdin` is a stream, and making it costs every call three milliseconds.
    canAsk: stderr.isTTY && isatty(0) && !options.json,
    canDraw: stderr.isTTY && !isDumb,
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
  };
}

/** Loaded where there are any: a pipe pays for none. */
async function colors(): Promise<Paint> {
  const { default: library } = await import('picocolors');
  return library.createColors(true);
}

/** https://no-color.org and its counterpart. */
export function wantsColor(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  return env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTerminal;
}

/** The first of these that is set decides, as it does for every other program; without any, what is usual today. */
export function speaksUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : env.TERM !== 'linux' && env.TERM !== 'dumb';
}

const widthOfFiles = 100;
