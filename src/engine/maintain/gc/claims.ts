import { openRunJournal } from '../../open/run-files.ts';
import type { KnownRun } from './choice.ts';
import type { GcScope } from './ground.ts';
import { readKeptHistory } from './history.ts';
import { pipelineOf } from './projections.ts';

/** Every path at which a run that stays has ever put something: what lies there is not for others to take away. */
export function findClaimedFiles(ground: GcScope, staying: Iterable<KnownRun>): Set<string> {
  const claimed = new Set<string>();
  const claim = (paths: Iterable<string>) => {
    for (const path of paths) claimed.add(path);
  };
  for (const { opened, made, adopted } of staying) {
    claim(made.keys());
    claim(adopted.keys());
    const state = pipelineOf(ground, opened)?.pipeline.state;
    if (state !== undefined) claimed.add(state.path);
  }
  for (const { folder } of ground.strays) {
    const { made, adopted } = readKeptHistory(openRunJournal(ground.env, ground.root, folder));
    claim(made.keys());
    claim(adopted.keys());
  }
  return claimed;
}
