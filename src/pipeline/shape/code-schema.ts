import { z } from 'zod';
import { text } from './schema-parts.ts';

const onChange = z
  .enum(['rerun', 'refuse', 'keep', 'ask', 'ignore'])
  .describe(
    'When the code is not what results were made with: they are made again (`rerun`), kept and shown as outdated (`keep`), or a person decides (`refuse`, `ask`); `ignore`: code is not tracked. Default: `keep`',
  );

/** What becomes of results whose code has changed, and which files count as code besides those that Pawl finds. */
export const codeSchema = z
  .union([
    onChange,
    z.strictObject({
      on_change: onChange.optional(),
      files: z
        .array(text)
        .min(1)
        .max(1000)
        .optional()
        .describe('More files of the workspace that count as code, such as modules that a script loads'),
    }),
  ])
  .describe(
    'The module of a function with its relative imports, and the script files of a command. What a phase says goes before what the pipeline says',
  );
