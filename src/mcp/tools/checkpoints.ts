import { z } from 'zod';
import { fail, ok } from '../../base/result.ts';
import { planPipeline } from '../../engine/plan.ts';
import { cellName } from '../../model/names.ts';
import { stopWords } from '../../report/reasons.ts';
import { cell as shownCell } from '../../report/words.ts';
import type { Outcome } from '../answer.ts';
import { cut } from '../cut.ts';
import { targetIn } from '../session.ts';
import { cellInput, chosen, count, heading, part, wordsInput } from '../shapes.ts';
import { type Connection, offer } from '../tool.ts';

/** What waits for a person. It can be seen from here; it is decided elsewhere. */
export function offerCheckpoints(connection: Connection): void {
  offerList(connection);
  offerDecide(connection);
}

function offerList(connection: Connection): void {
  offer(connection, {
    name: 'checkpoint_list',
    title: 'What a person has to decide',
    description:
      'Phases that wait for a person, with what they are asked. Tell the person about them: a decision cannot be made from here.',
    effect: 'looks',
    input: z.strictObject({ ...chosen, ...part }),
    output: {
      heading,
      checkpoints: z.array(
        z.looseObject({
          cell: z.string(),
          unit: z.string(),
          phase: z.string(),
          verdict: z.string(),
          iterations: count,
          report: z.string().describe('Hash of the report that the decision is about.'),
        }),
      ),
      total: count,
    },
    async answer({ offset, limit, ...request }, { session }): Promise<Outcome> {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const planned = await planPipeline(session.env, target.value);
      if (!planned.ok) return planned;
      const cells = [...planned.value.plan.units.values()].flatMap((unit) => unit.cells);
      const asking = cells.flatMap(({ unit, phase, decision }) => {
        if (decision.do !== 'stop' || decision.why.code !== 'gate-asks') return [];
        const { verdict, iterations, report } = decision.why;
        const line = `${shownCell(unit, phase)}: ${stopWords(decision.why)}`;
        return [{ line, asked: { cell: cellName(unit, phase), unit, phase, verdict, iterations, report } }];
      });
      const { items, total } = cut(asking, offset, limit);
      return ok({
        text: total === 0 ? 'nothing waits for a person' : items.map(({ line }) => line).join('\n'),
        document: {
          ok: true,
          heading: planned.value.heading,
          checkpoints: items.map(({ asked }) => asked),
          total,
        },
      });
    },
  });
}

function offerDecide(connection: Connection): void {
  offer(connection, {
    name: 'checkpoint_decide',
    title: 'Decide for a person',
    description:
      'Refused unless the manifest lets this checkpoint be decided by way of MCP: a person decides in a terminal of their own.',
    effect: 'records',
    input: z.strictObject({
      ...chosen,
      cell: cellInput,
      decision: z.enum(['accepted', 'rejected']),
      note: wordsInput.describe('What the person saw.'),
    }),
    output: {},
    // No manifest can allow this channel: whatever is asked, the answer is the same, and nothing is looked at.
    answer: async ({ cell }) => fail({ reason: 'channel-not-allowed', channel: 'mcp', cell }),
  });
}
