import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { Environment } from '../engine/open/environment.ts';
import type { Disk } from './world.ts';

/* The small JSON files that hooks leave for one another and for the engine. */

/** Undefined for a file that is absent, empty, torn, too large, or no JSON object. */
export function readSmall(disk: Disk, path: string): JsonObject | undefined {
  try {
    const bytes = disk.read(path, smallBytesMax);
    const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Puts a file in its place, whole; a file that is there is replaced. Not durable: it can be done without. */
export function replaceSmall(
  { disk, ids }: Environment,
  folder: string,
  name: string,
  value: JsonObject,
): void {
  const temp = writeTemp(disk, ids, folder, value);
  try {
    disk.rename(temp, `${folder}/${name}`);
  } catch (error) {
    disk.remove(temp);
    throw error;
  }
}

/** Makes a file, whole, under a name that must be free: false when it is taken. */
export function createSmall(
  { disk, ids }: Environment,
  folder: string,
  name: string,
  value: JsonObject,
): boolean {
  const path = `${folder}/${name}`;
  const temp = writeTemp(disk, ids, folder, value);
  try {
    disk.link(temp, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!linksUnsupported.has(codeOf(error))) throw error;
    // Without hard links the name is only looked for; of two hooks at the same instant one loses a reminder.
    if (disk.stat(path) !== undefined) return false;
    disk.rename(temp, path);
    return true;
  } finally {
    disk.remove(temp);
  }
}

const smallBytesMax = 256 * 1024;
const linksUnsupported = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV']);

/** The name is one that the engine knows for a leftover. */
function writeTemp(disk: Disk, ids: Environment['ids'], folder: string, value: JsonObject): string {
  disk.makeFolder(folder);
  const temp = `${folder}/.pawl-${ids.random(36)}.tmp`;
  const file = disk.create(temp);
  try {
    const bytes = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    let written = 0;
    while (written < bytes.length) {
      const count = file.write(bytes.subarray(written));
      // A disk that is nearly full takes a part, and then nothing.
      if (count <= 0) throw new Error(`no space: ${temp}`);
      written += count;
    }
  } catch (error) {
    file.close();
    disk.remove(temp);
    throw error;
  }
  file.close();
  return temp;
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
