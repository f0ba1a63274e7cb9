import { z } from 'zod';
import type { JsonValue } from '../../base/json.ts';
import { namePattern } from '../../model/names.ts';
import { channels, checkpoint } from './checkpoint-schema.ts';
import { foreignSchema } from './foreign-schema.ts';
import { gateSchema } from './gate-schema.ts';
import { answerOutput, budgetSchema, modelSchema, modelsSchema } from './model-schema.ts';
import { notifySchema } from './notify-schema.ts';
import { argv, duration, programEnv, text } from './schema-parts.ts';
import { tableSchema } from './table-schema.ts';

/*
 * The shape of a manifest: the one source of its type, its JSON Schema and its checks. What a value means, and
 * whether what it names exists, is decided by the rest of this room.
 */

/** How many units one pipeline may list. */
const unitsMax = 1_000_000;

const name = z.string().regex(namePattern);
const path = text;
const json = z.custom<JsonValue>();

const identity = z
  .record(name, z.union([text, z.number()]))
  .describe('What the run works on. Same identity = same run. Default: the pipeline’s name.');

const declaredFile = z.union([
  path,
  z.strictObject({
    path: path.describe('Relative to the workspace'),
    on_change: z
      .enum(['block', 'ask', 'rerun', 'ignore'])
      .optional()
      .describe(
        'When the file is another than the one results were made from; ask: a person chooses. Default: block',
      ),
  }),
]);

const state = z
  .strictObject({
    path: path.describe('Shows the newest committed state'),
    initial: path.describe('What the first unit starts from'),
    snapshots: path
      .optional()
      .describe('Where each unit’s state is kept. Default: state/{unit}.json beside `path`'),
    cascade: z
      .enum(['tell', 'rerun'])
      .optional()
      .describe('When a finished unit’s start state was made anew. Default: tell'),
  })
  .describe('A file that moves from unit to unit: each starts from what the one before committed');

const order = z
  .enum(['free', 'chain'])
  .optional()
  .describe('chain: each unit starts when the one before it is finished. Default: free');
const idPattern = text.optional();

const unitItem = z.union([
  z.string(),
  z
    .looseObject({ id: z.string(), needs: z.array(z.string()).optional() })
    .describe('A unit with fields of its own'),
]);

const unitList = z.array(unitItem).max(unitsMax);

/** Which fields of an item say how it is handed out. They are no part of what its results were made from. */
const itemFields = {
  needs: text.optional().describe('The field that lists the units it needs. Default: needs'),
  title: text.optional().describe('The field with what people call it. Default: title'),
  priority: text
    .optional()
    .describe(
      'The field with a number, P0 to P9, or critical, high, medium, low: first ones are handed out first',
    ),
  touches: z
    .union([text, z.array(text).min(1).max(20)])
    .optional()
    .describe('Fields that list what its work touches: units that touch the same are not handed out at once'),
  beside: text.optional().describe('The field that lists units it may be worked on beside all the same'),
};

const units = z
  .union([
    unitList,
    z.strictObject({ list: unitList, order }),
    z.strictObject({
      count: z.int().min(0).max(unitsMax).describe('How many'),
      start: z.int().min(0).max(1_000_000_000).optional().describe('The first index. Default: 0'),
      id: idPattern.describe('A pattern with {index}. Default: {index}'),
      order,
    }),
    z.strictObject({
      from: text.describe('A declared file and the keys to a list in it: outline.scenes'),
      id: idPattern.describe('A pattern with the item’s fields. Default: the item’s id, or the item itself'),
      ...itemFields,
      order,
    }),
    z.strictObject({
      artifact: text.describe('An output of an earlier stage and the keys to a list in it: plan.graph.tasks'),
      id: idPattern.describe('A pattern with the item’s fields. Default: the item’s id, or the item itself'),
      ...itemFields,
      order,
    }),
    z.strictObject({
      glob: path.describe('Files of the workspace: src/*.txt'),
      id: idPattern.describe('A pattern with {path}, {name}, {stem}. Default: {stem}'),
      order,
    }),
  ])
  .meta({ id: 'units' });

const prompt = z.union([
  path,
  z.strictObject({
    system: path.optional().describe('Template of the system prompt'),
    phase: path.describe('Template of the prompt'),
    override: path.optional().describe('Replaces `phase` where the file exists'),
    repair: path
      .optional()
      .describe('Sent to a model after an answer that could not be used, with what was wrong with it'),
  }),
]);

