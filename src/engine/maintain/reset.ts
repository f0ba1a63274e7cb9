import { basename } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import { hashFile } from '../../disk/hash-file.ts';
import type { Failure } from '../../model/failure.ts';
import { isTerminal } from '../../model/status.ts';
import { briefPointer } from '../../projections/brief-file/state-file.ts';
import { record } from '../../runner/context.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading } from '../open/find-run.ts';
import { type Hold, type HoldOptions, lockRun, releaseAfter } from '../open/hold.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openRunJournal } from '../open/run-files.ts';
import { runPointers } from '../open/run-places.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import { removeEmptyFolders, removeJournal, removeRemains } from './gc/delete.ts';
import { type GcScope, openGround } from './gc/ground.ts';
import type { ArchivedRun, ResetAnswer, ResetLeft } from './reset-answer.ts';
import {
  archiveOf,
  type Copies,
  copyFiles,
  dropArchive,
  manifestPath,
  readCopies,
  removeOriginals,
  sealArchive,
} from './reset-archive.ts';
import { isBegun, runsThatAreNext, runsToReset } from './reset-choice.ts';
import { claimsAgainst, filesBelow, madeFiles } from './reset-files.ts';

export interface ResetRequest extends Target {
  /** No others than these: a person was asked about them. */
  readonly only?: readonly string[] | undefined;
  /** Take over a lock whose owner may live on another host. */
  readonly takeover?: boolean | undefined;
}

/**
 * Puts runs away, with the files that they made, so that the next one starts fresh and these are never resumed by
 * mistake. Everything is copied and the copies are proven; then the runs are ended, and only then anything is removed. A
 * reset that was cut short before that has changed nothing; after it, the next one finishes it.
 */
export async function resetRuns(
  env: Environment,
  request: ResetRequest,
): Promise<Result<ResetAnswer, Failure>> {
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const found = runsToReset(workspace.value, request);
  if (!found.ok) return found;
  const chosen = found.value.filter((opened) => request.only?.includes(nameOf(opened)) ?? true);
  const ground = await openGround(env, { path: request.path, pipeline: request.pipeline });
  if (!ground.ok) return ground;
  const claimsOn = claimsAgainst(ground.value, chosen);
  const drafts: Draft[] = [];
  for (const opened of chosen) {
    const placed = await resolvePipelineForRun(workspace.value, opened);
    const isOurs = isBegun(env.disk, placed.root, opened);
    const copies = isOurs ? readCopies(env.disk, placed.root, opened.id) : new Map();
    drafts.push({ placed, opened, claimed: claimsOn(opened), copies });
  }
  const kept = await copyAndEnd(drafts, {
    takeover: request.takeover ?? false,
    mayBeDamaged: true,
  });
  if (!kept.ok) return kept;
  const archived: ArchivedRun[] = [];
  for (const draft of drafts) {
    const put = await putAway(ground.value, draft);
    if (!put.ok) return put;
    archived.push(put.value);
  }
  archived.push(...(await removeRemainsOfResets(ground.value)));
  return ok({ archived, next: runsThatAreNext(workspace.value) });
}

const nameOf = ({ id, ledger }: OpenedRun) => ledger.run?.run ?? id;

/** What a reset would put away, for who asks first. */
export async function lookAtReset(
  env: Environment,
  target: Target,
): Promise<Result<readonly RunHeading[], Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const { value } = workspace;
  const found = runsToReset(value, target);
  if (!found.ok) return found;
  if (found.value.length === 0) return fail({ reason: 'no-run', workspace: value.shownPath });
  return ok(found.value.map((opened) => createRunHeading(value, opened)));
}

/** A run on its way into its archive. */
interface Draft {
  readonly placed: Workspace;
  readonly opened: OpenedRun;
  /** Paths that are not for it to take away. */
  readonly claimed: ReadonlySet<string>;
  readonly copies: Copies;
}

