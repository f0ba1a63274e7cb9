import { z } from 'zod';
import { namePattern } from '../../model/names.ts';

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
