import { formatTime } from '../base/clock.ts';
import { clip, plain } from '../base/plain.ts';
import type { Environment } from '../engine/open/environment.ts';
import { makeOwnFolder } from '../engine/open/own-folder.ts';
import { ownFolder } from './own-folder.ts';

/**
 * Where a hook reports its errors, because the agent must not get them: in the workspace if there is one, else in the
 * user's state folder. A log that cannot be written is left out.
 */
export function appendLog(env: Environment, root: string | undefined, message: string): void {
  const folder = root !== undefined && isOwnLog(env, root) ? `${root}/.pawl` : env.stateFolder;
  if (folder === undefined) return;
  const path = `${folder}/hook.log`;
  try {
    if (folder === env.stateFolder) env.disk.makeFolder(folder);
    else makeOwnFolder(env.disk, root ?? '');
    if ((env.disk.stat(path)?.size ?? 0) >= logBytesMax) env.disk.rename(path, `${path}.1`);
    const line = `${formatTime(env.clock.now())} ${clip(plain(message), lineLengthMax, '…')}\n`;
    const file = env.disk.append(path);
    try {
      file.write(new TextEncoder().encode(line));
    } finally {
      file.close();
    }
  } catch {
    // A log that cannot be written must not become a failure of the hook.
  }
}

/** Does optional work: a failure goes to the log, and the caller continues. */
export function attempt(env: Environment, root: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    appendLog(env, root, messageOf(error));
  }
}

/** What went wrong, in one line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** A link in its place would let text of others get into a file of the user. */
function isOwnLog({ disk }: Environment, root: string): boolean {
  try {
    const folder = ownFolder(disk, root, '.pawl');
    return (disk.stat(`${folder}/hook.log`)?.kind ?? 'file') === 'file';
  } catch {
    return false;
  }
}

const logBytesMax = 256 * 1024;
const lineLengthMax = 500;
