import { isJsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Cost } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Revision } from './assignment.ts';
import type { ExecutorHost } from './host.ts';

/*
 * The one JSON file in which a command reports what it cost and until when it wants to wait. It comes from outside: what is
 * not exactly as documented is refused by the name of its key, and nothing of it is used.
 */

/** The file's name in the attempt's own folder. `PAWL_RESULT` holds its path. */
export const resultName = 'result.json';

/** A command ends with it to be paused instead of failed: EX_TEMPFAIL of sysexits.h. */
export const pauseExitCode = 75;

export interface ResultFile {
  readonly cost: Cost | undefined;
  /** Milliseconds since 1970. */
  readonly retryAt: number | undefined;
}

/** What the command reports in its attempt's folder. A file that is not there reports nothing. */
export function readResultFile(
  { disk, clock, scratch }: Pick<ExecutorHost, 'disk' | 'clock' | 'scratch'>,
  /** What messages call the scratch folder. */
  folder: string,
): Result<ResultFile, AttemptFailure> {
  const path = `${scratch}/${resultName}`;
  const stat = disk.stat(path);
  if (stat === undefined) return ok({ cost: undefined, retryAt: undefined });
  const refuse = (problem: string, key = '') =>
    fail({
      reason: 'result-file-invalid' as const,
      message: '',
      facts: { path: `${folder}/${resultName}`, problem, ...(key !== '' && { key }) },
    });
  if (stat.kind !== 'file') return refuse('it is not a regular file');
  if (stat.size > bytesMax) return refuse(`it is larger than ${bytesMax / 1024} KiB`);
  const read = parseResult(new TextDecoder().decode(disk.read(path, bytesMax)), clock.now());
  return read.ok ? read : refuse(read.failure.problem, read.failure.key);
}

/** What is wrong with a result file, and with which of its keys; empty: with the file as such. */
interface Problem {
  readonly problem: string;
  readonly key: string;
}

/** The text of a result file. `now`: milliseconds since 1970. */
export function parseResult(text: string, now: number): Result<ResultFile, Problem> {
  const refuse = (problem: string, key = '') => fail({ problem, key });
  const value = parseJson(text);
  if (!isJsonObject(value)) return refuse('it is not a JSON object');
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) return refuse(`unknown key; known are ${keys.join(', ')}`, clip(unknown));
  const usd = readAmount(value.cost_usd);
  if (!usd.ok) return refuse(usd.failure, 'cost_usd');
  const tokens = readTokens(value.tokens);
  if (!tokens.ok) return refuse(tokens.failure.problem, tokens.failure.key);
  const retryAt = readRetryTime(value.retry_at, now);
  if (!retryAt.ok) return refuse(retryAt.failure, 'retry_at');
  const cost = { ...(usd.value !== undefined && { usd: usd.value }), ...tokens.value };
  return ok({ cost: Object.keys(cost).length > 0 ? cost : undefined, retryAt: retryAt.value });
}

const keys = ['retry_at', 'cost_usd', 'tokens'];
const bytesMax = 64 * 1024;

/** A number alone is counted as output tokens, because it does not say which of them were input. */
function readTokens(value: JsonValue | undefined): Result<Cost, Problem> {
  if (!isJsonObject(value)) {
    const count = readAmount(value);
    if (!count.ok) return fail({ problem: count.failure, key: 'tokens' });
    return ok(count.value === undefined ? {} : { outputTokens: count.value });
  }
  const unknown = Object.keys(value).find((key) => key !== 'input' && key !== 'output');
  if (unknown !== undefined)
    return fail({ problem: 'unknown key; known are input, output', key: `tokens.${clip(unknown)}` });
  const input = readAmount(value.input);
  if (!input.ok) return fail({ problem: input.failure, key: 'tokens.input' });
  const output = readAmount(value.output);
  if (!output.ok) return fail({ problem: output.failure, key: 'tokens.output' });
  return ok({
    ...(input.value !== undefined && { inputTokens: input.value }),
    ...(output.value !== undefined && { outputTokens: output.value }),
  });
}

function readAmount(value: JsonValue | undefined): Result<number | undefined, string> {
  if (value === undefined || value === null) return ok(undefined);
  if (isAmount(value)) return ok(value);
  return fail(
    typeof value === 'number' ? 'it must be from 0 to 1e12' : `it must be a number, not ${kindOf(value)}`,
  );
}

/** What one attempt can have spent, in USD or tokens. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= amountMax;
}

const amountMax = 1e12;

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function clip(key: string): string {
  return key.slice(0, 60);
}

/* A command or function asks to wait: until when. */

const aheadMsMax = 366 * 24 * 60 * 60_000;

/** A time with its zone, at most a year ahead; a failure is what is wrong with it. */
export function readRetryTime(value: unknown, now: number): Result<number | undefined, string> {
  if (value === undefined || value === null) return ok(undefined);
  if (typeof value !== 'string' || !withZone.test(value))
    return fail('it must be a time such as 2026-11-19T14:30:00Z');
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) return fail('it must be a time such as 2026-11-19T14:30:00Z');
  return ms - now > aheadMsMax ? fail('it is more than a year ahead') : ok(ms);
}

const withZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Where in the scratch folder a command says that an earlier phase has to run again. */
export const reviseName = 'revise.json';

/** What a command has left where it may ask; undefined: it asks for nothing. */
export function readRevision(disk: Disk, path: string): Revision | undefined {
  const bytes = disk.read(path, bytesMax);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const value = parseJson(text);
  if (isJsonObject(value) && typeof value.phase === 'string')
    return { phase: value.phase, reason: String(value.reason ?? '') };
  // Told as what it is: an unknown phase.
  return { phase: text.trim().slice(0, 100), reason: '' };
}
