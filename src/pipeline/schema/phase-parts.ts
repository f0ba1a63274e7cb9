import { z } from 'zod';
import { argv, durationSchema, expecting, json, name, text } from './parts.ts';

/** How a person's word may come. */
export const channels = z
  .array(z.enum(['terminal', 'page', 'script', 'mcp']))
  .min(1)
  .max(4)
  .describe('How a person’s answer may come. Default: `[terminal, page]`');

const onePoint = z.union([
  text,
  z.strictObject({
    name: text.max(200).describe('What people call it; two of one name are two'),
    when: z
      .enum(['before', 'after'])
      .optional()
      .describe('Before the phase starts, or after it has made something. Default: `after`'),
    show: z
      .array(text)
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Outputs of the same unit, as PHASE.OUTPUT, of this phase (only `after`) or of phases listed before. A decision is bound to their hashes and to nothing else. Default: what the phase has made; `before`: what it takes from other phases',
      ),
    back_to: text
      .optional()
      .describe(
        'The phase that a rejection sends back to: this one (only `after`) or one listed before. Where there is none, a rejection stops the unit. Default: the phase itself; `before`: the one that made the last thing shown, or the last of `needs`',
      ),
    channels: channels.optional().describe('How an answer may come. Default: those of the manifest'),
    expires: durationSchema
      .optional()
      .describe('An unanswered question that was asked longer ago is asked again. Default: never'),
  }),
]);

/** One point where a person decides, or several. */
export const checkpointSchema = z
  .union([onePoint, z.array(onePoint).min(1).max(20)])
  .describe(
    'Where a person decides before anything is built on it. A text is short for the `name`; a list is asked one after the other',
  );

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
const answerOutput = {
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
    time: durationSchema.optional().describe('Of all attempts together'),
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

/** What cannot be seen on the page cannot be looked for there. */
const words = z.string().max(200).regex(/\S/);
const list = z.array(words).min(1).max(100);

const section = words.describe('The heading above the table, at any level');

/** The part of a manifest that says what a table in a Markdown file must hold. */
const tableSchema = z
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
