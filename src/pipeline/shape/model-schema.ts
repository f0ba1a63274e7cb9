import { z } from 'zod';
import type { JsonValue } from '../../base/json.ts';
import { namePattern } from '../../model/names.ts';
import { duration, text } from './schema-parts.ts';

/* What a manifest says of models: which one a phase asks, where they are found, and what may be spent. */

const name = z.string().regex(namePattern);
const json = z.custom<JsonValue>();
const tokens = z.int().min(1).max(100_000_000);
const usd = z.number().min(0.000001).max(1_000_000_000);

/** Which model a phase asks, and how. */
export const modelSchema = z.union([
  text.describe('PROVIDER/MODEL, or a name of models.use'),
  z.strictObject({
    use: text.describe('PROVIDER/MODEL, or a name of models.use'),
    temperature: z.number().min(0).max(2).optional(),
    max_tokens: tokens.optional().describe('Of the answer. Default: the provider’s own'),
    top_p: z.number().min(0).max(1).optional(),
    top_k: z.int().min(1).max(1_000_000).optional(),
    seed: z.int().optional(),
    stop: z.array(text).min(1).max(16).optional().describe('Texts that end the answer'),
    attach: z.array(name).min(1).max(100).optional().describe('Inputs that are sent as files: images, PDF'),
    options: z.record(z.string(), json).optional().describe('For the provider alone, as it calls them'),
  }),
]);

/** An output of a phase that asks a model. */
export const answerOutput = {
  from: z
    .string()
    .regex(/^(text|json(\.[A-Za-z0-9_-]{1,64})?)$/)
    .optional()
    .describe('The part of a model’s answer: text, json, or json.KEY. Default: text'),
  schema: text.optional().describe('A JSON Schema file that the answer is asked for in, and checked by'),
};

const callLimits = {
  concurrency: z.int().min(1).max(1024).optional().describe('Calls at a time'),
  requests_per_minute: z.int().min(1).max(1_000_000).optional(),
  tokens_per_minute: z.int().min(1).max(1_000_000_000).optional(),
};

const provider = z.strictObject({
  api: z
    .enum(['anthropic', 'openai', 'google', 'openai-compatible'])
    .optional()
    .describe('Default: what the name says, or openai-compatible'),
  base_url: text.optional().describe('https://…, or $NAME'),
  key: text.optional().describe('$NAME: the variable that holds the key'),
  headers: z.record(z.string().min(1).max(200), text).optional().describe('Values may be $NAME'),
  function: text
    .optional()
    .describe('Instead of an API, a function of a module answers: ./standin.js#answer'),
  ...callLimits,
});

const price = z.strictObject({
  input: z.number().min(0).max(1_000_000),
  output: z.number().min(0).max(1_000_000),
  cache_read: z.number().min(0).max(1_000_000).optional(),
  cache_write: z.number().min(0).max(1_000_000).optional(),
});

/** Where models are found, what they are called here, what they cost and how fast they may be asked. */
export const modelsSchema = z
  .strictObject({
    use: z.record(name, text).optional().describe('Names for models: writer: anthropic/claude-sonnet-5'),
    providers: z.record(name, provider).optional(),
    prices: z.record(text, price).optional().describe('By PROVIDER/MODEL, in USD per million tokens'),
    limits: z.record(text, z.strictObject(callLimits)).optional().describe('By PROVIDER/MODEL'),
  })
  .describe('Where models are found: never part of identity, but for what a name stands for');

/** What may be spent, over every resume. */
export const budgetSchema = z
  .strictObject({
    usd: usd.optional(),
    tokens: z.int().min(1).max(1_000_000_000_000).optional().describe('Input and output together'),
    time: duration.optional().describe('Of all attempts together'),
    warn_at: z
      .string()
      .regex(/^(100|[1-9]?\d)%$/)
      .optional()
      .describe('Told from this share on. Default: 80%'),
  })
  .describe('At the limit the run asks a person and goes on when they grant as much again');

export type ManifestModel = z.input<typeof modelSchema>;
export type ManifestModels = z.input<typeof modelsSchema>;
export type ManifestBudget = z.input<typeof budgetSchema>;
