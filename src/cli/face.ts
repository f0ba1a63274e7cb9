import { localTime } from '../base/clock.ts';
import type { CallPlace } from '../engine/open/environment.ts';
import { agentHere, isCi } from '../engine/open/person.ts';
import { screenText } from '../text/style/screen.ts';
import { asciiSymbols, noPaint, type Paint, type Style, unicodeSymbols } from '../text/style/style.ts';
import type { CommandIo, OutputStream } from './command-io.ts';
import { LineWriter } from './line-writer.ts';

/** Where a command prints, and whether it can ask a person. */
export interface Face {
  readonly io: CommandIo;
  /** What use cases need of this call. */
  readonly place: CallPlace;
  /** The words of the command line, without the name of the program. */
  readonly typed: readonly string[];
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
  /** The reader of stdout has taken everything. */
  isRead(): boolean;
}

export interface FaceOptions {
  readonly io: CommandIo;
  readonly place: CallPlace;
  readonly typed: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  /** False: no question is asked (`--no-input`, `--json`, `-q`). */
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
  const { io, place, typed } = options;
  const env = io.process.variables;
  const openOut = options.json ? io.reserveStdout() : () => io.stdout;
  const writeOut = options.json && !options.lines && !env.FORCE_COLOR ? io.writeOut : undefined;
  if (writeOut !== undefined) return programsFace(options, openOut, writeOut);
  const { stderr } = io;
  const stdout = openOut();
  const isDumb = env.TERM === 'dumb';
  stdout.on('error', (error) => notWritten(error, options));
  stderr.on('error', ignore);
  const styleOf = async (stream: OutputStream): Promise<Style> => ({
    paint: options.color && wantsColor(env, stream.isTTY === true && !isDumb) ? await colors() : noPaint,
    symbols: speaksUtf8(env) ? unicodeSymbols : asciiSymbols,
    width: stream.columns || widthOfFiles,
    path: options.path,
    ...(options.run !== undefined && { run: options.run }),
    ...(options.narrowing && { narrowing: options.narrowing }),
    localTime,
  });
  const isTerminal = stderr.isTTY === true;
  const isPerson = agentHere(env) === undefined && !isCi(env);
  return {
    io,
    place,
    typed,
    json: options.json,
    quiet: options.quiet,
    outStyle: await styleOf(stdout),
    errStyle: await styleOf(stderr),
    canAsk: options.input && isTerminal && io.hasTerminalInput() && isPerson,
    canDraw: isTerminal && !isDumb,
    ...(options.lines && { lines: new LineWriter(stdout) }),
    out: (text) => void stdout.write(`${screenText(text, columnsOf(stdout))}\n`),
    outAsIs: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${screenText(text, columnsOf(stderr))}\n`),
    isRead: () => isTaken(stdout),
  };
}

/** Undefined where there is no terminal: a file is not broken into lines. */
function columnsOf(stream: OutputStream): number | undefined {
  return stream.isTTY ? stream.columns : undefined;
}

function isTaken({ destroyed, writableLength }: OutputStream): boolean {
  return destroyed || writableLength === 0;
}

/** Without streams, which cost a loop of agents two milliseconds of every call: nothing is drawn, and no one is asked. */
function programsFace(
  options: FaceOptions,
  openOut: () => OutputStream,
  writeOut: (bytes: Uint8Array) => number,
): Face {
  const { io, place, typed, json, quiet, path, run, narrowing } = options;
  let stream: OutputStream | undefined;
  const symbols = speaksUtf8(io.process.variables) ? unicodeSymbols : asciiSymbols;
  const named = { ...(run !== undefined && { run }), ...(narrowing && { narrowing }) };
  const style: Style = { paint: noPaint, symbols, width: widthOfFiles, path, localTime, ...named };
  const err = (text: string) =>
    void io.stderr
      .off('error', ignore)
      .on('error', ignore)
      .write(`${screenText(text, undefined)}\n`);
  const outAsIs = (text: string) => {
    const bytes = Buffer.from(`${text}\n`);
    const written = writtenAtOnce(bytes, writeOut, options);
    if (written === bytes.length) return;
    if (stream === undefined) {
      stream = openOut();
      stream.on('error', (error) => notWritten(error, options));
    }
    stream.write(bytes.subarray(written));
  };
  const isRead = () => stream === undefined || isTaken(stream);
  const out = (text: string) => outAsIs(screenText(text, undefined));
  const said = { outStyle: style, errStyle: style, canAsk: false, canDraw: false };
  return { io, place, typed, json, quiet, ...said, out, outAsIs, err, isRead };
}

function writtenAtOnce(
  bytes: Uint8Array,
  writeOut: (bytes: Uint8Array) => number,
  options: FaceOptions,
): number {
  try {
    return writeOut(bytes);
  } catch (error) {
    notWritten(error, options);
    return codeOf(error) === 'EAGAIN' ? 0 : bytes.length;
  }
}

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

/** The first of these variables that is set decides, as in other programs; without any, UTF-8 is usual today. */
export function speaksUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : env.TERM !== 'linux' && env.TERM !== 'dumb';
}

const widthOfFiles = 100;
