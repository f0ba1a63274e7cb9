import { byCodeUnit } from '../../base/json.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { Environment } from './environment.ts';
import { type FirstEvent, firstEvent, isRunOf, type RunPlace } from './run-places.ts';

/** By the id of an abandoned run: the newest run that `--fresh` made in its place. */
export type ReplacedRuns = ReadonlyMap<string, string>;

/**
 * The abandoned runs among these. A record counts only while the run that holds it is there and readable: once that one
 * is removed, the run that it replaced is open again.
 */
function replacedRuns(created: readonly FirstEvent[]): ReplacedRuns {
  const replaced = new Map<string, string>();
  const byAge = [...created].sort((a, b) => byCodeUnit(a.at, b.at));
  for (const { run, replaces = [] } of byAge)
    for (const old of replaces) if (old !== run) replaced.set(old, run);
  return replaced;
}

/** The abandoned runs of a workspace; of an identity, where a pipeline is given. */
export function replacedAmong(
  env: Environment,
  root: string,
  places: readonly Pick<RunPlace, 'folder'>[],
  pipeline?: Pick<Pipeline, 'name' | 'identity'>,
): ReplacedRuns {
  const created = places.flatMap(({ folder }) => firstEvent(env, root, folder) ?? []);
  return replacedRuns(pipeline === undefined ? created : created.filter((one) => isRunOf(one, pipeline)));
}
