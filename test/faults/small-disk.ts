import { spawn } from 'node:child_process';
import { afterFile } from '../support/after-file.ts';
import { tempFolder } from '../support/temp.ts';
import type { PlaceHome } from './place.ts';

/** A real file system of a few pages. */
export interface SmallDisk extends Required<PlaceHome> {
  /** Starts a program that sees it. */
  readonly before: readonly string[];
}

/**
 * Mounts a tmpfs in a mount namespace of its own, which needs no rights where user namespaces are allowed. A process holds
 * the namespace for as long as its input is open: with the test it is gone, however the test ends.
 */
export async function mountSmallDisk(options: string): Promise<SmallDisk | undefined> {
  const folder = tempFolder();
  const script = 'mount -t tmpfs -o "$1" tmpfs "$0" && echo ready && exec cat';
  const holder = spawn('unshare', ['--map-root-user', '--mount', 'sh', '-c', script, folder, options]);
  afterFile(() => holder.stdin.end());
  let said = '';
  const isReady = await new Promise<boolean>((resolve) => {
    holder.stdout.once('data', () => resolve(true));
    holder.stderr.on('data', (text) => {
      said += text;
    });
    holder.once('error', (error) => {
      said += error.message;
      resolve(false);
    });
    holder.once('close', () => resolve(false));
  });
  if (!isReady || holder.pid === undefined) {
    process.stderr.write(`test/faults: a disk that is really full is not tested here: ${said.trim()}\n`);
    return undefined;
  }
  const { pid } = holder;
  return {
    folder,
    seen: (path) => `/proc/${pid}/root${path}`,
    before: ['nsenter', '--target', String(pid), '--user', '--preserve-credentials', '--mount'],
  };
}
