import { z } from 'zod';
import { duration, text } from './schema-parts.ts';

/** How a person's word may come. */
export const channels = z
  .array(z.enum(['terminal', 'page', 'script', 'mcp']))
  .min(1)
  .max(4)
  .describe('How a person’s answer may come. Default: terminal, page');

const onePoint = z.union([
  text,
  z.strictObject({
    name: text.max(200).describe('What people call it'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe('Before the phase starts, or after. Default: after'),
    show: z
      .array(text)
      .min(1)
      .max(100)
      .optional()
      .describe('PHASE.OUTPUT of this unit. Default: what the phase has made; before: what it takes'),
    back_to: text.optional().describe('The phase that a rejection sends back to. Default: the one shown'),
    channels: channels.optional(),
    expires: duration.optional().describe('A question that was asked longer ago is asked again'),
  }),
]);

/** One point where a person decides, or several. */
export const checkpoint = z
  .union([onePoint, z.array(onePoint).min(1).max(20)])
  .describe('Where a person decides before anything is built on it');
