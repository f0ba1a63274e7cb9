import { dirname, join } from 'node:path';
import type { Hash } from '../../../base/hash.ts';
import type { FileStat } from '../../../disk/disk.ts';
import { hashFile } from '../../../disk/hash-file.ts';
import { createInsideCheck } from '../../../disk/safe-path.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { isTempName } from '../../../disk/write.ts';
import { type RunFileName, runFileNames, runFileUse } from '../../../model/run-folder.ts';
import { briefPointer } from '../../../projections/brief-file/state-file.ts';
import { runPointers, runsFolder } from '../../open/run-places.ts';
import type { KnownRun } from './choice.ts';
import { finalOutputs } from './final.ts';
import type { LeftFile } from './gc-answer.ts';
import type { GcScope } from './ground.ts';
import type { Keep } from './history.ts';
import { isWrittenBy, type Projections, pipelineOf, projectionsIn, telling } from './projections.ts';

/** Something that is to be removed, and how it looked when that was decided. */
export interface DoomedFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly stat: FileStat;
}

/** A file that no attempt made: it outlives the run. */
export interface CollectedFile {
  readonly path: string;
  readonly to: string;
}

export interface RunFiles {
  /** All that goes before the journal does. */
  readonly files: readonly DoomedFile[];
  /** The journal itself and what leads to it; empty when it stays. */
  readonly journal: readonly DoomedFile[];
  /** Those of `files` that people know: the outputs. */
  readonly outputs: readonly string[];
  /** Bytes of people in the run's folder that go elsewhere, because the folder goes. */
  readonly moves: readonly CollectedFile[];
  readonly leftAlone: readonly LeftFile[];
}

/**
 * Finds what a run has left in the workspace and may be removed: what it put there and is still as it put it, unless a
 * run that is kept names the same path. Everything else is left alone, and told where people may wonder.
 */
export function listRunFiles(
  ground: GcScope,
  run: KnownRun,
  keep: Keep,
  { claimed, produced }: { readonly claimed: ReadonlySet<string>; readonly produced: ReadonlySet<Hash> },
): RunFiles {
  const found = { files: [], journal: [], outputs: [], moves: [], leftAlone: [] };
  const loaded = pipelineOf(ground, run.opened);
  const search: Search = {
    ground,
    run,
    keep,
    claimed,
    produced,
    kept: keep === 'approved' ? finalOutputs(run.opened.ledger) : new Map(),
    projections: loaded === undefined ? new Map() : projectionsIn(loaded, run.opened.folder),
    own: new Set<string>(runFileNames),
    isInside: insideCheck(ground),
    settled: new Set(),
    found,
  };
  for (const path of [...run.made.keys(), ...run.adopted.keys()]) takeOutput(search, path);
  if (keep === 'nothing') takeProjections(search);
  takeFolder(search, run.opened.folder);
  takeBriefPointer(search);
  if (keep === 'nothing') takePointers(search);
  return found;
}

interface Search {
  readonly ground: GcScope;
  readonly run: KnownRun;
  readonly keep: Keep;
  /** Paths that runs which stay have put something at. */
  readonly claimed: ReadonlySet<string>;
  /** Every content that an attempt of any run made. */
  readonly produced: ReadonlySet<Hash>;
  readonly kept: ReadonlyMap<string, Hash>;
  readonly projections: Projections;
  /** In a run's own folder these are the engine's; what else lies there is an output, or somebody's. */
  readonly own: ReadonlySet<string>;
  readonly isInside: (path: string) => boolean;
  /** Paths that need not be looked at again. */
  readonly settled: Set<string>;
  readonly found: {
    readonly files: DoomedFile[];
    readonly journal: DoomedFile[];
    readonly outputs: string[];
    readonly moves: CollectedFile[];
    readonly leftAlone: LeftFile[];
  };
}

function takeOutput(search: Search, path: string): void {
  const { ground, claimed, kept, settled, found } = search;
  if (settled.has(path)) return;
  settled.add(path);
  if (claimed.has(path) || kept.has(path)) return;
  if (!search.isInside(path)) {
    found.leftAlone.push({ path, reason: 'through-link' });
    return;
  }
  const stat = ground.env.disk.stat(`${ground.root}/${path}`);
  if (stat === undefined) return;
  const reason = whyLeft(search, path, stat);
  if (reason !== undefined) {
    found.leftAlone.push({ path, reason });
    return;
  }
  found.files.push({ path, stat });
  found.outputs.push(path);
}

/** A recorded path is no more than a claim: what lies there has to be a file that holds what was recorded. */
function whyLeft({ ground, run }: Search, path: string, stat: FileStat): LeftFile['reason'] | undefined {
  const hash = stat.kind === 'file' ? hashOf(ground, path) : undefined;
  if (hash === 'unreadable') return 'unreadable';
  if (hash === undefined) return 'edited';
  if (run.adopted.get(path)?.has(hash)) return 'adopted';
  return run.made.get(path)?.has(hash) ? undefined : 'edited';
}

/** What lies elsewhere goes with the run that wrote it last; what it only wrote into stays. */
function takeProjections({ ground, run, claimed, projections, isInside, settled, found }: Search): void {
  for (const [path, projection] of projections) {
    if (projection.writing !== 'replaced') continue;
    if (path.startsWith(`${run.opened.folder}/`) || settled.has(path)) continue;
    settled.add(path);
    if (claimed.has(path) || !isInside(path)) continue;
    const stat = ground.env.disk.stat(`${ground.root}/${path}`);
    if (stat?.kind !== 'file') continue;
    if (isWrittenBy(ground, run.opened, path, projection)) found.files.push({ path, stat });
  }
}

