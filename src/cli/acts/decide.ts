import { fail, ok, type Result } from '../../base/result.ts';
import { callingStep, whoIsHere } from '../../engine/open/person.ts';
import type { Failure } from '../../model/failure.ts';
import { type Act, type Outcome, targetOf } from '../act.ts';
import { type Call, flagOption, textOption } from '../call.ts';
import { channelOf } from '../channel.ts';
import type { Face } from '../face.ts';

/** `approve` and `reject`; with `--continue` the run then goes on. */
export const act: Act = async (call, face) => {
  const allowed = mayDecide(call, face);
  if (!allowed.ok) return allowed;
  const command = call.command === 'approve' ? 'approve' : 'reject';
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  if (command === 'reject' && !textOption(call, 'feedback') && !face.canAsk)
    return fail({ reason: 'missing-value', command, option: '--feedback' });
  const id = call.arguments[0] ?? (await chosenIn(call, face));
  if (id === undefined)
    return face.canAsk
      ? fail({ reason: 'declined', command })
      : fail({ reason: 'missing-argument', command, argument: '<checkpoint>' });
  const note = await noteOf(call, face);
  if (command === 'reject' && !note) return fail({ reason: 'declined', command });
  const { answerCheckpoint } = await import('../../engine/people/checkpoints/answer.ts');
  const answer = await answerCheckpoint(env, {
    ...targetOf(call),
    id,
    decision: command === 'approve' ? 'approved' : 'rejected',
    note,
    keep: flagOption(call, 'keep'),
    restart: textOption(call, 'restartFrom'),
    ...whoIsHere(),
    ...channelOf(face.io),
  });
  if (!answer.ok) return answer;
  if (!flagOption(call, 'continue')) return ok({ command, answer: answer.value });
  // It stands, whatever becomes of the run.
  const { decideText } = await import('../../text/checkpoints.ts');
  if (!face.json && !face.quiet) face.err(decideText(answer.value, face.errStyle, { goesOn: true }));
  return await goOn(call, answer.value.heading.run, face);
};

/** In a terminal a rejection asks for its feedback, because the next attempt is given it. */
async function noteOf(call: Call, face: Face): Promise<string | undefined> {
  if (call.command === 'approve') return textOption(call, 'note');
  const feedback = textOption(call, 'feedback');
  if (feedback || !face.canAsk) return feedback;
  const { askFeedback } = await import('../confirm.ts');
  return await askFeedback(face);
}

/** A decision is a person's: never that of a phase of the run. */
function mayDecide(call: Call, { io }: Face): Result<undefined, Failure> {
  const step = callingStep(io.process.variables);
  return step === undefined
    ? ok(undefined)
    : fail({ reason: 'inside-phase', command: call.command, cell: step });
}

/** Without a name a person chooses from what waits; there is no answer that stands for none. */
async function chosenIn(call: Call, face: Face): Promise<string | undefined> {
  if (!face.canAsk) return undefined;
  const { listCheckpoints } = await import('../../engine/people/checkpoints/list.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const listed = await listCheckpoints(systemEnvironment(face.place), targetOf(call));
  const waiting = listed.ok ? listed.value.checkpoints.filter(({ state }) => state === 'waiting') : [];
  if (waiting.length === 0) return undefined;
  const { chooseCheckpoint } = await import('../confirm.ts');
  return await chooseCheckpoint(face, waiting);
}

/** With the run that was decided about: a plain `run` would ask which one where there are several. */
async function goOn(call: Call, decided: string, face: Face): Promise<Outcome> {
  const { act: run } = await import('./run.ts');
  const dir = textOption(call, 'dir');
  const options = { run: decided };
  return await run({ command: 'run', arguments: dir === undefined ? [] : [dir], options }, face);
}
