import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Revision } from '../assignment.ts';

/** Where in the scratch folder a command says that an earlier phase has to run again. */
export const reviseName = 'revise.json';

const bytesMax = 64 * 1024;

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