/** Everything in the run's own folder that is not an output. */
function takeFolder(search: Search, folder: string): void {
  const { disk } = search.ground.env;
  for (const name of disk.list(`${search.ground.root}/${folder}`) ?? []) {
    const path = `${folder}/${name}`;
    const stat = disk.stat(`${search.ground.root}/${path}`);
    if (stat?.kind === 'folder') takeFolder(search, path);
    else if (stat !== undefined && !search.settled.has(path)) takeOwn(search, path, stat);
  }
}

/** What hands the brief to agents leads nowhere once the brief is gone. */
function takeBriefPointer({ ground, run, found }: Search): void {
  const path = briefPointer(ground.env.disk, ground.root, run.opened.folder);
  const stat = path === undefined ? undefined : ground.env.disk.stat(`${ground.root}/${path}`);
  if (path !== undefined && stat !== undefined) found.files.push({ path, stat });
}

function takePointers({ ground, run, found }: Search): void {
  for (const { path, folder } of runPointers(ground.env, ground.root)) {
    const stat = folder === run.opened.folder ? ground.env.disk.stat(`${ground.root}/${path}`) : undefined;
    if (stat !== undefined) found.journal.push({ path, stat });
  }
}

function takeOwn(search: Search, path: string, stat: FileStat): void {
  const { run, keep, claimed, found } = search;
  if (claimed.has(path)) return;
  const within = path.slice(run.opened.folder.length + 1);
  const isJournal = within.startsWith('events/');
  const tells = isTelling(search, path, within);
  if (holdsPeoplesFiles.has(topOf(within)) && !isProduced(search, path, stat)) {
    // With the journal left in place the folder stays, and what lies in it.
    const to = keep === 'nothing' ? `${keptFolder}/${run.opened.id}/${within}` : path;
    if (to !== path) found.moves.push({ path, to });
    found.leftAlone.push({ path: to, reason: 'not-made-by-run' });
  } else if (!tells && !isOwn(search, path, within))
    found.leftAlone.push({ path, reason: 'not-made-by-run' });
  else if (isJournal && keep === 'nothing') found.journal.push({ path, stat });
  else if (!tells || keep === 'nothing') found.files.push({ path, stat });
}

/** Where files of people are kept whose run is removed. */
const keptFolder = '.pawl/kept';

/** In these lies what was moved out of the way, and pages that people wrote: perhaps the only copy. */
const holdsPeoplesFiles: ReadonlySet<string> = new Set<RunFileName>(['aside', 'imported']);

function isProduced({ ground, produced }: Search, path: string, stat: FileStat): boolean {
  const hash = stat.kind === 'file' ? hashOf(ground, path) : undefined;
  return hash !== undefined && hash !== 'unreadable' && produced.has(hash);
}

/** What still says where kept outputs came from. */
function isTelling({ ground, projections, own }: Search, path: string, within: string): boolean {
  if (reserve.test(within) || isTemp(within)) return false;
  const projection = projections.get(path);
  if (projection !== undefined && telling[projection.name]) return true;
  const name = topOf(within);
  if (own.has(name) && runFileUse(name) === 'history') return true;
  return within === 'report.html' && isPage(ground, path);
}

const reserve = /^events\/[^/]+\/reserve$/;

function isOwn({ run, projections, own }: Search, path: string, within: string): boolean {
  if (run.opened.folder.startsWith(`${runsFolder}/`)) return true;
  const writing = projections.get(path)?.writing;
  return (writing !== undefined && writing !== 'section') || own.has(topOf(within)) || isTemp(within);
}

function topOf(within: string): string {
  return within.split('/', 1)[0] ?? '';
}

function isTemp(path: string): boolean {
  return isTempName(path.slice(path.lastIndexOf('/') + 1));
}

function isPage({ env, root, pageMark }: GcScope, path: string): boolean {
  const head = pageMark === undefined ? undefined : env.disk.readRange(`${root}/${path}`, 0, pageHeadBytes);
  return head !== undefined && pageMark !== undefined && new TextDecoder().decode(head).includes(pageMark);
}

const pageHeadBytes = 1024;

/** By its letters, and by where its folder is: with a link on the way it is not touched, wherever that leads. */
function insideCheck({ env, root, realRoot }: GcScope): (path: string) => boolean {
  const checkInside = createInsideCheck(env.disk, root);
  const plain = new Map<string, boolean>();
  return (path) => {
    if (!checkInside(path).ok) return false;
    const folder = dirname(path);
    let isPlain = plain.get(folder);
    if (isPlain === undefined) {
      const real = env.disk.realpath(`${root}/${folder}`);
      isPlain = real === undefined || real === join(realRoot, folder);
      plain.set(folder, isPlain);
    }
    return isPlain;
  };
}

function hashOf({ env, root }: GcScope, path: string): Hash | 'unreadable' | undefined {
  try {
    return hashFile(env.disk, `${root}/${path}`)?.hash;
  } catch (error) {
    if (isUnreadable(error)) return 'unreadable';
    throw error;
  }
}
