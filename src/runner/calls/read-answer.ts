import { hashBytes, isHash } from '../../base/hash.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Disk } from '../../disk/disk.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import { isCallRecord, isCost } from '../../store/records/event-check.ts';
import type { KeptAnswer } from '../assignment.ts';
import { answerBytesMax, answerName, answerVersion, responseName } from '../models/answer-files.ts';

/** The whole answer that an attempt has left; undefined: there is none, or it is not as it says. */
export function readAnswer(disk: Disk, folder: string): KeptAnswer | undefined {
  const said = parseJson(readText(disk, `${folder}/${answerName}`, metaBytesMax));
  if (!isJsonObject(said) || said.version !== answerVersion) return undefined;
  const { key, prompt, hash, call, cost } = said;
  if (!isHash(key) || !isHash(hash) || !isCallRecord(call) || !isCost(cost)) return undefined;
  const text = readText(disk, `${folder}/${responseName}`, answerBytesMax);
  if (text === undefined || hashBytes(text) !== hash) return undefined;
  return {
    key,
    prompt: isHash(prompt) ? prompt : undefined,
    text,
    call: call as unknown as CallRecord,
    cost: cost as Cost,
  };
}

const metaBytesMax = 64 * 1024;

function readText(disk: Disk, path: string, bytesMax: number): string | undefined {
  if ((disk.stat(path)?.size ?? Number.POSITIVE_INFINITY) > bytesMax) return undefined;
  const bytes = disk.read(path);
  try {
    return bytes && strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What is not as it was written must not look as if it were. */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
