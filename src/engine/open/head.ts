import { compareHead, forgetHead, headKey, rememberedHead, rememberHead } from '../../journal/heads.ts';
import type { Positions } from '../../journal/position.ts';
import type { Finding } from '../../model/failure.ts';
import type { Environment } from '../environment.ts';

/** Kept outside the run, so that a journal that was cut short is seen. Nothing depends on it being there. */
export async function keepHead(
  env: Environment,
  root: string,
  folder: string,
  positions: Positions,
): Promise<void> {
  if (env.stateFolder !== undefined)
    await rememberHead(env.disk, env.stateFolder, keyOf(env, root, folder), positions);
}

/** Before a run's folder goes: another one may come to lie there. */
export async function dropHead(env: Environment, root: string, folder: string): Promise<void> {
  if (env.stateFolder !== undefined) await forgetHead(env.disk, env.stateFolder, keyOf(env, root, folder));
}

/** Whether this user has worked with the run where it lies now. */
export function hasHead(env: Environment, root: string, folder: string): boolean {
  if (env.stateFolder === undefined) return false;
  return rememberedHead(env.disk, env.stateFolder, keyOf(env, root, folder)).size > 0;
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
  if (env.stateFolder === undefined) return () => [];
  const head = rememberedHead(env.disk, env.stateFolder, keyOf(env, root, folder));
  return (positions) => compareHead(head, positions, `${folder}/events`);
}

/** A copied or moved run has another key: it must not be compared with what became of the original. */
function keyOf(env: Environment, root: string, folder: string): string {
  return headKey(
    folder.slice(folder.lastIndexOf('/') + 1),
    env.disk.realpath(`${root}/${folder}`) ?? `${root}/${folder}`,
  );
}
