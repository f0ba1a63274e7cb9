import { z } from 'zod';

/* What tools take and answer, as far as more than one of them does. A limit on everything that comes in. */

export const nameMax = 200;
const pathMax = 1_000;
const countMax = 1_000_000_000;

/** Which run a call is about. */
export const chosen = {
  run: z
    .string()
    .max(nameMax)
    .optional()
    .describe("A run's id, or the beginning of one. Default: the run of the manifest."),
  manifest: z
    .string()
    .max(pathMax)
    .optional()
    .describe(
      'Path of a manifest or of its folder, relative to the workspace. Needed only where there are several.',
    ),
} as const;

/** Which steps a call is about. */
export const selection = {
  unit: z
    .string()
    .max(pathMax)
    .optional()
    .describe(
      'Only these units: a comma list of globs such as `ch001_*` or `sc00[34]`, or numbers of counted units; `!GLOB` excludes.',
    ),
  phase: z.string().max(pathMax).optional().describe('Only these phases: a comma list.'),
  failed: z.boolean().optional().describe('Only steps that failed.'),
  outdated: z
    .boolean()
    .optional()
    .describe('Only steps that are kept as outdated, or consumed such a result.'),
} as const;

/** The number of an attempt, or of a byte. */
export const numberInput = z.int().min(0).max(countMax);

/** USD, or tokens. */
export const amountInput = z.number().min(0).max(1e12);

export const pathInput = z.string().min(1).max(pathMax);
export const nameInput = z.string().min(1).max(nameMax);
export const wordsInput = z.string().min(1).max(4_000);

export const stepInput = z
  .string()
  .max(2 * nameMax)
  .describe('A unit and a phase: `ch001_sc002/write`.');

/** Which part of a long list. */
export const part = {
  limit: z.int().min(1).max(500).default(50).describe('At most so many.'),
  offset: z.int().min(0).max(countMax).default(0).describe('How many to leave out at the beginning.'),
} as const;

/* Answers are described as far as a caller needs it: clients may show the whole description to a model, every time. */

/** Which run an answer is about. */
export const heading = z.looseObject({ run: z.string(), pipeline: z.string(), status: z.string() });

/** Facts with a stable code of their own. */
export const facts = z.array(z.looseObject({}));

/** Numbers by name. */
export const counts = z.looseObject({});

export const count = z.number();