const run = z.union([
  z.strictObject({
    function: text.describe('An exported function of a module: ./phases.js#plan'),
  }),
  z.strictObject({
    command: argv,
    env: programEnv.optional(),
  }),
  z.strictObject({ inline: name }).describe('A function given in TypeScript; written by definePipeline'),
  z
    .strictObject({
      agent: name.describe('The role of those who may claim it'),
      lease: duration.optional().describe('How long a claim lasts without a heartbeat. Default: 15m'),
      files: text
        .optional()
        .describe('The unit’s field that lists files which have to be there when it is done'),
    })
    .describe('Claimed and completed from outside: pawl next, pawl complete'),
]);

const pngSide = z.int().min(1).max(1_000_000);

const check = z
  .union([
    z.enum(['non-empty', 'json', 'png', 'image']),
    z.strictObject({ 'json-schema': path.describe('A JSON Schema file') }),
    z.strictObject({
      regex: z.string().min(1).max(1000).describe('The file must match'),
      flags: z
        .string()
        .regex(/^[imsuv]*$/)
        .optional(),
    }),
    z.strictObject({
      png: z
        .strictObject({ width: pngSide.optional(), height: pngSide.optional() })
        .describe('A whole PNG of this size, in pixels'),
    }),
    z.strictObject({ 'markdown-table': tableSchema }),
    z.strictObject({ command: argv.describe('Exit code 0 is good; {file} is the file') }),
    z.strictObject({ function: text.describe('An exported function of a module: ./checks.js#isGood') }),
  ])
  .describe('What proves the file');

const output = z.union([
  path,
  z.strictObject({
    path: path.describe('A pattern with {unit}, the unit’s fields, {attempt} and {run}'),
    check: check.optional(),
    optional: z.boolean().optional().describe('An attempt may do without it. Default: false'),
    on_edit: z
      .enum(['refuse', 'adopt', 'ask'])
      .optional()
      .describe(
        'An edit by hand is refused, taken as the result where the check passes, or asked about. Default: refuse',
      ),
    ...answerOutput,
  }),
]);

const retries = z.union([
  z.int().min(1).max(1000).describe('Attempts in all'),
  z.strictObject({
    attempts: z.int().min(1).max(1000).optional().describe('In all, over every resume'),
    backoff: duration.optional().describe('Before the second attempt. Default: 1s'),
    // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a schema is never awaited
    then: z.enum(['stop', 'ask']).optional().describe('When they are used up. Default: stop'),
  }),
]);

const input = z.union([
  text,
  z.array(text).min(1),
  z.strictObject({
    from: text.describe('PHASE.OUTPUT'),
    of: z
      .enum(['previous', 'every'])
      .optional()
      .describe('The unit listed before, or every unit of an earlier stage. Default: the only unit of one'),
    on_change: z
      .enum(['rerun', 'tell'])
      .optional()
      .describe('When it has other bytes than the result was made from. Default: rerun'),
  }),
]);

const rung = z
  .strictObject({
    params: z.record(z.string(), json).optional().describe('Added to the phase’s params'),
    prompt: path.optional().describe('Instead of the phase’s template'),
  })
  .describe('What a later round of the gate’s loop does otherwise');

const rate = z.number().min(0).max(1);

const limits = z
  .strictObject({
    attempts: z.int().min(1).max(1_000_000).optional().describe('Attempts in all'),
    consecutive_failures: z.int().min(1).max(1_000_000).optional().describe('Bad ones in a row'),
    retry_rate: rate.optional().describe('Share of attempts that are not a unit’s first'),
    reject_rate: rate.optional().describe('Share of attempts that are bad'),
    after: z.int().min(1).max(1_000_000).optional().describe('Rates are asked after so many. Default: 10'),
  })
  .describe('When to stop the run; bad is what failed, or what its gate sent back');

