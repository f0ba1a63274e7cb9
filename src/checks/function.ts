import type { CallProcess } from '../base/call-process.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { groupSignalOf } from '../disk/group-signal.ts';
import type { Unit } from '../model/definition.ts';
import { type CheckOutcome, failed, passed } from './outcome.ts';
import { shorten } from './text.ts';
import { functionsOf, isNotThere } from './user-module.ts';

/** A check written as a function: `true` or nothing is good; `false`, or a text that says why, is bad; so is a throw. */
export type CheckFunction = (
  file: CheckedFile,
) => boolean | string | undefined | Promise<boolean | string | undefined>;

/** What a check function is called with. */
export interface CheckedFile {
  /** Absolute: a copy under the file's own name, alone in a folder that goes when the check has answered. */
  readonly path: string;
  /** `id` and the unit's own fields. */
  readonly unit: JsonObject & { readonly id: string };
  bytes(): Uint8Array;
  text(): string;
  json(): JsonValue;
}

export interface FunctionCheckContext {
  readonly file: string;
  readonly cwd: string;
  readonly unit: Unit;
  readonly importModule: CallProcess['importModule'];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** A copy for each call. */
  readonly read: () => Uint8Array;
}

/**
 * An exported function of a module says that the file is good. It cannot be killed: when it is late it goes on unheard.
 * One of which a child was ended from outside has not judged the file, and is asked once more: Ctrl-C reaches such a
 * child as it does Pawl.
 */
export async function checkFunction(
  check: FunctionName,
  context: FunctionCheckContext,
): Promise<CheckOutcome> {
  const first = await callCheck(check, context);
  return (first.isFromOutside ? await callCheck(check, context) : first).outcome;
}

interface CheckEnd {
  readonly outcome: CheckOutcome;
  readonly isFromOutside?: boolean;
}

function callCheck(check: FunctionName, context: FunctionCheckContext): Promise<CheckEnd> {
  const { signal, timeoutMs } = context;
  if (signal?.aborted) return Promise.resolve({ outcome: failed('interrupted') });
  return new Promise((resolve, reject) => {
    const finish = (end: CheckEnd) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(end);
    };
    const onAbort = () => finish({ outcome: failed('interrupted') });
    const late = { outcome: failed(`no answer within ${timeoutMs} ms`) };
    const timer = setTimeout(() => finish(late), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    ask(check, context).then(finish, reject);
  });
}

interface FunctionName {
  readonly module: string;
  readonly name: string;
}

async function ask({ module, name }: FunctionName, context: FunctionCheckContext): Promise<CheckEnd> {
  const missing = `function-missing: ${shorten(`${module}#${name}`)}`;
  let exports: Record<string, unknown>;
  try {
    exports = await context.importModule(`${context.cwd}/${module}`);
  } catch (error) {
    return { outcome: failed(`${missing}: ${await loadTrouble(error, context.cwd, module)}`) };
  }
  const check = exports[name];
  if (typeof check !== 'function')
    return { outcome: failed(`${missing}; exported: ${shorten(functionsOf(exports).join(', '))}`) };
  try {
    return { outcome: outcomeOf(await check(fileOf(context))) };
  } catch (error) {
    return { outcome: failed(errorText(error)), isFromOutside: groupSignalOf(error) !== undefined };
  }
}

async function loadTrouble(error: unknown, root: string, module: string): Promise<string> {
  if (isNotThere(error, `${root}/${module}`)) return 'file-missing';
  const { brokenPlace } = await import('./broken-module.ts');
  const place = await brokenPlace(error, root, module);
  const text = errorText(error);
  return place === undefined ? text : `${place.path}:${place.line}:${place.column}: ${text}`;
}

function outcomeOf(said: unknown): CheckOutcome {
  if (said === true || said === undefined) return passed;
  if (said === false) return failed('the function said no');
  if (typeof said === 'string') return failed(shorten(said, saidLengthMax));
  const type = said === null ? 'null' : typeof said;
  return failed(`the function returned ${type}, expected true, false or a text`);
}

const saidLengthMax = 2000;

function fileOf({ file, unit, read }: FunctionCheckContext): CheckedFile {
  const text = () => new TextDecoder().decode(read());
  const json = () => JSON.parse(text()) as JsonValue;
  const { id, index, data } = unit;
  const fields = { ...(index !== undefined && { index }), ...data, id };
  return { path: file, unit: fields, bytes: read, text, json };
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? shorten(error) : `threw ${typeof error}`;
  return shorten(error.name === 'Error' ? error.message : `${error.name}: ${error.message}`);
}
