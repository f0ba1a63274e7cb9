import { replaceFileNow } from '../disk/write.ts';
import type { Attempt } from './attempt.ts';
import { folderOf, type RunContext } from './context.ts';

/** The attempt's own folder, or one below it (`/outputs`), made where it is not there; absolute. */
export function makeFolder(run: RunContext, attempt: Attempt, below: string): string {
  const folder = `${folderOf(run, attempt)}${below}`;
  run.disk.makeFolder(folder);
  return folder;
}

/** Keeps a text in the attempt's own folder. */
export function keepInFolder(run: RunContext, attempt: Attempt, name: string, text: string): string {
  const path = `${makeFolder(run, attempt, '')}/${name}`;
  replaceFileNow(run.disk, path, new TextEncoder().encode(text));
  return path;
}
