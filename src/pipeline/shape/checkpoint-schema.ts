import { z } from 'zod';
import { duration, text } from './schema-parts.ts';

/** How a person's word may come. */
export const channels = z
  .array(z.enum(['terminal', 'page', 'script', 'mcp']))
  .min(1)
  .max(4)
  .describe('How a person’s answer may come. Default: `[terminal, page]`');

const onePoint = z.union([
  text,
  z.strictObject({
    name: text.max(200).describe('What people call it; two of one name are two'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe('Before the phase starts, or after it has made something. Default: `after`'),
    show: z
      .array(text)
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Outputs of the same unit, as PHASE.OUTPUT, of this phase (only `after`) or of phases listed before. A decision is bound to their hashes and to nothing else. Default: what the phase has made; `before`: what it takes from other phases',
      ),
    back_to: text
      .optional()
      .describe(
        'The phase that a rejection sends back to: this one (only `after`) or one listed before. Where there is none, a rejection stops the unit. Default: the phase itself; `before`: the one that made the last thing shown, or the last of `needs`',
      ),
    channels: channels.optional().describe('How an answer may come. Default: those of the manifest'),
    expires: duration
      .optional()
      .describe('An unanswered question that was asked longer ago is asked again. Default: never'),
  }),
]);

/** One point where a person decides, or several. */
export const checkpoint = z
  .union([onePoint, z.array(onePoint).min(1).max(20)])
  .describe(
    'Where a person decides before anything is built on it. A text is short for the `name`; a list is asked one after the other',
  );
