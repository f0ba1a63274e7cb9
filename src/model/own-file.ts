import type { Hash } from '../base/hash.ts';

/** The file that a unit is about. */
export interface OwnFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** Undefined: the file is not there, or it is too large to be compared by its bytes. */
  readonly hash: Hash | undefined;
  readonly isMissing?: true;
}

/** The input that a phase has which takes the unit's own file by default. */
export const ownFileInput = 'file';

/** How `inputs:` of a phase refers to it. */
export const ownFileReference = 'unit.file';

/** Text of a unit's own file is read up to this size: larger files are taken by path, or attached. */
export const ownFileTextBytesMax = 1024 * 1024;
