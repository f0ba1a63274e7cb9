import { fail, ok, type Result } from '../base/result.ts';
import type { Answered } from '../text/answers.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
import { exitCodes, exitCodesOfSignals } from '../text/catalogue/exit-codes.ts';
import { exitCodeOfTrouble } from '../text/catalogue/exit-codes-of-troubles.ts';
import { lastLineJson } from '../text/event-json.ts';
import { exitCodeOfAnswer } from '../text/exit-codes.ts';
import { jsonText } from '../text/style/plain.ts';
import type { Style } from '../text/style/style.ts';
import { type Act, narrowingOptions, type Outcome, pathOf } from './act.ts';
import { bugJson, bugText, endedJson, endedText } from './bug.ts';
import type { Call } from './call.ts';
import type { CommandIo } from './command-io.ts';
import { type Face, type FaceOptions, openFace } from './face.ts';
import { parseCall } from './parse.ts';
import { placeOf } from './place.ts';
import { type Started, typedFrom } from './start-in.ts';

/** One call of the command, as far as it is known before it is parsed. */
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
  let isTold = false;
  io.onUncaught((error) => {
    // What a phase left running and nothing waits for any more must not spoil an answer that was given.
    if (isTold) return;
    tellBug(face, error);
    io.exitCode = exitCodes.bug;
    io.exit();
  });
  io.onExit((code) => {
    if (isTold || isOfOurs(code)) return;
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
    isTold = true;
    io.leaveWhen(() => face.isRead());
  }
}

/** A third signal, and a bug that was told, end the process before it has answered. */
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

/** Even what cannot be parsed is answered in the form that was asked for. */
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

const acts: Readonly<Record<string, () => Promise<{ act: Act }>>> = {
  init: () => import('./acts/init.ts'),
  run: () => import('./acts/run.ts'),
  resume: () => import('./acts/run.ts'),
  next: () => import('./acts/next.ts'),
  start: () => import('./acts/next.ts'),
  complete: () => import('./acts/task.ts'),
  fail: () => import('./acts/task.ts'),
  block: () => import('./acts/task.ts'),
  unblock: () => import('./acts/task.ts'),
  heartbeat: () => import('./acts/task.ts'),
  release: () => import('./acts/task.ts'),
  graph: () => import('./acts/graph.ts'),
  plan: () => import('./acts/plan.ts'),
  why: () => import('./acts/why.ts'),
  status: () => import('./acts/status.ts'),
  runs: () => import('./acts/runs.ts'),
  logs: () => import('./acts/logs.ts'),
  history: () => import('./acts/history.ts'),
  prompt: () => import('./acts/prompt.ts'),
  cost: () => import('./acts/cost.ts'),
  inspect: () => import('./acts/inspect.ts'),
  report: () => import('./acts/report.ts'),
  diff: () => import('./acts/diff.ts'),
  verify: () => import('./acts/verify.ts'),
  checkpoints: () => import('./acts/checkpoints.ts'),
  show: () => import('./acts/checkpoints.ts'),
  approve: () => import('./acts/decide.ts'),
  reject: () => import('./acts/decide.ts'),
  cancel: () => import('./acts/cancel.ts'),
  adopt: () => import('./acts/adopt.ts'),
  undo: () => import('./acts/undo.ts'),
  restore: () => import('./acts/restore.ts'),
  reset: () => import('./acts/reset.ts'),
  repair: () => import('./acts/repair.ts'),
  gc: () => import('./acts/gc.ts'),
  brief: () => import('./acts/brief.ts'),
  decide: () => import('./acts/note.ts'),
  summary: () => import('./acts/note.ts'),
  agents: () => import('./acts/agents.ts'),
  doctor: () => import('./acts/doctor.ts'),
  schema: () => import('./acts/schema.ts'),
  explain: () => import('./acts/explain.ts'),
  completion: () => import('./acts/completion.ts'),
  alone: () => import('./acts/alone.ts'),
};

async function performIn(started: Started | undefined, call: Call, face: Face): Promise<Outcome> {
  if (started?.isMissing) return fail({ reason: 'folder-not-found', path: started.folder });
  return await perform(call, face);
}

async function perform(call: Call, face: Face): Promise<Outcome> {
  const load = acts[call.command];
  // `help` is the only command of the table that is answered elsewhere; it comes here for a name it does not know.
  if (load === undefined) {
    const name = call.arguments[0] ?? call.command;
    const { nearCommands } = await import('./near-command.ts');
    return fail({ reason: 'unknown-command', name, near: nearCommands(name, ['exit-codes']) });
  }
  const { act } = await load();
  try {
    return await act(call, face);
  } catch (error) {
    // Acts load the use cases one by one; a disk may fail in any of them.
    const { diskFailure } = await import('../engine/open/answering.ts');
    return fail(diskFailure(error));
  }
}

/** What is not said is not loaded: most calls need neither the words for failures nor the shapes of JSON. */
async function tell(face: Face, command: string | undefined, outcome: Outcome): Promise<void> {
  if (outcome.ok) {
    const answered = outcome.value;
    face.io.exitCode = outcome.exitCode ?? exitCodeOfAnswer(answered);
    if (face.json) {
      outJson(face, (await documentFor(answered, face.outStyle)) ?? answered);
    } else {
      const words = (await wordsFor(answered, face.outStyle)) ?? jsonText(answered);
      if (isAsIs(answered)) face.outAsIs(words);
      else face.out(words);
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

/** What is copied, or read by programs, and so never broken into other lines. */
function isAsIs(answered: Answered): boolean {
  switch (answered.command) {
    case 'schema':
    case 'completion':
    case 'graph':
      return true;
    case 'inspect':
      return answered.as === 'csv';
    case 'brief':
      return !answered.answer.isCheck;
    default:
      return false;
  }
}

/** Of several lines it is the last one. */
function outJson(face: Face, document: object): void {
  if (face.lines === undefined) face.outAsIs(jsonText(document));
  else face.lines.write(lastLineJson(document));
}

/** Whoever reads a file that was cut off, and looks at the exit code, must not take it for the answer. */
async function tellLost(face: Face, code: string): Promise<void> {
  const trouble = { reason: 'disk-failed', code, operation: 'write', path: 'standard output' } as const;
  face.io.exitCode ||= exitCodeOfTrouble(trouble);
  const words = await loaded(import('../text/catalogue/failures.ts'));
  face.err(words?.troubleText(trouble, face.errStyle) ?? jsonText(trouble));
}

async function documentFor(answered: Answered, { narrowing }: Style): Promise<object | undefined> {
  if (answered.command === 'next')
    return (await loaded(import('../text/next-json.ts')))?.nextJson(answered.answer);
  return (await loaded(import('../text/json.ts')))?.answerJson(answered, narrowing);
}

/** What a loop of agents asks for all day is said without loading the words for everything else. */
async function wordsFor(answered: Answered, style: Style): Promise<string | undefined> {
  if (answered.command === 'next')
    return (await loaded(import('../text/tasks.ts')))?.nextText(answered.answer, style);
  return (await loaded(import('../text/answers.ts')))?.answerText(answered, style);
}

/**
 * Undefined when it cannot be had any more: a phase has used up the descriptors, or another version was installed while
 * the run went on. What came of the run stands, and so does its exit code; it is told in bare facts.
 */
async function loaded<T>(loading: Promise<T>): Promise<T | undefined> {
  try {
    return await loading;
  } catch {
    return undefined;
  }
}

/** At once and without loading anything: after a bug nothing that this process does can be trusted. */
function tellBug(face: Face, error: unknown): void {
  if (face.json) outJson(face, bugJson(error));
  else face.err(bugText(error));
}
