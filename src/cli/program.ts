import { fail, ok, type Result } from '../base/result.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
import { exitCodes, exitCodesOfSignals } from '../text/catalogue/exit-codes.ts';
import { exitCodeOfTrouble } from '../text/catalogue/exit-codes-of-troubles.ts';
import { lastLineJson } from '../text/event-json.ts';
import { jsonText } from '../text/style/plain.ts';
import { bugJson, bugText, endedJson, endedText } from './bug.ts';
import { type Call, pathOf } from './call.ts';
import { documentOf, type Outcome, type Reply } from './command.ts';
import type { CommandIo } from './command-io.ts';
import { performAlone } from './commands/alone.ts';
import { commands } from './commands.ts';
import { type Face, type FaceOptions, openFace } from './face.ts';
import { nearCommands, parseCall } from './parse.ts';
import { placeOf } from './place.ts';
import { narrowingOptions } from './selection.ts';
import { type Started, typedFrom } from './start-in.ts';

/** One call of the command before it is parsed. */
interface Invocation {
  readonly io: CommandIo;
  /** The words as they were typed, and without the folder that the command starts in. */
  readonly typed: readonly string[];
  readonly argv: readonly string[];
  readonly started: Started | undefined;
}

/** Parses, acts, prints the answer, and sets the exit code. */
export async function runProgram({ io, typed, argv, started }: Invocation): Promise<void> {
  const call = readCall(argv);
  const resultLost = (code: string) => void tellLost(face, code);
  const face = await openFace({
    ...(call.ok ? faceOptions(call.value, started) : faceOptionsIn(argv, started)),
    io,
    typed,
    place: placeOf(io, started, call.ok ? call.value : undefined),
    resultLost,
  });
  let isAnswered = false;
  io.onUncaught((error) => {
    // An error of something that a phase left running must not spoil an answer that was printed.
    if (isAnswered) return;
    tellBug(face, error);
    io.exitCode = exitCodes.bug;
    io.exit();
  });
  io.onExit((code) => {
    if (isAnswered || isOfOurs(code)) return;
    io.exitCode = exitCodes.bug;
    if (face.json) outJson(face, endedJson());
    else face.err(endedText);
  });
  try {
    await tell(
      face,
      call.ok ? call.value.command : undefined,
      call.ok ? await performIn(started, call.value, face) : fail(call.failure),
    );
  } catch (error) {
    io.exitCode = exitCodes.bug;
    tellBug(face, error);
  } finally {
    isAnswered = true;
    io.leaveWhen(() => face.isRead());
  }
}

/** A third signal, and a bug that was reported, end the process before it has answered. */
function isOfOurs(code: number): boolean {
  return code === exitCodes.bug || [...exitCodesOfSignals.values()].includes(code);
}

function readCall(argv: readonly string[]): Result<Call, CallProblem> {
  return argv.length === 0 ? ok({ command: 'alone', arguments: [], options: {} }) : parseCall(argv);
}

type CallFace = Omit<FaceOptions, 'io' | 'typed' | 'place' | 'resultLost'>;

function faceOptions(call: Call, started: Started | undefined): CallFace {
  const { json, quiet, color, input, events, watch } = call.options;
  return {
    json: json === true || events === true,
    quiet: quiet === true || events === true,
    lines: events === true || (watch === true && json === true),
    color: color !== false,
    input: input !== false && json !== true && quiet !== true && events !== true,
    path: typedFrom(started, pathOf(call)),
    narrowing: narrowingOptions(call),
    run: [call.options.run, call.options.resume].find((typed) => typeof typed === 'string'),
  };
}

/** A call that cannot be parsed is answered in the form that it asked for, too. */
function faceOptionsIn(argv: readonly string[], started: Started | undefined): CallFace {
  return {
    json: argv.includes('--json') || argv.includes('--events'),
    quiet: false,
    lines: argv.includes('--events'),
    color: !argv.includes('--no-color'),
    input: false,
    path: started?.folder,
  };
}

async function performIn(started: Started | undefined, call: Call, face: Face): Promise<Outcome> {
  if (started?.isMissing) return fail({ reason: 'folder-not-found', path: started.folder });
  return await perform(call, face);
}

async function perform(call: Call, face: Face): Promise<Outcome> {
  const command = commands.find(({ name }) => name === call.command);
  try {
    if (call.command === 'alone') return await performAlone(face);
    if (command !== undefined && 'perform' in command) return await command.perform(call, face);
  } catch (error) {
    // Commands load the use cases one by one; a disk may fail in any of them.
    const { diskFailure } = await import('../engine/open/answering.ts');
    return fail(diskFailure(error));
  }
  // Only `help` gets here, with a name that is no command: all else without `perform` is answered elsewhere.
  const name = call.arguments[0] ?? call.command;
  return fail({ reason: 'unknown-command', name, near: nearCommands(name, ['exit-codes']) });
}

/** Prints the outcome and sets the exit code. Words and shapes are loaded only as far as this outcome needs them. */
async function tell(face: Face, command: string | undefined, outcome: Outcome): Promise<void> {
  if (outcome.ok) {
    const reply = outcome.value;
    face.io.exitCode = outcome.exitCode ?? reply.exitCode;
    if (face.json) {
      outJson(face, (await loaded(documentOf(reply, face.outStyle.narrowing))) ?? bareFacts(reply));
    } else {
      const text = (await loaded(reply.loadText()))?.(face.outStyle) ?? jsonText(bareFacts(reply));
      if (reply.isAsIs) face.outAsIs(text);
      else face.out(text);
    }
    return;
  }
  const trouble = outcome.failure;
  face.io.exitCode = outcome.exitCode ?? exitCodeOfTrouble(trouble);
  if (face.json) {
    const shapes = await loaded(import('../text/catalogue/trouble-json.ts'));
    const document = shapes?.troubleJson(trouble, command, face.outStyle) ?? trouble;
    outJson(face, outcome.resumed === undefined ? document : { ...document, resumed: outcome.resumed });
  } else {
    const words = await loaded(import('../text/catalogue/failures.ts'));
    face.err(words?.troubleText(trouble, face.errStyle) ?? jsonText(trouble));
  }
}

function bareFacts({ command, answer }: Reply): object {
  return { command, answer };
}

/** With `--events` it is the last line. */
function outJson(face: Face, document: object): void {
  if (face.lines === undefined) face.outAsIs(jsonText(document));
  else face.lines.write(lastLineJson(document));
}

/** Stdout is cut off: the exit code must show it, so that no one takes the rest for the answer. */
async function tellLost(face: Face, code: string): Promise<void> {
  const trouble = { reason: 'disk-failed', code, operation: 'write', path: 'standard output' } as const;
  face.io.exitCode ||= exitCodeOfTrouble(trouble);
  const words = await loaded(import('../text/catalogue/failures.ts'));
  face.err(words?.troubleText(trouble, face.errStyle) ?? jsonText(trouble));
}

/**
 * Undefined when a module cannot be loaded any more: a phase has used up the file descriptors, or another version was
 * installed during the run. The result and its exit code stand, and are printed as bare facts.
 */
async function loaded<T>(loading: Promise<T>): Promise<T | undefined> {
  try {
    return await loading;
  } catch {
    return undefined;
  }
}

/** Prints at once and loads nothing, because after a bug nothing that this process does can be trusted. */
function tellBug(face: Face, error: unknown): void {
  if (face.json) outJson(face, bugJson(error));
  else face.err(bugText(error));
}
