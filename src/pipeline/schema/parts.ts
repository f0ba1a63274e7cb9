import { z } from 'zod';
import type { JsonValue } from '../../base/json.ts';
import { namePattern } from '../../model/names.ts';
import { durationPattern } from '../durations.ts';

/* What several parts of a manifest are made of. */

/** By schema, the expected value that a problem names, because a pattern is hard to read. */
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

export const durationSchema = z
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

/** How many units one pipeline may list. */
const unitsMax = 1_000_000;

const order = z
  .enum(['free', 'chain'])
  .optional()
  .describe(
    '`free`: a unit starts as soon as its needs are finished; `chain`: each after the one before it. Default: `free`',
  );
const onChange = changePolicy
  .optional()
  .describe(
    'When fields of a unit, or its own file, changed. Default: `rerun`; for fields written in the manifest `refuse`',
  );
const idPattern = text
  .optional()
  .describe(
    'A pattern for the unit’s name. Default: `{index}` of counted units, `{stem}` of files; of a list the item, or its `id`',
  );

const unitItem = z.union([
  z.string(),
  z
    .looseObject({
      id: z.string().describe('The unit’s name'),
      needs: z.array(z.string()).optional().describe('Units that must be finished first'),
    })
    .describe('A unit with fields of its own'),
]);

const unitList = z.array(unitItem).max(unitsMax);

const ownFile = text
  .optional()
  .describe(
    'The field with the path of the unit’s own file, relative to the workspace: phases that need no other phase take it as the input `file`, others with `inputs: { file: unit.file }`',
  );

/** Which fields of an item say how it is handed out. They are no part of what its results were made from. */
const itemFields = {
  needs: text
    .optional()
    .describe('The field that lists the units which must be finished first. Default: `needs`'),
  title: text.optional().describe('The field with what people call it. Default: `title`'),
  priority: text
    .optional()
    .describe(
      'The field with a number, `P0` to `P9`, or `critical`, `high`, `medium`, `low`: lower ones are handed out first. What says nothing is medium, which is 2',
    ),
  touches: z
    .union([text, z.array(text).min(1).max(20)])
    .optional()
    .describe(
      'Fields that list paths which its work touches: units that touch the same path, a folder and something in it, or what a wildcard (`src/**`) may mean, are not handed out at once',
    ),
  beside: text
    .optional()
    .describe(
      'The field that lists units which it may be worked on beside all the same; it is enough that one of two says so',
    ),
};

/** What goes through the phases, in any of its forms. */
export const units = z
  .union([
    unitList,
    z.strictObject({
      list: unitList.describe('Names, or units with fields of their own'),
      file: ownFile,
      order,
      on_change: onChange,
    }),
    z.strictObject({
      count: z.int().min(0).max(unitsMax).describe('So many units, known by their index'),
      start: z.int().min(0).max(1_000_000_000).optional().describe('The first index. Default: `0`'),
      id: idPattern,
      order,
      on_change: onChange,
    }),
    z.strictObject({
      from: text.describe('A list in a declared YAML or JSON file, as FILE.KEY: `outline.scenes`'),
      id: idPattern,
      file: ownFile,
      ...itemFields,
      order,
      on_change: onChange,
    }),
    z.strictObject({
      artifact: text.describe(
        'A list in an output of an earlier stage with one unit, as PHASE.OUTPUT.KEY: `plan.graph.tasks`. Nothing of the stage starts before that is made',
      ),
      id: idPattern,
      file: ownFile,
      ...itemFields,
      order,
      on_change: onChange,
    }),
    z.strictObject({
      glob: text.describe(
        'Files of the workspace: `src/*.txt`; fields for `id` are `path`, `name`, `stem` and `folder` (the name of the folder that holds the file), and the unit’s own field is `path`. The file is the unit’s own file: phases that need no other phase take it as the input `file`, others with `inputs: { file: unit.file }`',
      ),
      id: idPattern,
      order,
      on_change: onChange,
    }),
  ])
  .meta({ id: 'units' });

const codeOnChange = z
  .enum(['rerun', 'refuse', 'keep', 'ask', 'ignore'])
  .describe(
    'When the code is not what results were made with: they are made again (`rerun`), kept and shown as outdated (`keep`), or a person decides (`refuse`, `ask`); `ignore`: code is not tracked. Default: `keep`',
  );

/** What becomes of results whose code has changed, and which files count as code besides those that Pawl finds. */
export const codeSchema = z
  .union([
    codeOnChange,
    z.strictObject({
      on_change: codeOnChange.optional(),
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

const notifier = z.strictObject({
  command: argv
    .optional()
    .describe(
      'A program and its arguments, which may hold `{event}`, `{run}`, `{pipeline}` and `{message}`; never a shell',
    ),
  env: programEnv.optional(),
  webhook: text
    .optional()
    .describe('An http or https address that gets a POST of JSON, or `$NAME` of one in the environment'),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/), text)
    .optional()
    .describe('Sent to the webhook, by name: `$NAME` of the environment, or `Bearer $NAME`'),
  bell: z.boolean().optional().describe('Rings the bell of the terminal. Default: `false`'),
  osc9: z.boolean().optional().describe('Shows a message of the terminal (OSC 9). Default: `false`'),
  on: z
    .array(z.enum(['waiting', 'completed', 'failed', 'stopped', 'paused']))
    .min(1)
    .max(5)
    .optional()
    .describe('At which events. Default: all but `paused`'),
  timeout: durationSchema
    .optional()
    .describe('How long a command or a webhook may take, a minute at most. Default: `10s`'),
});

/** The part of a manifest that says who is notified of the end of an invocation. */
export const notifySchema = z
  .union([notifier, z.array(notifier).min(1).max(20)])
  .describe('Who is told when a person is needed or a run ends: never part of identity');

/** That part as it is written. */
export type ManifestNotify = z.input<typeof notifySchema>;

/** One entry of it. */
export type ManifestNotifier = z.input<typeof notifier>;

const fields = (description: string) =>
  z.array(z.string().min(1).max(256)).min(1).max(32).describe(description);

const meaning = z.strictObject({
  means: z
    .enum([
      'claimed',
      'started',
      'succeeded',
      'skipped',
      'failed',
      'sent-back',
      'blocked',
      'unblocked',
      'stage-entered',
      'run-completed',
      'nothing',
    ])
    .describe('What such an event says of the unit, or of the run'),
  phase: z
    .string()
    .regex(namePattern)
    .optional()
    .describe('Of which phase. Default: of the whole unit, also where the unit has no such phase'),
});

/** The part of a manifest that says how the logs of other tools are to be understood. */
export const foreignSchema = z
  .strictObject({
    unit: fields(
      'Which unit an event is about: the first field that is there. `data.task_id` is a field in a field',
    ),
    stage: fields('Fields that name the stage, or give its number from 0. Default: `[stage]`').optional(),
    note: fields(
      'Fields that say why. Default: `[reason, message, note, error, error.message, summary]`',
    ).optional(),
    events: z
      .record(
        z
          .string()
          .regex(/^[a-z0-9]+(?:_[a-z0-9]+)*$/)
          .max(64),
        meaning,
      )
      .describe(
        'By name, in lower case with underscores; logs may spell it in any case, with `-` or in camelCase. A name that is not listed is told and not guessed at',
      ),
  })
  .describe('What the logs of other tools mean, which lie beside the journal of a run');

/** That part as it is written. */
export type ManifestForeign = z.input<typeof foreignSchema>;
