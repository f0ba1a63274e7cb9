import { dirname } from 'node:path';
import { runsUserCode } from '../../artifacts/checks.ts';
import { hashFile } from '../../artifacts/hash-file.ts';
import type { Hash } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isResumable } from '../../ledger/status-page/status-words.ts';
import type { OutputRef, Phase } from '../../model/definition.ts';
import type { ArtifactAdopted, EventBody, RevisionRecorded } from '../../model/event.ts';
import type { Failure, StatusTrouble } from '../../model/failure.ts';
import type { Notice } from '../../model/reason.ts';
import { runFile } from '../../model/run-folder.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import { record } from '../../runner/context.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import { adoptions } from '../other-tools/take-over.ts';
import { type Hold, takeHold, whileHeld } from '../run/hold.ts';
import { holdNewRun } from '../run/new-run.ts';
import { keepSources, newRevision } from '../run/revision.ts';
import { type FoundPage, findPages, troubleOf } from './pages.ts';

/** What came of the pages that lay there: what a person has to know of it. */
export interface TakenIn {
  readonly notices: readonly Notice[];
  /** A run was made of them: it is gone on with like any other, and its guards look at everything. */
  readonly isTaken: boolean;
}

/**
 * Takes in the pages of units that there is no run of: phases that they call completed, with their files there and good,
 * become results that somebody else made. Nothing is believed that cannot be looked at: a missing file makes its phase
 * incomplete, a hash that does not match is an edit, a ticked box is no decision.
 */
export async function takeInPages(
  workspace: Workspace,
  opened: OpenedRun | undefined,
): Promise<Result<TakenIn, Failure>> {
  // A run that died before it had recorded what its phases are has taken in nothing yet.
  if (opened !== undefined && opened.ledger.revision > 0) return ok(nothing);
  const pages = findPages(workspace);
  if (pages.length === 0) return ok(nothing);
  const troubles = pages.flatMap(troubleOf);
  if (troubles.length > 0) return fail({ reason: 'status-unclear', troubles });
  const live = pages.filter(({ page }) => page.status !== undefined && isResumable(page.status));
  if (live.length === 0) return ok({ notices: pages.map(endedNotice), isTaken: false });
  // Beside a unit that goes on, those that are through are as good as they were.
  const kept = pages.filter((found) => live.includes(found) || found.page.status === 'COMPLETE');
  const notices = pages.filter((found) => !kept.includes(found)).map(endedNotice);
  const contradicted = kept.flatMap((found) => contradictions(workspace, found));
  if (contradicted.length > 0) return fail({ reason: 'status-unclear', troubles: contradicted });

  const options = { takeover: false };
  const taken =
    opened === undefined
      ? await holdNewRun(workspace, { ...options, fresh: false })
      : await takeHold(workspace, opened, options);
  if (!taken.ok) return taken;
  const hold = taken.value;
  // Somebody else has made the run in the meantime.
  if (hold === undefined) return ok({ notices: [], isTaken: true });
  return await whileHeld(workspace, hold, async () => {
    const imported: Notice[] = [];
    const events: EventBody[] = [];
    for (const found of pages) keepPage(hold, found);
    for (const found of kept) {
      const { adopted, notice } = await adoptPage(workspace, hold.ledger, found);
      events.push(...adopted);
      imported.push(notice);
    }
    const revision = newRevision(workspace, hold.ledger);
    await keepSources(workspace, hold.store);
    for (const event of events)
      if (event.type === 'artifact_adopted') await hold.store.putFile(`${hold.root}/${event.after.path}`);
    const first = revision === undefined ? [] : [withSpec(workspace, revision, kept)];
    await record(hold, ...first, ...events, { type: 'run_ended', status: 'stopped' });
    return ok({ notices: [...notices, ...imported], isTaken: true });
  });
}

const nothing: TakenIn = { notices: [], isTaken: false };

