import { fail, ok, type Result } from '../../base/result.ts';
import { callingStep, whoIsHere } from '../../engine/open/person.ts';
import type { DecideAnswer } from '../../engine/people/checkpoints/answers.ts';
import type { Failure } from '../../model/failure.ts';
import { type Call, flagOption, targetOf, textOption } from '../call.ts';
import { environmentOf, type Outcome, present } from '../command.ts';
import type { Face } from '../face.ts';
import { channelOf } from '../place.ts';

/** `approve` and `reject`; with `--continue` the run is then resumed. */
export async function performDecision(call: Call, face: Face): Promise<Outcome> {
  const allowed = mayDecide(call, face);
  if (!allowed.ok) return allowed;
  const command = call.command === 'approve' ? 'approve' : 'reject';
  const env = await environmentOf(face);
  if (command === 'reject' && !textOption(call, 'feedback') && !face.canAsk)
    return fail({ reason: 'missing-value', command, option: '--feedback' });
  const id = call.arguments[0] ?? (await chooseWaiting(call, face));
  if (id === undefined)
    return face.canAsk
      ? fail({ reason: 'declined', command })
      : fail({ reason: 'missing-argument', command, argument: '<checkpoint>' });
  const note = await readNote(call, face);
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
  if (!answer.ok || !flagOption(call, 'continue'))
    return present<DecideAnswer>(command, answer, {
      loadText: async () => (await import('../../text/checkpoints.ts')).decideText,
    });
  // The decision is shown before the run starts, because it is recorded however the run ends.
  const { decideText } = await import('../../text/checkpoints.ts');
  if (!face.json && !face.quiet) face.err(decideText(answer.value, face.errStyle, { goesOn: true }));
  return await resumeDecided(call, answer.value.heading.run, face);
}

/** In a terminal a rejection asks for its feedback, because the next attempt is given it. */
async function readNote(call: Call, face: Face): Promise<string | undefined> {
  if (call.command === 'approve') return textOption(call, 'note');
  const feedback = textOption(call, 'feedback');
  if (feedback || !face.canAsk) return feedback;
  const { askFeedback } = await import('../choose.ts');
  return await askFeedback(face);
}

/** A phase of the run cannot decide about it, because a decision is a person's. */
function mayDecide(call: Call, { io }: Face): Result<undefined, Failure> {
  const step = callingStep(io.process.variables);
  return step === undefined
    ? ok(undefined)
    : fail({ reason: 'inside-phase', command: call.command, cell: step });
}

/** Lets a person choose from the open checkpoints when the call names none. */
async function chooseWaiting(call: Call, face: Face): Promise<string | undefined> {
  if (!face.canAsk) return undefined;
  const { listCheckpoints } = await import('../../engine/people/checkpoints/list.ts');
  const listed = await listCheckpoints(await environmentOf(face), targetOf(call));
  const waiting = listed.ok ? listed.value.checkpoints.filter(({ state }) => state === 'waiting') : [];
  if (waiting.length === 0) return undefined;
  const { chooseCheckpoint } = await import('../choose.ts');
  return await chooseCheckpoint(face, waiting);
}

/** Names the run, because a plain `run` would ask which one where there are several. */
async function resumeDecided(call: Call, decided: string, face: Face): Promise<Outcome> {
  const { performRun } = await import('./perform-run.ts');
  const options = { run: decided, dir: textOption(call, 'dir') };
  return await performRun({ command: 'run', arguments: [], options }, face);
}
