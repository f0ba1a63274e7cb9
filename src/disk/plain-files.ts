import type { FileStat } from './disk.ts';

/**
 * Makes and moves small files in the plain case: the name is free, the folder is there, nothing goes wrong. Everything
 * else is answered with undefined or false, and is for the caller to do by the disk, in the ordinary way: it finds
 * whatever was left of the attempt, and it is the ordinary way that tells of trouble.
 */
export interface PlainFiles {
  /** A fresh file with these bytes, `shared` and not to be run, which are copied before this returns. At once undefined: it is not taken on. */
  create(path: string, bytes: Uint8Array): Promise<FileStat | undefined> | undefined;
  /** Moves a file to where nothing stands. At once undefined: it is not taken on. */
  move(from: string, to: string): Promise<boolean> | undefined;
  /** Once all that was asked for is answered. */
  close(): Promise<void>;
}
