import { replaceFileNow } from '../../disk/write.ts';
import type { ExecutorHost } from '../executor-host.ts';

type Scratch = Pick<ExecutorHost, 'disk' | 'scratch'>;

/** The attempt's own folder, or one below it (`outputs`), made where it is not there; absolute. */
export function makeScratch({ disk, scratch }: Scratch, below?: string): string {
  const folder = below === undefined ? scratch : `${scratch}/${below}`;
  disk.makeFolder(folder);
  return folder;
}

/** Keeps a text in the attempt's own folder. */
export function keepInScratch(host: Scratch, name: string, text: string): string {
  const path = `${makeScratch(host)}/${name}`;
  replaceFileNow(host.disk, path, new TextEncoder().encode(text));
  return path;
}

/** Keeps bytes below the attempt's own folder, in folders that are made for them. */
export function keepBelowScratch({ disk, scratch }: Scratch, name: string, bytes: Uint8Array): string {
  const path = `${scratch}/${name}`;
  disk.makeFolder(path.slice(0, path.lastIndexOf('/')));
  replaceFileNow(disk, path, bytes);
  return path;
}