function endedNotice({ page, path }: FoundPage): Notice {
  return { code: 'started-fresh', run: page.runId ?? path, status: page.status ?? '', reason: '' };
}

/** What was there is kept as it was: the unit's own page takes its place. */
function keepPage({ disk, root, folder }: Hold, { unit, bytes }: FoundPage): void {
  const target = `${root}/${runFile(folder, 'imported')}`;
  disk.makeFolder(target);
  replaceFileNow(disk, `${target}/${unit.id}.md`, bytes);
}

/** Phase by phase in their order: what comes after one that is incomplete was made from something that is not there. */
async function adoptPage(
  workspace: Workspace,
  ledger: Ledger,
  found: FoundPage,
): Promise<{ readonly adopted: ArtifactAdopted[]; readonly notice: Notice }> {
  const { stage, unit, page, path } = found;
  const adopted: ArtifactAdopted[] = [];
  const unverified: string[] = [];
  const taken: string[] = [];
  for (const [at, phase] of stage.phases.entries()) {
    const isDone = page.completed.some((entry) => entry.stage === phase.name);
    const isLater = stage.phases
      .slice(at + 1)
      .some(({ name }) => page.completed.some((entry) => entry.stage === name));
    if (!isDone && !(page.currentStage === phase.name && isProvable(phase))) {
      if (phase.when === 'gate-failed') continue;
      break;
    }
    const isListed = page.completed.every(
      (entry) => entry.stage !== phase.name || isThere(workspace, found, entry.artifact?.path),
    );
    const events = isListed ? await adoptions(workspace, ledger, unit, phase, isLater) : [];
    if (events.length === 0) break;
    for (const event of events) {
      const claimed = claimedHash(workspace, found, phase, event);
      if (claimed === undefined) unverified.push(event.after.path);
      adopted.push(asClaimed(event, claimed));
    }
    taken.push(phase.name);
  }
  return { adopted, notice: { code: 'imported', path, unit: unit.id, taken, unverified } };
}

/** A file that merely exists proves nothing; one that passes its check does. */
function isProvable({ outputs }: Phase): boolean {
  // A check that runs a program of the manifest is not run for a page that somebody has left here.
  return outputs.length > 0 && outputs.every(({ check }) => check !== undefined && !runsUserCode(check));
}