const phase = z
  .strictObject({
    needs: z.array(z.string()).optional().describe('Phases listed before. Default: the one listed before'),
    when: z.literal('gate-failed').optional().describe('Only from the second round of a gate’s loop on'),
    prompt: prompt.optional(),
    run: run.optional(),
    model: modelSchema.optional().describe('Asks a model with the prompt, instead of `run`'),
    reuse: z
      .enum(['content', 'never'])
      .optional()
      .describe(
        'content: the same call is never paid twice, in whatever unit or run. Default: content at temperature 0, else never',
      ),
    params: z.record(z.string(), json).optional().describe('For templates and the executor'),
    inputs: z
      .record(name, input)
      .optional()
      .describe('PHASE.OUTPUT, a list of them (the first that there is), or a declared file'),
    outputs: z.record(name, output).optional(),
    state: z.enum(['read', 'write']).optional(),
    gate: gateSchema.optional(),
    ladder: z.array(rung).min(1).max(1000).optional().describe('By round: the first is for round 2'),
    limits: limits.optional(),
    budget: budgetSchema.optional(),
    retries: retries.optional(),
    timeout: duration.optional().describe('Default: 30m'),
    on_interrupt: z
      .enum(['rerun', 'continue', 'ask'])
      .optional()
      .describe('What becomes of an attempt that never ended. Default: rerun'),
    again: z
      .enum(['fresh', 'continue'])
      .optional()
      .describe('continue: a later attempt is handed what earlier ones have left. Default: fresh'),
    checkpoint: checkpoint.optional(),
    revises: z
      .array(text)
      .min(1)
      .max(100)
      .optional()
      .describe('Phases listed before, which it may ask to be done again'),
  })
  .meta({ id: 'phase', description: 'One step that every unit goes through' });

const phases = z.record(name, phase).describe('In the order in which each unit goes through them');

const failures = z
  .enum(['stop', 'allow'])
  .optional()
  .describe('When a unit’s attempts or rounds are used up: stop, or go on without it. Default: stop');

const stage = z.strictObject({ name, units, phases, failures });

/** What a manifest may look like. */
export const manifestSchema = z
  .strictObject({
    pawl: z.literal(1).describe('The version of this format'),
    pipeline: name.describe('The pipeline’s name'),
    identity: identity.optional(),
    durability: z
      .enum(['power', 'process'])
      .optional()
      .describe('What a recorded success survives: a power cut, or a kill. Default: power'),
    channels: channels.optional(),
    inputs: z.record(name, declaredFile).optional().describe('Declared files, by name'),
    state: state.optional(),
    units: units.optional().describe('What goes through the phases'),
    phases: phases.optional(),
    failures,
    stages: z.array(stage).min(1).max(100).optional().describe('Instead of units and phases: parts in order'),
    layout: z
      .strictObject({
        ledger: path.optional().describe('Where each unit’s ledger lies: a pattern'),
        status: path.optional().describe('A page for people about each unit: a pattern'),
        spec: text.optional().describe('What that page calls the spec: PHASE.OUTPUT, or a declared file'),
        brief: path
          .optional()
          .describe('A YAML file whose section resumption is the brief. Default: a file of the run'),
        run: path.optional().describe('The run’s own folder, with {date} and the identity’s fields'),
        progress: path.optional().describe('One file that says how far the run is'),
        audit_log: path.optional().describe('Every event as a line, only ever appended to'),
        unit_key: name.optional().describe('What files and messages call a unit. Default: unit'),
        done_key: name.optional().describe('What they call a finished one. Default: finished'),
      })
      .optional()
      .describe('Where projections lie'),
    foreign: foreignSchema.optional(),
    pace: z
      .strictObject({
        concurrency: z.int().min(1).max(1024).optional().describe('Phases at a time. Default: 4'),
        grace: duration.optional().describe('How long a signal lets phases end. Default: 10s'),
        stale_after: duration
          .optional()
          .describe('resume asks about a run without an event for so long. Default: 14d'),
        wait: duration.optional().describe('A provider that asks to wait longer pauses the run. Default: 5m'),
      })
      .optional()
      .describe('How fast, not what: never part of identity'),
    models: modelsSchema.optional(),
    budget: budgetSchema.optional(),
    notify: notifySchema.optional(),
  })
  .meta({ title: 'Pawl manifest', description: 'A pipeline: units that go through phases' });

/** A manifest as it is written: the type of `pawl.yaml`, and of what `definePipeline` takes. */
export type Manifest = z.input<typeof manifestSchema>;

/** One phase of a manifest. */
export type ManifestPhase = z.input<typeof phase>;

/** One stage of a manifest. */
export type ManifestStage = z.input<typeof stage>;

/** The units of a manifest, in any of their forms. */
export type ManifestUnits = z.input<typeof units>;
