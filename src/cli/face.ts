import { fstatSync, writeSync } from 'node:fs';
import { localTime } from '../base/clock.ts';
import { agentHere, isCi } from '../engine/person.ts';
import { screenText } from '../report/words/screen.ts';
import { asciiSymbols, noPaint, type Paint, type Style, unicodeSymbols } from '../report/words/style.ts';
import { LineWriter } from './line-writer.ts';

/** Where a command speaks, and to whom. */
export interface Face {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly outStyle: Style;
  readonly errStyle: Style;
  /** A person can be asked: there is a terminal, no coding agent or CI job made it, and no option forbids it. */
  readonly canAsk: boolean;
  /** Progress may be drawn over and over, instead of line by line. */
  readonly canDraw: boolean;
  /** Where several documents are printed, one per line; undefined: there is one, or text. */
  readonly lines?: LineWriter | undefined;
  /** The result, as people read it: broken between words where a terminal is narrower. */
  out(text: string): void;
  /** A result that is copied or read by programs: a document, a script, a comparison of files. */
  outAsIs(text: string): void;
  /** Everything that is not the result. */
  err(text: string): void;
  /** Whoever reads the result has taken all of it. */
  isRead(): boolean;
}

export interface FaceOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  /** False: nobody is asked anything (`--no-input`, `--json`, `-q`). */
  readonly input: boolean;
  /** Several JSON documents are printed, each on a line of its own. */
  readonly lines?: boolean;
  /** The path as it was typed. */
  readonly path: string | undefined;
  /** The run as it was typed. */
  readonly run?: string | undefined;
  /** The options that narrow the call, as typed. */
  readonly narrowing?: readonly string[];
  /** There is no room for the result: what was written of it is cut off. */
  readonly resultLost: (code: string) => void;
}

export async function openFace(options: FaceOptions): Promise<Face> {
  const openOut = options.json ? reserveStdout() : () => process.stdout;
  if (options.json && !options.lines && !process.env.FORCE_COLOR && isForPrograms(1) && isForPrograms(2))
    return programsFace(options, openOut);
  const { isatty } = process.getBuiltinModule('node:tty');
  const { stderr, env } = process;
  const stdout = openOut();
  const isDumb = env.TERM === 'dumb';
  stdout.on('error', (error) => notWritten(error, options));
  stderr.on('error', ignore);
  const styleOf = async (stream: NodeJS.WriteStream): Promise<Style> => ({
    paint: options.color && wantsColor(env, stream.isTTY && !isDumb) ? await colors() : noPaint,
    symbols: speaksUtf8(env) ? unicodeSymbols : asciiSymbols,
    width: stream.columns || widthOfFiles,
    path: options.path,
    ...(options.run !== undefined && { run: options.run }),
    ...(options.narrowing && { narrowing: options.narrowing }),
    localTime,
  });
  return {
    json: options.json,
    quiet: options.quiet,
    outStyle: await styleOf(stdout),
    errStyle: await styleOf(stderr),
    // Asked of the system: `process.stdin` is a stream, and making it costs every call three milliseconds.
    canAsk: options.input && stderr.isTTY && isatty(0) && agentHere(env) === undefined && !isCi(env),
    canDraw: stderr.isTTY && !isDumb,
    ...(options.lines && { lines: new LineWriter(stdout) }),
    out: (text) => void stdout.write(`${screenText(text, columnsOf(stdout))}\n`),
    outAsIs: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${screenText(text, columnsOf(stderr))}\n`),
    isRead: () => isTaken(stdout),
  };
}

/**
 * With `--json` stdout is for one document: whatever else is printed in this process, by a phase or a check of the user's,
 * goes to stderr. Gives the stream back that it was.
 */
function reserveStdout(): () => NodeJS.WriteStream {
  const own = Object.getOwnPropertyDescriptor(process, 'stdout');
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => process.stderr });
  return () => own?.get?.call(process) ?? own?.value;
}

/** Undefined where there is no terminal: a file is not broken into lines. */
function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY ? stream.columns : undefined;
}

function isTaken({ destroyed, writableLength }: NodeJS.WriteStream): boolean {
  return destroyed || writableLength === 0;
}

/** A terminal is a device; that /dev/null is one as well does no harm. */
function isForPrograms(fd: number): boolean {
  try {
    return !fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Without streams, which cost a loop of agents two milliseconds of every call: nothing is drawn, and nobody is asked. */
function programsFace(options: FaceOptions, openOut: () => NodeJS.WriteStream): Face {
  const { json, quiet, path, run, narrowing } = options;
  let stream: NodeJS.WriteStream | undefined;
  const symbols = speaksUtf8(process.env) ? unicodeSymbols : asciiSymbols;
  const named = { ...(run !== undefined && { run }), ...(narrowing && { narrowing }) };
  const style: Style = { paint: noPaint, symbols, width: widthOfFiles, path, localTime, ...named };
  const err = (text: string) =>
    void process.stderr
      .off('error', ignore)
      .on('error', ignore)
      .write(`${screenText(text, undefined)}\n`);
  const outAsIs = (text: string) => {
    const bytes = Buffer.from(`${text}\n`);
    const written = writeAtOnce(bytes, options);
    if (written === bytes.length) return;
    stream ??= openOut().on('error', (error) => notWritten(error, options));
    stream.write(bytes.subarray(written));
  };
  const isRead = () => stream === undefined || isTaken(stream);
  const out = (text: string) => outAsIs(screenText(text, undefined));
  const styles = { outStyle: style, errStyle: style };
  return { json, quiet, ...styles, canAsk: false, canDraw: false, out, outAsIs, err, isRead };
}

/** What a pipe takes at once is written at once. More than that is left to a stream: nobody could stop us while we wait. */
function writeAtOnce(bytes: Uint8Array, options: FaceOptions): number {
  try {
    return bytes.length <= atOnceBytesMax ? writeSync(1, bytes) : 0;
  } catch (error) {
    notWritten(error, options);
    return codeOf(error) === 'EAGAIN' ? 0 : bytes.length;
  }
}

const atOnceBytesMax = 16 * 1024;

/** A reader that closes early, or a terminal that is gone, must not end a run that pays for itself. */
function ignore(): void {}

function notWritten(error: unknown, { resultLost }: FaceOptions): void {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') resultLost(code);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
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