/** Paths on a page may begin at the page's own folder. */
function isSamePath({ path }: FoundPage, listed: string, actual: string): boolean {
  const plain = listed.replace(/^\.\//, '');
  return plain === actual || `${dirname(path)}/${plain}` === actual;
}

function isThere({ env, root }: Workspace, { path }: FoundPage, listed: string | undefined): boolean {
  if (listed === undefined) return true;
  const plain = listed.replace(/^\.\//, '');
  return [plain, `${dirname(path)}/${plain}`].some(
    (candidate) => env.disk.stat(`${root}/${candidate}`)?.kind === 'file',
  );
}

/**
 * What the page says of the spec, and of files, against what is there: a shortened hash that cannot be the file's, or another
 * spec than the one that the rest was made from where nobody could be asked about it.
 */
function contradictions({ env, root, loaded }: Workspace, found: FoundPage): StatusTrouble[] {
  const { page, path, stage, unit } = found;
  const troubles: StatusTrouble[] = [];
  const tell = (line: number, code: string, value: string) =>
    troubles.push({ path, line, code, facts: { value } });
  const hashAt = (file: string) => hashFile(env.disk, `${root}/${file}`)?.hash;
  for (const { artifact, line } of page.completed) {
    if (artifact?.hash?.kind !== 'abbreviated') continue;
    const candidates = [artifact.path, `${dirname(path)}/${artifact.path}`];
    const actual = candidates.map(hashAt).find((hash) => hash !== undefined);
    if (actual !== undefined && !isShortOf(artifact.hash.text, actual))
      tell(line, 'hash-contradicts', artifact.path);
  }
  const { spec } = loaded.pipeline.layout;
  const specPhase = isOutput(spec) ? stage.phases.find(({ name }) => name === spec.phase) : undefined;
  const output = isOutput(spec) && specPhase?.outputs.find(({ name }) => name === spec.output);
  if (!output || specPhase === undefined) return troubles;
  const file = expandPattern(output.path, unit, 1);
  const actual = hashAt(file);
  if (actual === undefined || page.specHash === undefined) return troubles;
  if (page.specHash.kind === 'abbreviated') {
    if (!isShortOf(page.specHash.text, actual)) tell(1, 'spec-changed', file);
    return troubles;
  }
  const row = page.completed.find(
    ({ artifact }) => artifact !== undefined && isSamePath(found, artifact.path, file),
  );
  if (row?.artifact?.hash?.kind === 'full' && row.artifact.hash.hash !== page.specHash.hash)
    tell(row.line, 'spec-hash-contradicts', file);
  const isWhole = specPhase.outputs.every(
    ({ optional, path: pattern }) => optional || hashAt(expandPattern(pattern, unit, 1)) !== undefined,
  );
  // Its phase would be done again, and the changed spec with it.
  if (actual !== page.specHash.hash && !isWhole) tell(1, 'spec-changed', file);
  return troubles;
}

/** The digits before and after the dots stand in the hash where they should. */
function isShortOf(text: string, hash: Hash): boolean {
  const digits = hash.slice('sha256:'.length);
  const [start = '', end = ''] = text
    .toLowerCase()
    .replace(/^sha-?256:/, '')
    .split(/[.…]+/);
  return digits.startsWith(start) && digits.endsWith(end);
}

/** The hash that the page gives; undefined: none, or one that was shortened. */
function claimedHash(
  { loaded }: Workspace,
  found: FoundPage,
  phase: Phase,
  { output, after }: ArtifactAdopted,
): Hash | undefined {
  const { page } = found;
  const entry = page.completed.find(
    ({ stage, artifact }) =>
      stage === phase.name && artifact !== undefined && isSamePath(found, artifact.path, after.path),
  );
  const { spec } = loaded.pipeline.layout;
  const isSpec = isOutput(spec) && spec.phase === phase.name && spec.output === output;
  const hash = (isSpec ? page.specHash : undefined) ?? entry?.artifact?.hash;
  return hash?.kind === 'full' ? hash.hash : undefined;
}

function isOutput(spec: OutputRef | string | undefined): spec is OutputRef {
  return typeof spec === 'object';
}

/** What the page says it was: where the file is another one now, it is found to be edited, and that is asked about. */
function asClaimed(event: ArtifactAdopted, claimed: Hash | undefined): ArtifactAdopted {
  if (claimed === undefined || claimed === event.after.hash) return event;
  return { ...event, after: { ...event.after, hash: claimed, size: 0, ino: 0, mtime: 0 } };
}

/** A spec that is a declared file counts as the one that the page knew. */
function withSpec(
  { loaded }: Workspace,
  revision: RevisionRecorded,
  pages: readonly FoundPage[],
): RevisionRecorded {
  const { spec } = loaded.pipeline.layout;
  if (typeof spec !== 'string') return revision;
  const hashes = pages.flatMap(({ page }) => (page.specHash?.kind === 'full' ? [page.specHash] : []));
  const now = Object.values(revision.phases).find(({ files }) => files[spec] !== undefined)?.files[spec]
    ?.hash;
  // One page that knew another spec is enough to ask.
  const known = hashes.find(({ hash }) => hash !== now) ?? hashes[0];
  if (known === undefined) return revision;
  const phases = Object.entries(revision.phases).map(([name, statics]) => {
    const file = statics.files[spec];
    if (file === undefined) return [name, statics];
    return [name, { ...statics, files: { ...statics.files, [spec]: { ...file, hash: known.hash } } }];
  });
  return { ...revision, phases: Object.fromEntries(phases) };
}
