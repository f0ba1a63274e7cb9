import { z } from 'zod';
import { duration, expecting, json, name, text } from './schema-parts.ts';

/* What a manifest says of models: which one a phase asks, where they are found, and what may be spent. */

const tokens = z.int().min(1).max(100_000_000);
const usd = z.number().min(0.000001).max(1_000_000_000);

const modelUse = expecting(text.describe('PROVIDER/MODEL, or a name of models.use'), 'PROVIDER/MODEL');

/** Which model a phase asks, and how. */
export const modelSchema = z.union([
  modelUse,
  z.strictObject({
    use: modelUse,
    temperature: z
      .number()
      .min(0)
      .max(2)
      .optional()
      .describe('How much chance there is in an answer. Default: the provider’s own'),
    max_tokens: tokens
      .optional()
      .describe(
        'How long an answer may be; one that is cut off there is a failed attempt. Default: the provider’s own',
      ),
    top_p: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Only the likeliest words that add up to this share. Default: the provider’s own'),
    top_k: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Only so many of the likeliest words. Default: the provider’s own'),
    seed: z.int().optional().describe('For providers that answer the same for the same number'),
    stop: z.array(text).min(1).max(16).optional().describe('Texts that end the answer'),
    attach: z
      .array(name)
      .min(1)
      .max(100)
      .optional()
      .describe('Inputs of the phase that are sent as files beside the prompt: pictures, PDF, text'),
    options: z
      .record(z.string(), json)
      .optional()
      .describe('For the provider alone, as the AI SDK calls them there'),
  }),
]);

/** An output of a phase that asks a model. */
export const answerOutput = {
  from: expecting(z.string().regex(/^(text|json(\.[A-Za-z0-9_-]{1,64})?)$/), 'text, json or json.KEY')
    .optional()
    .describe(
      'Of a model’s answer: the text, the JSON, or one member of that (`json.KEY`). Default: `text`; with `schema`: `json`',
    ),
  schema: text
    .optional()
    .describe(
      'A JSON Schema file that a model’s answer is asked for in, where the provider can, and checked by; in place of `check`, and not with `from: text`',
    ),
};

const callLimits = {
  concurrency: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('Calls at a time; of a provider, of all its models together'),
  requests_per_minute: z.int().min(1).max(1_000_000).optional().describe('Calls that start within a minute'),
  tokens_per_minute: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe('Nothing starts while those of the last minute are as many'),
};

const provider = z.strictObject({
  api: z
    .enum(['anthropic', 'openai', 'google', 'openai-compatible'])
    .optional()
    .describe('How to speak with it. Default: what the name says, else `openai-compatible`'),
  base_url: text
    .optional()
    .describe(
      'Where it is: an http or https address without a user or a password, or `$NAME` of one. Default: the provider’s own; `ANTHROPIC_BASE_URL` and `OPENAI_BASE_URL` where they are set',
    ),
  key: text
    .optional()
    .describe(
      '`$NAME`: the variable that holds the key; never the key. Default: that of the `api`; none for `openai-compatible`',
    ),
  headers: z
    .record(z.string().min(1).max(200), text)
    .optional()
    .describe('Sent with every call; a text may end with `$NAME`'),
  function: text
    .optional()
    .describe(
      'A function of a module that answers in a model’s place, without any network: `./standin.mjs#answer`; then none of the four above',
    ),
  ...callLimits,
});

const perMillion = z.number().min(0).max(1_000_000);
const price = z.strictObject({
  input: perMillion.describe('Tokens that are sent'),
  output: perMillion.describe('Tokens of the answer'),
  cache_read: perMillion
    .optional()
    .describe('Tokens sent that the provider had kept. Default: what `input` says'),
  cache_write: perMillion
    .optional()
    .describe('Tokens sent that it was asked to keep. Default: what `input` says'),
});

/** Where models are found, what they are called here, what they cost and how fast they may be asked. */
export const modelsSchema = z
  .strictObject({
    use: z
      .record(name, text)
      .optional()
      .describe('Names for models, each a PROVIDER/MODEL: `writer: anthropic/claude-sonnet-5`'),
    providers: z.record(name, provider).optional().describe('Who is asked, by name'),
    prices: z
      .record(text, price)
      .optional()
      .describe('By PROVIDER/MODEL, in USD per million tokens; goes before what is built in'),
    limits: z
      .record(text, z.strictObject(callLimits))
      .optional()
      .describe('By PROVIDER/MODEL: how fast one model may be asked'),
  })
  .describe(
    'Where models are found, what they are called here and what they cost: never part of identity, but for what a name stands for',
  );

/** What may be spent, over every resume. */
export const budgetSchema = z
  .strictObject({
    usd: usd.optional().describe('Needs a price for every model that a phase under it asks'),
    tokens: z.int().min(1).max(1_000_000_000_000).optional().describe('Input and output together'),
    time: duration.optional().describe('Of all attempts together'),
    warn_at: expecting(z.string().regex(/^(100|[1-9]?\d)%$/), 'a share from 0% to 100%')
      .optional()
      .describe('Told from this share on. Default: `80%`'),
    strict: z
      .boolean()
      .optional()
      .describe(
        'Always reserves the most that a call under way may cost, also after calls of its phase have shown what they cost. Default: `false`',
      ),
  })
  .describe(
    'What may be spent. At the limit the run asks a person and goes on when they grant as much again',
  );

export type ManifestModel = z.input<typeof modelSchema>;
export type ManifestModels = z.input<typeof modelsSchema>;
export type ManifestBudget = z.input<typeof budgetSchema>;
