import { z } from 'zod';
import { argv, duration, programEnv, text } from './schema-parts.ts';

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
  timeout: duration
    .optional()
    .describe('How long a command or a webhook may take, a minute at most. Default: `10s`'),
});

/** The part of a manifest that says who is told how a sitting ended. */
export const notifySchema = z
  .union([notifier, z.array(notifier).min(1).max(20)])
  .describe('Who is told when a person is needed or a run ends: never part of identity');

/** That part as it is written. */
export type ManifestNotify = z.input<typeof notifySchema>;

/** One entry of it. */
export type ManifestNotifier = z.input<typeof notifier>;
