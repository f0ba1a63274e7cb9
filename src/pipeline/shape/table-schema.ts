import { z } from 'zod';

/** What cannot be seen on the page cannot be looked for there. */
const words = z.string().max(200).regex(/\S/);
const list = z.array(words).min(1).max(100);

const section = words.describe('The heading above the table, at any level');

/** The part of a manifest that says what a table in a Markdown file must hold. */
export const tableSchema = z
  .union([
    section,
    z.strictObject({
      section,
      columns: list.optional().describe('Columns that must be there, with no cell left open'),
      rows: z.int().min(1).max(10_000).optional().describe('Rows at least. Default: `1`'),
      verdict: words.optional().describe('The column in which every row says one thing out of `allow`'),
      allow: list.optional().describe('What a verdict may be; needed with `verdict`'),
      justify: z
        .strictObject({
          when: list.describe('Verdicts out of `allow` that need a reason'),
          in: words.describe('The column that it stands in'),
          section: words
            .optional()
            .describe('The heading above another table, where the reasons stand there; needs `for`'),
          for: words
            .optional()
            .describe('The column of that table that names the row: its first cell, or a part of it'),
        })
        .optional()
        .describe('Which verdicts have to be justified'),
    }),
  ])
  .describe('A section of a Markdown file holds a table that is filled in');
