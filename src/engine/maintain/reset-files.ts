import type { Disk } from '../../disk/disk.ts';
import { isTerminal } from '../../model/status.ts';
import { pathsOf, projectionsOf } from '../../pipeline/projections.ts';
import type { Environment } from '../open/environment.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { openRunJournal } from '../open/run-files.ts';
import type { Workspace } from '../open/workspace.ts';
import type { KnownRun } from './gc/choice.ts';
import { findClaimedFiles } from './gc/claims.ts';
import type { GcScope } from './gc/ground.ts';
import { readKeptHistory } from './gc/history.ts';
import { isWrittenBy } from './gc/projections.ts';
import type { ResetLeft } from './reset-answer.ts';
import { byAge } from './reset-choice.ts';

export interface MadeFiles {
  /** Relative to the workspace. */
  readonly paths: readonly string[];
  /** Those of them that phases made. */
  readonly outputs: ReadonlySet<string>;
  readonly left: readonly ResetLeft[];
}

/** By run: paths at which a run has put something that stays, or that is put away before it. */
export function claimsAgainst(
  ground: GcScope,
  chosen: readonly OpenedRun[],
): (run: OpenedRun) => ReadonlySet<string> {
  const known: KnownRun[] = ground.runs.map((opened) => ({
    opened,
    ...readKeptHistory(openRunJournal(ground.env, ground.root, opened.folder)),
  }));
  const isChosen = new Set(chosen.map(({ folder }) => folder));
  // A copy of a run that is put away has no more of a claim than the run itself.
  const names = new Set(chosen.map(({ ledger }) => ledger.run?.run));
  const strays = ground.strays.filter(({ ledger }) => !names.has(ledger.run?.run));
  return (run) => {
    // What is over for good has no use for its outputs; but if it came later, it was the last to put them there.
    const others = known.filter(({ opened }) => {
      if (opened.folder === run.folder) return false;
      const isStanding = !isChosen.has(opened.folder) && !isTerminal(opened.status);
      return isStanding || byAge(run, opened) < 0;
    });
    return findClaimedFiles({ ...ground, strays }, others);
  };
}

/**
 * All that the run made and that is still there, but for what it only wrote into (a log of all runs, and a file of
 * somebody's with the brief in it), and but for what others have put in its place.
 */
export function madeFiles(
  { env, root, loaded }: Workspace,
  run: OpenedRun,
  claimed: ReadonlySet<string>,
): MadeFiles {
  const { disk } = env;
  const { ledger, folder } = run;
  const paths = new Set(filesBelow(disk, root, folder));
  const outputs = new Set<string>();
  const left: ResetLeft[] = [];
  for (const path of outputPaths(env, root, run)) {
    if (disk.stat(`${root}/${path}`)?.kind !== 'file') continue;
    outputs.add(path);
    if (paths.has(path)) continue;
    if (claimed.has(path)) left.push({ path, reason: 'of-another-run' });
    else paths.add(path);
  }
  for (const projection of projectionsOf(loaded.pipeline, folder)) {
    if (projection.writing !== 'replaced') continue;
    for (const path of pathsOf(projection, loaded.pipeline.stages)) {
      if (paths.has(path) || claimed.has(path) || disk.stat(`${root}/${path}`)?.kind !== 'file') continue;
      // A state is claimed like an output; other files of this kind say whose they are.
      const isNamed = projection.name !== 'state' && ledger.run !== undefined;
      if (!isNamed || isWrittenBy({ env, root }, run, path, projection)) paths.add(path);
    }
  }
  return { paths: [...paths], outputs, left };
}

function outputPaths(env: Environment, root: string, { ledger, folder }: OpenedRun): Set<string> {
  const { made, adopted } = readKeptHistory(openRunJournal(env, root, folder));
  const paths = new Set([...made.keys(), ...adopted.keys()]);
  for (const step of ledger.steps.values())
    for (const { path } of Object.values(step.placed ?? {})) paths.add(path);
  return paths;
}

/** Links and the like are not among them. */
export function filesBelow(disk: Disk, root: string, folder: string): string[] {
  const found: string[] = [];
  for (const name of disk.list(`${root}/${folder}`) ?? []) {
    const path = `${folder}/${name}`;
    const kind = disk.stat(`${root}/${path}`)?.kind;
    if (kind === 'folder') found.push(...filesBelow(disk, root, path));
    else if (kind === 'file') found.push(path);
  }
  return found;
}
