import type { Hash } from '../../base/hash.ts';
import { hashFile } from '../../disk/hash-file.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type StepName, stepName } from '../../model/names.ts';
import type { Workspace } from '../open/workspace.ts';

/*
 * Files of the workspace that were named when a task was completed. They belong to the workspace and go on living: a
 * later task may change them, and then its word is the newest. So they are compared when somebody asks, and guard nothing.
 */

/** A file as it was named last. */
export interface NamedFile {
  readonly path: string;
  readonly hash: Hash;
  readonly step: StepName;
  readonly state: 'same' | 'changed' | 'missing';
}

/** Every file with what was last said of it, and what lies there now. */
export function namedFiles({ env, root }: Workspace, ledger: Ledger): NamedFile[] {
  const newest = new Map<string, { hash: Hash; at: string; step: StepName }>();
  for (const { unit, phase, results } of ledger.steps.values()) {
    for (const result of results) {
      for (const [path, { hash }] of Object.entries(result?.files ?? {})) {
        const at = result?.at ?? '';
        if (at >= (newest.get(path)?.at ?? '')) newest.set(path, { hash, at, step: stepName(unit, phase) });
      }
    }
  }
  return Array.from(newest, ([path, { hash, step }]) => ({ path, hash, step, state: stateOf(path, hash) }));

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
