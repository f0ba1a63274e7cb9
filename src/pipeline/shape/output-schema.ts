import { z } from 'zod';
import { answerOutput } from './model-schema.ts';
import { argv, text } from './schema-parts.ts';
import { tableSchema } from './table-schema.ts';

const path = text;
const pngSide = z.int().min(1).max(1_000_000);

const check = z
  .union([
    z.enum(['non-empty', 'json', 'png', 'image']),
    z.strictObject({ 'json-schema': path.describe('JSON that fits the schema in this file') }),
    z.strictObject({
      regex: z.string().min(1).max(1000).describe('A pattern that is found somewhere in the text'),
      flags: z
        .string()
        .regex(/^[imsuv]*$/)
        .optional()
        .describe('Of the pattern: `i`, `m`, `s`, `u`, `v`'),
    }),
    z.strictObject({
      png: z
        .strictObject({
          width: pngSide.optional().describe('In pixels. Default: any'),
          height: pngSide.optional().describe('In pixels. Default: any'),
        })
        .describe('A whole PNG of this size'),
    }),
    z.strictObject({ 'markdown-table': tableSchema }),
    z.strictObject({
      command: argv.describe('A program that ends with 0 within a minute; `{file}` is the file'),
    }),
    z.strictObject({
      function: text.describe(
        'An exported function of a module that returns `true` or nothing within a minute: `./checks.mjs#isGood`',
      ),
    }),
  ])
  .describe('What proves the file');

/** What a phase makes: where it lies, and what proves it. */
export const output = z.union([
  path,
  z.strictObject({
    path: path.describe('Where it lies: a pattern with `{unit}`, the unit’s fields, `{attempt}` and `{run}`'),
    check: check.optional(),
    optional: z.boolean().optional().describe('An attempt may do without it. Default: `false`'),
    on_edit: z
      .enum(['refuse', 'adopt', 'ask'])
      .optional()
      .describe(
        'An edit by hand is refused, taken as the result where it passes the check, or asked about. Default: `refuse`',
      ),
    ...answerOutput,
  }),
]);
