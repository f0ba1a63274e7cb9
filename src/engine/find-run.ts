import { canonicalJson } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { DiskError } from '../disk/disk.ts';
import { readJournal } from '../journal/read.ts';
import type { Failure, RunChoice } from '../model/failure.ts';
import { isTerminal } from '../model/status.ts';
import { nearest } from '../pipeline/suggest.ts';
import type { DamagedRun, RunHeading } from './answers.ts';
import type { Environment } from './environment.ts';
import { eventsFolder, type OpenedRun, openRun, unacceptedDamage } from './open-run.ts';
import type { Target } from './requests.ts';
import { runsFolder, type Workspace } from './workspace.ts';

export interface FindOptions {
  /** Also a run that cannot say what it is for: what looks after damage must reach it. */
  readonly evenDamaged?: boolean;
}

/** The run that a call is about: the one that was named, or the one of the manifest's identity; undefined: none yet. */
export function findRun(
  workspace: Workspace,
  target: Target,
  options: FindOptions = {},
): Result<OpenedRun | undefined, Failure> {
  const { env, root } = workspace;
  const folders = runFolders(env, root);
  if (target.run !== undefined) return findById(env, root, folders, target.run);
  const open: OpenedRun[] = [];
  for (const folder of folders) {
    const isMine = worksOn(workspace, folder);
    if (isMine === 'no') continue;
    const opened = openRun(env, root, folder, { whole: false });
    // Nothing unreadable is taken for empty: it may be the very run that is asked for.
    if (opened.ledger.run === undefined && unacceptedDamage(opened).length > 0) {
      if (options.evenDamaged) return ok(opened);
      return fail({ reason: 'journal-damaged', run: opened.id, findings: opened.findings });
    }
    if (opened.ledger.run !== undefined && !isTerminal(opened.status)) open.push(opened);
  }
  if (open.length <= 1) return ok(open[0]);
  return fail({
    reason: 'which-run',
    candidates: open.map((opened) => choiceOf(headingOf(workspace, opened))),
  });
}

/** Asks the first event of a run's journal, which says what the run is for, and reads no further. */
function worksOn({ env, root, loaded }: Workspace, folder: string): 'yes' | 'no' | 'unknown' {
  const { name, identity } = loaded.pipeline;
  try {
    for (const event of readJournal(env.disk, eventsFolder(root, folder)).events()) {
      if (event.type !== 'run_created') return 'unknown';
      return event.pipeline === name && canonicalJson(event.identity) === canonicalJson(identity)
        ? 'yes'
        : 'no';
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
  return 'unknown';
}

function choiceOf({ run, pipeline, identity, status, updatedAt }: RunHeading): RunChoice {
  return { id: run, pipeline, identity, status, updated: updatedAt };
}

/** Like `findRun`, for a call that makes no sense without one. */
export function needRun(
  workspace: Workspace,
  target: Target,
  options: FindOptions = {},
): Result<OpenedRun, Failure> {
  const found = findRun(workspace, target, options);
  if (!found.ok) return found;
  return found.value === undefined
    ? fail({ reason: 'no-run', workspace: workspace.shownRoot })
    : ok(found.value);
}

/** Every run of a workspace, oldest first: ids begin with their time. */
export function allRuns(env: Environment, root: string): OpenedRun[] {
  return runFolders(env, root).map((folder) => openRun(env, root, folder, { whole: false }));
}

function runFolders(env: Environment, root: string): string[] {
  const names = env.disk.list(`${root}/${runsFolder}`) ?? [];
  return names
    .filter((name) => env.disk.stat(`${root}/${runsFolder}/${name}`)?.kind === 'folder')
    .map((name) => `${runsFolder}/${name}`);
}

/** A process that died before the first event leaves a folder that says nothing: not damage, only litter. */
export function isDamaged({ findings }: OpenedRun): boolean {
  return findings.some(({ weight }) => weight === 'loud');
}

export function headingOf(
  workspace: Pick<Workspace, 'shownRoot'>,
  { id, ledger, status }: Pick<OpenedRun, 'id' | 'ledger' | 'status'>,
): RunHeading {
  return {
    run: ledger.run?.run ?? id,
    pipeline: ledger.run?.pipeline ?? '',
    identity: ledger.run?.identity ?? {},
    status,
    workspace: workspace.shownRoot,
    createdAt: ledger.createdAt,
    updatedAt: ledger.updatedAt,
  };
}

/** A run whose first event cannot be read is damaged: nobody can say what it was for. */
export function listedRun(
  workspace: Pick<Workspace, 'shownRoot'>,
  opened: OpenedRun,
): RunHeading | DamagedRun {
  if (opened.ledger.run !== undefined) return headingOf(workspace, opened);
  return { run: opened.id, workspace: workspace.shownRoot, status: 'damaged', findings: opened.findings };
}

function findById(
  env: Environment,
  root: string,
  folders: readonly string[],
  id: string,
): Result<OpenedRun, Failure> {
  const ids = folders.map((folder) => folder.slice(folder.lastIndexOf('/') + 1));
  const begun = ids.filter((known) => known.startsWith(id));
  const chosen = ids.includes(id) ? id : begun.length === 1 ? begun[0] : undefined;
  if (chosen !== undefined) return ok(openRun(env, root, `${runsFolder}/${chosen}`, { whole: false }));
  return fail({ reason: 'run-not-found', id, near: begun.length > 0 ? begun : nearest(id, ids) });
}
