import { type Hash, isHash } from '../../base/hash.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Disk } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import { isCallRecord, isCost } from '../../store/records/event-check.ts';
import { inWorkspace, type RunContext } from '../context.ts';

/*
 * Which answers there are, by what was asked: one small file for each call, beside the content store, for all runs of a
 * workspace. It only finds: the answer itself is an object of the store, and proven by its hash. Only what has succeeded is
 * listed here, and what cannot be read is as good as not there.
 */

export const answersFolder = '.pawl/answers';
const version = 1;

export interface KnownAnswer {
  /** `RUN UNIT/PHASE#ATTEMPT`. */
  readonly source: string;
  readonly response: Hash;
  readonly call: CallRecord;
  readonly cost: Cost;
}

/** An answer to exactly this call, from any unit and run. */
export function findAnswer(
  run: Pick<RunContext, 'disk' | 'root' | 'store'>,
  key: Hash,
): (KnownAnswer & { readonly text: string }) | undefined {
  const path = pathOf(run, key);
  if ((run.disk.stat(path)?.size ?? Number.POSITIVE_INFINITY) > bytesMax) return undefined;
  const known = read(run.disk.read(path), key);
  const bytes = known && run.store.get(known.response);
  if (known === undefined || bytes === undefined || bytes === 'damaged') return undefined;
  return { ...known, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
}

/** What a file of the index leads to; undefined: it is none of these. */
export function responseIn(disk: Disk, path: string): Hash | undefined {
  const hex = path
    .split('/')
    .slice(-2)
    .join('')
    .replace(/\.json$/, '');
  if ((disk.stat(path)?.size ?? Number.POSITIVE_INFINITY) > bytesMax) return undefined;
  return read(disk.read(path), `sha256:${hex}`)?.response;
}

/** Notes an answer whose success is on record. */
export function noteAnswer(run: RunContext, key: Hash, known: KnownAnswer): void {
  const path = pathOf(run, key);
  run.disk.makeFolder(path.slice(0, path.lastIndexOf('/')));
  const text = `${JSON.stringify({ version, key, ...known }, null, 2)}\n`;
  replaceFileNow(run.disk, path, new TextEncoder().encode(text));
}

const bytesMax = 64 * 1024;

function pathOf(run: Pick<RunContext, 'root'>, key: Hash): string {
  const hex = key.slice('sha256:'.length);
  return inWorkspace(run, `${answersFolder}/${hex.slice(0, 2)}/${hex.slice(2)}.json`);
}

function read(bytes: Uint8Array | undefined, key: Hash): KnownAnswer | undefined {
  if (bytes === undefined) return undefined;
  const said = parseJson(new TextDecoder().decode(bytes));
  if (!isJsonObject(said) || said.version !== version || said.key !== key) return undefined;
  const { source, response, call, cost } = said;
  if (typeof source !== 'string' || !isHash(response)) return undefined;
  if (!isCallRecord(call) || !isCost(cost)) return undefined;
  return { source, response, call: call as unknown as CallRecord, cost: cost as Cost };
}
