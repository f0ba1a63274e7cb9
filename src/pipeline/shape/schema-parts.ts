import { z } from 'zod';
import type { JsonValue } from '../../base/json.ts';
import { namePattern } from '../../model/names.ts';
import { durationPattern } from '../durations.ts';

/* What several parts of a manifest are made of. */

/** By schema, what is told as expected where something else stands: a pattern helps nobody. */
const expectations = new WeakMap<z.core.$ZodType, string>();

/** The schema, with a word for what it expects. */
export function expecting<Schema extends z.ZodType>(schema: Schema, expected: string): Schema {
  expectations.set(schema, expected);
  return schema;
}

export function expectedBy(schema: z.core.$ZodType): string | undefined {
  return expectations.get(schema);
}

export const name = z.string().regex(namePattern);

export const json = z.custom<JsonValue>();

export const text = z.string().min(1).max(1024);

/** How results are treated whose inputs changed: the words of `ChangePolicy`. */
export const changePolicy = z.enum(['refuse', 'ask', 'rerun', 'keep']);

export const duration = z
  .union([z.number(), expecting(z.string().regex(durationPattern), 'duration')])
  .describe('500ms, 2s, 10m, 1h, 14d, or a number of milliseconds');

export const argv = z
  .array(z.string().max(32_768))
  .min(1)
  .max(1024)
  .describe('A program and its arguments; never a shell');

export const programEnv = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), z.union([z.string(), z.number()]))
  .describe(
    'Added to the environment; `$NAME` takes a value from that of Pawl, `$NAME?` one that may be missing',
  );
