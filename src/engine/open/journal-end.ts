import type { Finding } from '../../model/failure.ts';
import {
  compareJournalEnd,
  makeEndKey,
  readJournalEnd,
  removeJournalEnd,
  writeJournalEnd,
} from '../../store/journal-ends.ts';
import type { Positions } from '../../store/position.ts';
import type { Environment } from './environment.ts';
import { firstEvent, runsFolder } from './run-places.ts';

/** Kept outside the run, so that a journal that was cut short is seen. Nothing depends on it being there. */
export async function rememberJournalEnd(
  env: Environment,
  root: string,
  folder: string,
  positions: Positions,
): Promise<void> {
  const place = headPlace(env, root, folder);
  if (place !== undefined) await writeJournalEnd(env.disk, place.stateFolder, place.key, positions);
}

/** Before a run's folder goes: nothing will ask for its head again. */
export async function forgetJournalEnd(env: Environment, root: string, folder: string): Promise<void> {
  const place = headPlace(env, root, folder);
  if (place !== undefined) await removeJournalEnd(env.disk, place.stateFolder, place.key);
}

/** Whether this user has worked with the run where it lies now. */
export function hasJournalEnd(env: Environment, root: string, folder: string): boolean {
  const place = headPlace(env, root, folder);
  return place !== undefined && readJournalEnd(env.disk, place.stateFolder, place.key).size > 0;
}

/**
 * Asks whether a journal was cut short. What was remembered is read now, before the journal is: others may be writing,
 * and a head that is newer than what was read would accuse them.
 */
export function lookAtHead(
  env: Environment,
  root: string,
  folder: string,
): (positions: Positions) => Finding[] {
  const place = headPlace(env, root, folder);
  if (place === undefined) return () => [];
  const head = readJournalEnd(env.disk, place.stateFolder, place.key);
  return (positions) => compareJournalEnd(head, positions, `${folder}/events`);
}

/**
 * A head belongs to one run in one place. A moved or copied run has another key, because the original may have gone
 * further. A new run in the folder of a deleted one has another key, because its journal starts over.
 * Undefined: no state folder, or the journal does not say which run it is of.
 */
function headPlace(
  env: Environment,
  root: string,
  folder: string,
): { readonly stateFolder: string; readonly key: string } | undefined {
  const { disk, stateFolder } = env;
  if (stateFolder === undefined) return undefined;
  // Below `.pawl/runs` a folder is named by the run's id, also when the journal has lost its first event.
  const named = folder.startsWith(`${runsFolder}/`) ? folder.slice(folder.lastIndexOf('/') + 1) : undefined;
  const run = firstEvent(env, root, folder)?.run ?? named;
  if (run === undefined) return undefined;
  return { stateFolder, key: makeEndKey(run, disk.realpath(`${root}/${folder}`) ?? `${root}/${folder}`) };
}
