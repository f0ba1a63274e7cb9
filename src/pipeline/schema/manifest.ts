import { z } from 'zod';
import {
  argv,
  changePolicy,
  codeSchema,
  durationSchema,
  foreignSchema,
  json,
  name,
  notifySchema,
  programEnv,
  text,
  units,
} from './parts.ts';
import {
  budgetSchema,
  channels,
  checkpointSchema,
  gateSchema,
  modelSchema,
  modelsSchema,
  output,
} from './phase-parts.ts';

/*
 * The shape of a manifest: the one source of its type, its JSON Schema and its checks. What a value means, and
 * whether what it names exists, is decided by the rest of this room.
 */

const path = text;

const reuse = z.enum(['content', 'never']).optional();

const identity = z
  .record(name, z.union([text, z.number()]))
  .describe('What the run works on; same identity, same run. Default: `{ pipeline: NAME }`');

const declaredFile = z.union([
  path,
  z.strictObject({
    path: path.describe('Relative to the workspace'),
    on_change: z
      .enum(['refuse', 'ask', 'rerun', 'keep', 'ignore', 'block'])
      .optional()
      .describe(
        'When the file changed since results were made: a person decides (`refuse`, `ask`), they are made again (`rerun`), or kept and shown as outdated (`keep`); `ignore`: the file is not tracked. `block` is the old word for `refuse`. Default: `refuse`',
      ),
  }),
]);

const state = z
  .strictObject({
    path: path.describe('Shows the newest committed state'),
    initial: path.describe('What the first unit starts from; not `path`'),
    snapshots: path
      .optional()
      .describe(
        'Where each unit’s committed state is kept: a pattern. Default: `state/{unit}.json` beside `path`',
      ),
    cascade: z
      .enum(['keep', 'rerun', 'tell'])
      .optional()
      .describe(
        'When the state that a finished unit started from changed: the unit is kept and shown as outdated, or runs again. `tell` is the old word for `keep`. Default: `keep`',
      ),
  })
  .describe('A file that moves from unit to unit: each starts from what the one before committed');

const prompt = z.union([
  path,
  z.strictObject({
    system: path.optional().describe('Template of the system prompt'),
    phase: path.describe('Template of the prompt'),
    override: path.optional().describe('Replaces `phase` where the file exists'),
    repair: path
      .optional()
      .describe('Template of what a model is told after an answer that could not be used'),
  }),
]);

const claiming = {
  lease: durationSchema
    .optional()
    .describe('How long a claim lasts without a heartbeat; a second at least. Default: `15m`'),
  files: text
    .optional()
    .describe('The unit’s field that lists files of the workspace which have to be there when it is done'),
};

const run = z.union([
  z.strictObject({
    function: text.describe('An exported function of a module: `./phases.mjs#plan`'),
  }),
  z.strictObject({
    command: argv,
    env: programEnv.optional(),
  }),
  z.strictObject({ inline: name }).describe('A function given in TypeScript; written by definePipeline'),
  z
    .strictObject({
      task: name.describe('The role of those who may claim it (`pawl next --role`)'),
      ...claiming,
    })
    .describe('Claimed and completed from outside: pawl next, pawl complete'),
  z
    .strictObject({ agent: name.describe('The same role'), ...claiming })
    .describe('The old spelling of `task`'),
]);

const retries = z.union([
  z.int().min(1).max(1000).describe('Attempts that may fail'),
  z.strictObject({
    attempts: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Attempts that may fail, over every resume. Default: one per sitting, 3 for an agent, a few for a model',
      ),
    interruptions: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Interruptions of one step in a row, before a person is asked whether it is started once more. Default: `5`',
      ),
    backoff: durationSchema
      .optional()
      .describe('The pause before the second attempt; twice as long each time. Default: `1s`'),
    // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a schema is never awaited
    then: z
      .enum(['stop', 'ask'])
      .optional()
      .describe('When they are used up; `ask`: a person may grant as many again. Default: `stop`'),
  }),
]);

