import { z } from 'zod';
import { ok } from '../../base/result.ts';
import type { BriefAnswer } from '../../engine/brief/answers.ts';
import { recordDecision } from '../../engine/brief/decide.ts';
import { showBrief } from '../../engine/brief/show.ts';
import { plain } from '../../text/style/plain.ts';
import { fitting } from '../parts.ts';
import { targetIn } from '../session.ts';
import { chosen, heading, nameInput, wordsInput } from '../shapes.ts';
import { type Connection, offer } from '../tool.ts';
import { requestOf } from './tasks.ts';

/** Decisions for later readers, and the brief that lists them. */
export function offerDecisions(connection: Connection): void {
  offer(connection, {
    name: 'decision_record',
    title: 'Put a decision on record',
    description:
      'Records something that was decided on the way (a library, a name, a way not taken) and why, so that whoever comes to the run later is told. It is no approval: that is a person’s.',
    effect: 'records',
    input: z.strictObject({
      ...chosen,
      actor: nameInput.optional().describe('Who decided. Default: a name of this connection.'),
      decision: wordsInput.describe('What was decided, in a sentence.'),
      because: wordsInput.optional().describe('Why.'),
      affects: z.array(z.string().min(1).max(256)).max(100).optional().describe('Tasks, files or stages.'),
    }),
    output: { heading, id: z.string(), decision: z.string(), actor: z.string() },
    async answer({ decision, because, affects, ...request }, caller) {
      const wanted = requestOf(request, caller);
      if (!wanted.ok) return wanted;
      const recorded = await recordDecision(caller.session.env, {
        ...wanted.value,
        decision,
        because,
        affects,
      });
      if (!recorded.ok) return recorded;
      return ok({
        text: `${recorded.value.id} is on record: ${plain(decision)}`,
        document: { ok: true, ...recorded.value },
      });
    },
  });
  offer(connection, {
    name: 'brief_get',
    title: 'The brief',
    description:
      'The document that orients whoever comes anew, made from the journal at this moment: where the run stands, what is next, what to read, what the gates found, what was decided. In few words, and whole as data.',
    effect: 'looks',
    input: z.strictObject(chosen),
    output: {
      heading,
      document: z.looseObject({ recovery_state: z.looseObject({ next_step: z.string() }) }),
      path: z.string().describe('Where it lies as a file.'),
      staleness: z.looseObject({ level: z.string(), code: z.string() }).describe('Of that file.'),
    },
    async answer(request, { session }) {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      // Only checked, because a tool that looks must not take in the notes of hooks and people.
      const shown = await showBrief(session.env, { ...target.value, check: true });
      if (!shown.ok) return shown;
      return ok({ text: shown.value.digest, document: { ok: true, ...documentOf(shown.value) } });
    },
  });
}

/** The newest decisions that fit into a message, because people write them at any length. */
function documentOf({ heading: of, brief, path, staleness }: BriefAnswer): object {
  const { items } = fitting(brief.decision_log.toReversed());
  return { heading: of, document: { ...brief, decision_log: items.toReversed() }, path, staleness };
}
