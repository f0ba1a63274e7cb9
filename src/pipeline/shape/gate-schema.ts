import { z } from 'zod';
import { text } from './schema-parts.ts';

/** Where a report decides whether a unit goes on. */
export const gateSchema = z
  .strictObject({
    verdict: text
      .optional()
      .describe('An output of this phase and the keys to the verdict in it: report.status'),
    pass: z
      .array(z.union([z.string(), z.number(), z.boolean()]))
      .min(1)
      .optional()
      .describe('Verdicts that let the unit go on'),
    bar: z
      .number()
      .optional()
      .describe('The score that lets the unit go on; with a verdict, both have to be good'),
    back_to: text.describe('The phase that the next round starts with'),
    iterations: z.int().min(1).max(1000).describe('Rounds in all'),
    plateau: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('Ends the loop when so many rounds have brought no better score'),
    regression: z
      .number()
      .min(0)
      .optional()
      .describe('Ends the loop when the score falls by more than this below the best'),
    budget: z
      .number()
      .min(0.000001)
      .max(1_000_000_000)
      .optional()
      .describe('In USD: once the loop has cost so much, no further round of the unit is begun'),
    cluster: z
      .int()
      .min(2)
      .max(1000)
      .optional()
      .describe('Asks a person when the same defect was found in so many rounds'),
    keep: z
      .enum(['last', 'best'])
      .optional()
      .describe('The round that stands when the loop ends without a pass. Default: last'),
    // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a schema is never awaited
    then: z
      .enum(['stop', 'accept', 'ask'])
      .optional()
      .describe('When the loop ends without a pass. Default: stop'),
    score: text.optional().describe('The keys to a number in the same report: report.composite'),
    scores: text.optional().describe('The keys to numbers by name: report.scores'),
    defects: text.optional().describe('The keys to a list of texts: report.reasons'),
  })
  .describe('Reads a verdict or a score from a report and goes back below the bar');
