import { type Hash, hashBytes } from '../base/hash.ts';
import { hashFile } from '../disk/hash-file.ts';
import type { OwnFile } from '../model/definition.ts';
import { ownFileTextBytesMax } from '../model/names.ts';
import { textOrProblem } from '../pipeline/context.ts';
import { NoPromptText } from '../pipeline/units/fields.ts';
import { inWorkspace, type RunContext } from './context.ts';
import { InputFile } from './input-file.ts';

type Ground = Pick<RunContext, 'disk' | 'root' | 'loaded' | 'store'>;

/**
 * Keeps the bytes of a unit's own file as this invocation has read it: for attempts, which get these also when the file
 * is edited meanwhile, and so that a later change can be shown line by line.
 */
export async function keepOwnFile(run: Ground, { path, hash }: OwnFile): Promise<void> {
  if (hash === undefined || run.store.has(hash) || !isAsRead(run, path, hash)) return;
  await run.store.putFile(inWorkspace(run, path));
}

/** The file at its path, if it is as this invocation has read it. Of a very large file only the path counts. */
export function ownFileAsRead(run: Ground, file: OwnFile, isHeld: boolean): InputFile | undefined {
  const { path, hash } = file;
  const absolute = inWorkspace(run, path);
  const stat = run.disk.stat(absolute);
  if (stat?.kind !== 'file') return undefined;
  if (hash === undefined) return new InputFile(run.disk, file, absolute);
  if (!isHeld || stat.size > ownFileTextBytesMax)
    return isAsRead(run, path, hash) ? new InputFile(run.disk, file, absolute) : undefined;
  const bytes = run.disk.read(absolute);
  if (bytes === undefined || hashBytes(bytes) !== hash) return undefined;
  return new InputFile(run.disk, file, absolute, bytes);
}

/** The file as text for a prompt, or why a prompt cannot have it. */
export function ownFileText(file: InputFile, { path }: OwnFile): string | NoPromptText {
  const size = file.disk.stat(file.path)?.size ?? 0;
  if (size > ownFileTextBytesMax) return new NoPromptText('unit-file-too-large', path, size);
  return textOrProblem(file.bytes()) ?? new NoPromptText('unit-file-not-text', path, size);
}

/** By manifest and path: what stood for a file when its bytes were last looked at, and found to be the same. */
const lastSeen = new WeakMap<object, Map<string, string>>();

/** Looks into the file only when it may have changed: several steps may take the same one, and it may be large. */
export function isAsRead(
  { disk, root, loaded }: Pick<Ground, 'disk' | 'root' | 'loaded'>,
  path: string,
  hash: Hash,
): boolean {
  const seen = lastSeen.get(loaded.statics) ?? new Map<string, string>();
  lastSeen.set(loaded.statics, seen);
  const absolute = inWorkspace({ root }, path);
  const stat = disk.stat(absolute);
  const stamp = stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  if (seen.get(path) === stamp) return true;
  if (hashFile(disk, absolute)?.hash !== hash) return false;
  seen.set(path, stamp);
  return true;
}