const input = z.union([
  text,
  z.array(text).min(1),
  z.strictObject({
    from: text.describe('An output of another phase, as PHASE.OUTPUT; or `unit.file`, the unit’s own file'),
    of: z
      .enum(['previous', 'every'])
      .optional()
      .describe(
        'The unit listed before, or every unit of an earlier stage. Default: the same unit, or the only one of an earlier stage',
      ),
    on_change: z
      .enum(['rerun', 'keep', 'tell', 'refuse', 'ask'])
      .optional()
      .describe(
        'When it has other bytes than the result was made from: the phase runs again, or the result is kept and shown as outdated. `tell` is the old word for `keep`. `refuse` and `ask` only of `unit.file`. Default: `rerun`',
      ),
  }),
]);

const rung = z
  .strictObject({
    params: z.record(z.string(), json).optional().describe('Added to those of the phase'),
    prompt: path.optional().describe('A template in place of the phase’s'),
  })
  .describe('What a later round of the gate’s loop does otherwise');

const rate = z.number().min(0).max(1);

const limits = z
  .strictObject({
    attempts: z.int().min(1).max(1_000_000).optional().describe('Attempts in all'),
    consecutive_failures: z.int().min(1).max(1_000_000).optional().describe('Bad ones in a row'),
    retry_rate: rate.optional().describe('Share of attempts that are not a unit’s first'),
    reject_rate: rate.optional().describe('Share of attempts that are bad'),
    after: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Rates are asked after so many attempts. Default: `10`'),
  })
  .describe('When to stop the run; bad is what failed, or what its gate sent back');

const phase = z
  .strictObject({
    needs: z
      .array(z.string())
      .optional()
      .describe('Phases listed before, of the same stage. Default: the phase listed before'),
    when: z
      .literal('gate-failed')
      .optional()
      .describe('Only inside a gate’s loop: runs from the second round on. Default: always'),
    prompt: prompt.optional().describe('Templates: one of the prompt, or several by their use'),
    run: run.optional().describe('What it runs; this or `model`'),
    model: modelSchema.optional().describe('The model that it asks with the prompt, instead of `run`'),
    reuse: reuse.describe(
      'Of a model: whether the same call is answered by what was answered before, in whatever unit or run. Of a command or function: whether the result of another run that was made from the same is taken. Default: that of the pipeline; else `content` for a model at `temperature: 0`, `never` for others unless `--reuse` is given',
    ),
    params: z
      .record(z.string(), json)
      .optional()
      .describe('Values for templates and for what runs; a result depends on them'),
    inputs: z
      .record(name, input)
      .optional()
      .describe(
        'What it takes, by name: PHASE.OUTPUT, a list of them (the first that there is), a declared file, or `unit.file`, the unit’s own file. Default: every output of every needed phase; a phase that needs none takes the unit’s own file as `file`',
      ),
    outputs: z
      .record(name, output)
      .optional()
      .describe('What it makes, by name: a pattern, or more about it'),
    state: z
      .enum(['read', 'write'])
      .optional()
      .describe('Starts from the state; `write` commits a new one, as the output `state`. Default: neither'),
    on_change: changePolicy
      .optional()
      .describe(
        'When anything else that its results were made from changed: its prompt, its definition, its code, a declared file, fields of a unit. Default: what the pipeline says',
      ),
    code: codeSchema.optional(),
    gate: gateSchema.optional(),
    ladder: z
      .array(rung)
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'What later rounds of its gate’s loop do otherwise: the first is for round 2, and the last one stays',
      ),
    limits: limits.optional(),
    budget: budgetSchema.optional(),
    retries: retries.optional().describe('How often it is tried: a number of attempts, or more about it'),
    timeout: durationSchema.optional().describe('How long an attempt may take. Default: `30m`'),
    on_interrupt: z
      .enum(['rerun', 'continue', 'ask'])
      .optional()
      .describe('What becomes of an attempt that was started and never ended. Default: `rerun`'),
    again: z
      .enum(['fresh', 'continue'])
      .optional()
      .describe(
        '`continue`: a later attempt is handed the outputs that earlier ones have made. Default: `fresh`',
      ),
    checkpoint: checkpointSchema.optional(),
    revises: z
      .array(text)
      .min(1)
      .max(100)
      .optional()
      .describe('Phases listed before, of the same stage, which it may ask to be done again'),
  })
  .meta({ id: 'phase', description: 'One step that every unit goes through' });