/** Nothing of any run is ended before all of all runs is in the archive: there may not be room for it. */
async function copyAndEnd(
  drafts: readonly Draft[],
  options: HoldOptions,
): Promise<Result<undefined, Failure>> {
  let isEnding = false;
  const done = await withAll(drafts, [], options, async (holds) => {
    for (const { placed, opened, claimed, copies } of drafts) {
      const { env, root } = placed;
      const made = madeFiles(placed, opened, claimed);
      const journal = `${opened.folder}/events/`;
      // It is about to go on.
      const paths = made.paths.filter((path) => !path.startsWith(journal));
      await copyFiles(env.disk, root, opened.id, { ...made, paths }, copies);
      const sealed = await sealArchive(env.disk, root, opened, copies);
      if (!sealed.ok) return sealed;
    }
    isEnding = true;
    for (const hold of holds)
      if (hold.ledger.ended === undefined || !isTerminal(hold.ledger.ended))
        await record(hold, { type: 'run_ended', status: 'cancelled' });
    return ok(undefined);
  });
  if (done.ok || isEnding) return done;
  for (const { placed, opened } of drafts)
    if (!isTerminal(opened.status)) dropArchive(placed.env.disk, placed.root, opened.id);
  return done;
}

async function withAll<T>(
  [draft, ...others]: readonly Draft[],
  holds: readonly Hold[],
  options: HoldOptions,
  work: (holds: readonly Hold[]) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  if (draft === undefined) return await work(holds);
  const hold = await lockRun(draft.placed, draft.opened, options);
  if (!hold.ok) return hold;
  return await releaseAfter(draft.placed, hold.value, () =>
    withAll(others, [...holds, hold.value], options, work),
  );
}

/** From here on the run is over for good. Its journal goes last and at once, for only that knows what is to go. */
async function putAway(ground: GcScope, draft: Draft): Promise<Result<ArchivedRun, Failure>> {
  const { placed, opened, claimed, copies } = draft;
  const { env, root } = placed;
  const { disk } = env;
  const { id, folder } = opened;
  const made = madeFiles(placed, opened, claimed);
  await copyFiles(disk, root, id, made, copies);
  const sealed = await sealArchive(disk, root, opened, copies);
  if (!sealed.ok) return sealed;
  const others = made.paths.filter((path) => !path.startsWith(`${folder}/events/`));
  const left: ResetLeft[] = [...made.left, ...(await removeOriginals(disk, root, others, copies))];
  const grown = filesBelow(disk, root, `${folder}/events`).find(
    (path) => hashFile(disk, `${root}/${path}`)?.hash !== copies.get(path)?.hash,
  );
  if (grown !== undefined)
    return fail({ reason: 'archive-failed', path: grown, detail: 'it changed while it was copied' });
  const brief = briefPointer(disk, root, folder);
  if (brief !== undefined) disk.remove(`${root}/${brief}`);
  // Folders of a run without a journal would look as if it were lost.
  removeEmptyFolders(disk, `${root}/${folder}`);
  await removeJournal({ env, root }, folder);
  await removeRemains(ground, folder);
  return ok({ run: id, to: archiveOf(id), files: copies.size, left });
}

/** A reset that was cut short at its very end: the journal is in the archive alone, and a folder is left. */
async function removeRemainsOfResets(ground: GcScope): Promise<ArchivedRun[]> {
  const { env, root } = ground;
  const remains = ground.runs.filter(
    ({ id, folder, ledger }) =>
      ledger.run === undefined &&
      env.disk.stat(`${root}/${manifestPath(id)}`) !== undefined &&
      !openRunJournal(env, root, folder).exists(),
  );
  for (const { folder } of remains) await removeRemains(ground, folder);
  for (const { path, folder } of runPointers(env, root)) {
    const isArchived = env.disk.stat(`${root}/${manifestPath(basename(path, '.json'))}`) !== undefined;
    if (isArchived && env.disk.stat(`${root}/${folder}`) === undefined) env.disk.remove(`${root}/${path}`);
  }
  return remains.map(({ id }) => ({
    run: id,
    to: archiveOf(id),
    files: readCopies(env.disk, root, id).size,
    left: [],
  }));
}
