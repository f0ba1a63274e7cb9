import { proveOutput } from '../../artifacts/facts.ts';
import { promotedResult } from '../../ledger/ledger.ts';
import type { OutputRecord } from '../../model/event.ts';
import { openStore } from '../look/look.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import type { Hold } from '../run/hold.ts';

/** An object that is missing or damaged in the content store, and whose bytes lie at their declared path. */
export interface LostObject {
  readonly record: OutputRecord;
}

/** Reads every object that a result names, as `verify` does. */
export function lostObjects(workspace: Workspace, { ledger }: Pick<OpenedRun, 'ledger'>): LostObject[] {
  const { env, root } = workspace;
  const store = openStore(workspace);
  const lost = new Map<string, LostObject>();
  for (const cell of ledger.cells.values()) {
    for (const record of Object.values(promotedResult(cell)?.outputs ?? {})) {
      const object = store.get(record.hash);
      if (object !== undefined && object !== 'damaged') continue;
      const { kind } = proveOutput(env.disk, `${root}/${record.path}`, record, { deep: true });
      if (kind === 'intact') lost.set(record.hash, { record });
    }
  }
  return [...lost.values()];
}

/** Puts the bytes of intact outputs back into the store. The paths, for those who are told. */
export async function healObjects(
  { root, store }: Pick<Hold, 'root' | 'store'>,
  objects: readonly LostObject[],
): Promise<string[]> {
  const healed: string[] = [];
  for (const { record } of objects) {
    // The store compares: a damaged copy is written once more. The hash says whether the file was changed meanwhile.
    const put = await store.putFile(`${root}/${record.path}`);
    if (put?.hash === record.hash) healed.push(record.path);
  }
  await store.flush();
  return healed;
}