const phases = z.record(name, phase).describe('In the order in which each unit goes through them');

const failures = z
  .enum(['stop', 'allow'])
  .optional()
  .describe(
    'When a unit’s attempts or rounds are used up: the run stops there in the end, or completes without the unit. Default: `stop`',
  );

const stage = z.strictObject({
  name: name.describe('What it is called'),
  units: units.describe('What goes through its phases'),
  phases,
  failures,
});

/** What a manifest may look like. */
export const manifestSchema = z
  .strictObject({
    pawl: z.literal(1).describe('The version of this format'),
    pipeline: name.describe('The pipeline’s name'),
    identity: identity.optional(),
    durability: z
      .enum(['power', 'process'])
      .optional()
      .describe('What a recorded success survives: a power cut, or a kill. Default: `power`'),
    channels: channels.optional(),
    inputs: z
      .record(name, declaredFile)
      .optional()
      .describe('Declared files, by name: a path, or more about it'),
    state: state.optional(),
    units: units.optional().describe('What goes through the phases; required without `stages`'),
    phases: phases
      .optional()
      .describe('The phases, in the order in which each unit goes through them; required without `stages`'),
    failures,
    stages: z
      .array(stage)
      .min(1)
      .max(100)
      .optional()
      .describe('Parts in order, instead of `units` and `phases`'),
    layout: z
      .strictObject({
        ledger: path.optional().describe('A file with what became of each unit: a pattern'),
        status: path.optional().describe('A page for people about each unit: a pattern'),
        spec: text.optional().describe('What that page calls the spec: PHASE.OUTPUT, or a declared file'),
        brief: path
          .optional()
          .describe(
            'A YAML file whose section `resumption` is the brief; the rest of it stays as it is. Default: `brief.yaml` in the run’s folder',
          ),
        run: path
          .optional()
          .describe(
            'The run’s own folder: a pattern with `{id}`, `{date}` (`YYYYMMDD`, UTC) and the identity’s fields in its last part. Default: `.pawl/runs/ID`',
          ),
        progress: path.optional().describe('One file that says how far the run is, for scripts and people'),
        audit_log: path.optional().describe('Every event of the runner as a line, only ever appended to'),
        unit_key: name.optional().describe('What files and messages call a unit. Default: `unit`'),
        done_key: name.optional().describe('What they call a finished one. Default: `finished`'),
      })
      .optional()
      .describe('Where projections lie'),
    foreign: foreignSchema.optional(),
    pace: z
      .strictObject({
        concurrency: z.int().min(1).max(1024).optional().describe('Phases at a time. Default: `4`'),
        grace: durationSchema
          .optional()
          .describe('How long a signal lets running phases end. Default: `10s`'),
        stale_after: durationSchema
          .optional()
          .describe(
            'A run in which nothing has happened for this long is resumed only after a person confirms it, or with `--yes`. Default: `14d`',
          ),
        wait: durationSchema
          .optional()
          .describe(
            'A wait that a provider or a step asks for and that is no longer is sat out; a longer one pauses the run. Default: `5m`',
          ),
      })
      .optional()
      .describe('How fast, not what: never part of identity'),
    models: modelsSchema.optional(),
    budget: budgetSchema.optional(),
    code: codeSchema.optional(),
    on_change: changePolicy
      .optional()
      .describe(
        'When anything that results were made from changed and nothing nearer decides. Default: `refuse`; `rerun` for fields and files of units that come from outside the manifest; `keep` for code',
      ),
    reuse: reuse.describe('The default of every phase'),
    confirm_above: z
      .strictObject({
        steps: z.int().min(0).max(1_000_000_000).optional().describe('Steps that run again. Default: `20`'),
        usd: z.number().min(0).max(1_000_000).optional().describe('What they may cost. Default: `1`'),
      })
      .optional()
      .describe('A re-run that only a default policy asks for is confirmed by a person above this'),
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
