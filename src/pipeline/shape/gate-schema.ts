import { z } from 'zod';
import { text } from './schema-parts.ts';

/** Where a report decides whether a unit goes on. */
export const gateSchema = z
  .strictObject({
    verdict: text
      .optional()
      .describe(
        'Where the verdict stands in a JSON output of this phase, as OUTPUT.KEY: `report.status`. Needed without `bar`',
      ),
    pass: z
      .array(z.union([z.string(), z.number(), z.boolean()]))
      .min(1)
      .optional()
      .describe('Verdicts that let the unit go on; needed with `verdict`'),
    bar: z
      .number()
      .optional()
      .describe('The score that lets the unit go on; with a verdict, both have to be good. Needs `score`'),
    back_to: text.describe('Where the next round starts: this phase or one listed before'),
    iterations: z.int().min(1).max(1000).describe('Rounds in all'),
    plateau: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Ends the loop when so many rounds have brought no better score; below `iterations`. Needs `score`',
      ),
    regression: z
      .number()
      .min(0)
      .optional()
      .describe('Ends the loop when the score falls by more than this below the best. Needs `score`'),
    budget: z
      .number()
      .min(0.000001)
      .max(1_000_000_000)
      .optional()
      .describe('In USD: once the loop’s phases have cost the unit so much, no further round is begun'),
    cluster: z
      .int()
      .min(2)
      .max(1000)
      .optional()
      .describe(
        'Asks a person when the same defect was found in so many rounds, whatever `then` says; `iterations` at most. Needs `defects`',
      ),
    keep: z
      .enum(['last', 'best'])
      .optional()
      .describe(
        'The round that stands when the loop ends without a pass; of equal scores the earlier. `best` needs `score`. Default: `last`',
      ),
    // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a schema is never awaited
    then: z
      .enum(['stop', 'accept', 'ask'])
      .optional()
      .describe('When the loop ends without a pass. Default: `stop`'),
    score: text.optional().describe('A number in the same report: `report.composite`'),
    scores: text.optional().describe('Numbers by name: `report.scores`'),
    defects: text.optional().describe('A list of texts: `report.reasons`'),
  })
  .describe('Reads a verdict or a score from a report and goes back below the bar');
