import { z } from 'zod';
import { fail, ok } from '../../base/result.ts';
import type { CheckpointView } from '../../engine/observe/questions.ts';
import { callingStep, whoIsHere } from '../../engine/open/person.ts';
import { answerCheckpoint } from '../../engine/people/checkpoints/answer.ts';
import { listCheckpoints } from '../../engine/people/checkpoints/list.ts';
import { checkpointsText, decideText } from '../../text/checkpoints.ts';
import { type Outcome, toToolAnswer } from '../answer.ts';
import { cut } from '../parts.ts';
import { targetIn } from '../session.ts';
import { chosen, count, heading, nameInput, part } from '../shapes.ts';
import { type Connection, offer } from '../tool.ts';

/** Open checkpoints. They can be seen here, and answered only where the manifest allows it. */
export function offerCheckpoints(connection: Connection): void {
  offerList(connection);
  offerDecide(connection);
}

const channel = 'mcp';

const checkpoint = z.looseObject({
  id: z.string().optional().describe('C1; absent: it has not been asked yet.'),
  name: z.string(),
  unit: z.string().describe('Empty for what concerns every unit.'),
  phase: z.string(),
  question: z.enum(['approval', 'gate', 'change', 'attempts', 'interruptions', 'budget']),
  shown: z
    .array(z.looseObject({ label: z.string(), path: z.string().optional(), hash: z.string() }))
    .describe('What the decision is about: it counts for these bytes and for no others.'),
  askedAt: z.string().optional(),
  channels: z.array(z.string()).describe('How the answer may come.'),
  allowedHere: z.boolean().describe('Whether checkpoint_decide may hand on the answer.'),
});

function offerList(connection: Connection): void {
  offer(connection, {
    name: 'checkpoint_list',
    title: 'What a person has to decide',
    description:
      'Questions that wait for a person, with what each shows. Tell the person about them: the decision is theirs.',
    effect: 'looks',
    input: z.strictObject({ ...chosen, ...part }),
    output: { heading, checkpoints: z.array(checkpoint), total: count },
    async answer({ offset, limit, ...request }, { session }): Promise<Outcome> {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const listed = await listCheckpoints(session.env, target.value);
      if (!listed.ok) return listed;
      const { items, total } = cut(listed.value.checkpoints, offset, limit);
      const answer = { ...listed.value, checkpoints: items };
      const document = { heading: answer.heading, checkpoints: items.map(documentOf), total };
      return ok(toToolAnswer(answer, checkpointsText, document));
    },
  });
}

/** Without `decided`, because open checkpoints have no decision. */
function documentOf({ decided: _, ...view }: CheckpointView): object {
  return { ...view, allowedHere: view.channels.includes(channel) };
}

/** The same limit as on the command line. */
const noteLengthMax = 16_000;

function offerDecide(connection: Connection): void {
  offer(connection, {
    name: 'checkpoint_decide',
    title: 'Hand on what a person has decided',
    description:
      'Records the word of the person, who has seen what the question shows and said so themselves. Refused unless the manifest lets this question be answered by way of MCP. Never your own judgement.',
    effect: 'records',
    input: z.strictObject({
      ...chosen,
      id: nameInput.describe('The question: C1.'),
      decision: z.enum(['approved', 'rejected']),
      note: z
        .string()
        .min(1)
        .max(noteLengthMax)
        .optional()
        .describe('What the person said. Needed to reject: it is handed to whoever does the work again.'),
      keep: z.boolean().optional().describe('Where a file has changed: what was made from it is kept.'),
      restart_from: nameInput
        .optional()
        .describe('Where a file has changed: the phase from which everything is done again.'),
    }),
    output: { heading, checkpoint: z.looseObject({}), decision: z.string(), already: z.boolean() },
    async answer({ id, decision, note, keep, restart_from: restart, ...request }, { session }) {
      const command = decision === 'approved' ? 'approve' : 'reject';
      const step = callingStep(session.env.process.variables);
      if (step !== undefined) return fail({ reason: 'inside-phase', command, cell: step });
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const word = { id, decision, note, keep, restart, ...whoIsHere(), channel } as const;
      const decided = await answerCheckpoint(session.env, { ...target.value, ...word });
      return decided.ok ? ok(toToolAnswer(decided.value, decideText)) : decided;
    },
  });
}
