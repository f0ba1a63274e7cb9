import type { OutputRecord } from '../../model/event.ts';
import { attemptFolder } from '../../runner/context.ts';
import { proveOutput } from '../../runner/verify-output.ts';
import type { Hold } from '../open/hold.ts';
import { lostObjectName, type OpenedRun } from '../open/open-run.ts';
import { openStore, type Workspace } from '../open/workspace.ts';

/** An object that is missing or damaged in the content store. */
export interface LostObject {
  readonly record: OutputRecord;
  /** The file that still has its bytes: the output, or what the attempt left. Undefined: there is none. */
  readonly intact: string | undefined;
}

/**
 * Reads every object that a result names, as `verify` does. What has no intact copy anywhere, as an earlier round of a gate,
 * is named until a person has accepted that it is lost.
 */
export function lostObjects(
  { env, root, ...workspace }: Workspace,
  { ledger, folder }: Pick<OpenedRun, 'ledger' | 'folder'>,
): LostObject[] {
  const store = openStore({ env, root, ...workspace });
  const accepted = new Set(ledger.acceptedDamage);
  const lost = new Map<string, LostObject>();
  for (const { unit, phase, results } of ledger.steps.values()) {
    for (const result of results) {
      for (const [name, record] of Object.entries(result?.outputs ?? {})) {
        const object = store.get(record.hash);
        if (object !== undefined && object !== 'damaged') continue;
        const left = `${attemptFolder({ folder }, unit, phase, result?.attempt ?? 0)}/outputs/${name}`;
        const intact = [record.path, left]
          .map((path) => `${root}/${path}`)
          .find((path) => proveOutput(env.disk, path, record, { deep: true }).kind === 'intact');
        const isKnown = lost.get(record.hash)?.intact !== undefined;
        const isSettled = intact === undefined && accepted.has(lostObjectName(record.hash));
        if (!isKnown && !isSettled) lost.set(record.hash, { record, intact });
      }
    }
  }
  return [...lost.values()];
}

/** Puts the bytes of intact files back into the store. The paths of the outputs, for those who read the report. */
export async function healObjects(
  { store }: Pick<Hold, 'store'>,
  objects: readonly LostObject[],
): Promise<string[]> {
  const healed: string[] = [];
  for (const { record, intact } of objects) {
    if (intact === undefined) continue;
    // The store compares: a damaged copy is written once more. The hash says whether the file was changed meanwhile.
    const put = await store.putFile(intact);
    if (put?.hash === record.hash) healed.push(record.path);
  }
  await store.flush();
  return healed;
}
