import { z } from 'zod';
import { durationPattern } from '../durations.ts';

/* What several parts of a manifest are made of. */

export const text = z.string().min(1).max(1024);

export const duration = z
  .union([z.number(), z.string().regex(durationPattern)])
  .describe('500ms, 2s, 10m, 1h, 14d, or a number of milliseconds');

export const argv = z
  .array(z.string().max(32_768))
  .min(1)
  .max(1024)
  .describe('A program and its arguments. Never a shell string.');

export const programEnv = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), z.union([z.string(), z.number()]))
  .describe('Added to the environment');
