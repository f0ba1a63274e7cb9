import { hashFile } from '../../artifacts/hash-file.ts';
import type { Hash } from '../../base/hash.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type CellName, cellName } from '../../model/names.ts';
import type { Workspace } from '../open/workspace.ts';

/*
 * Files of the workspace that were named when a task was completed. They belong to the workspace and go on living: a
 * later task may change them, and then its word is the newest. So they are compared when somebody asks, and guard nothing.
 */

/** A file as it was named last. */
export interface NamedFile {
  readonly path: string;
  readonly hash: Hash;
  readonly cell: CellName;
  readonly state: 'same' | 'changed' | 'missing';
}

/** Every file with what was last said of it, and what lies there now. */
export function namedFiles({ env, root }: Workspace, ledger: Ledger): NamedFile[] {
  const newest = new Map<string, { hash: Hash; at: string; cell: CellName }>();
  for (const { unit, phase, results } of ledger.cells.values()) {
    for (const result of results) {
      for (const [path, { hash }] of Object.entries(result?.files ?? {})) {
        const at = result?.at ?? '';
        if (at >= (newest.get(path)?.at ?? '')) newest.set(path, { hash, at, cell: cellName(unit, phase) });
      }
    }
  }
  return Array.from(newest, ([path, { hash, cell }]) => ({ path, hash, cell, state: stateOf(path, hash) }));

  function stateOf(path: string, hash: Hash): NamedFile['state'] {
    try {
      const now = hashFile(env.disk, `${root}/${path}`)?.hash;
      return now === undefined ? 'missing' : now === hash ? 'same' : 'changed';
    } catch (error) {
      if (isUnreadable(error)) return 'missing';
      throw error;
    }
  }
}
