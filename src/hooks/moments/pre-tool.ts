import { basename, dirname, join, relative, resolve } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { FileWrite, HookCall } from '../call.ts';
import { isResumable, lookAtRun, type RunLook } from '../run-look.ts';
import { ageOf } from '../staleness.ts';
import { partsToBeTouched, touchedParts } from '../touched-parts.ts';
import { ownershipWarning, ownFilesWarning, stalenessWarning } from '../words.ts';
import type { Disk, World } from '../world.ts';
import { notOriented, orient, wasCompacted } from './orientation.ts';
import { type Outcome, silence } from './outcome.ts';

/** A file is about to be written: whoever writes into the brief, or into Pawl's own files, is told what that means. */
export function beforeTool(world: World, root: string, call: HookCall): Outcome {
  const writes = call.tool?.writes ?? [];
  if (writes.length === 0) return silence;
  const look = lookAtRun(world, root);
  if (look === undefined) return silence;
  const { disk } = world.env;
  const places = placesOf(disk, look);
  const said = new Set<string>();
  for (const write of writes.slice(0, writesMax)) {
    const path = realPath(disk, resolve(call.cwd ?? root, write.path));
    const warning = path === undefined ? undefined : warningFor(world, look, call, places, { path, write });
    if (warning !== undefined) said.add(warning);
  }
  // An agent that is asked only after the fact is one that says nothing after a compaction, either.
  const lost = call.tool?.isDone === true && isResumable(look) && wasCompacted(disk, look, call);
  const { answer, reoriented } = lost ? orient(world, look, true) : notOriented;
  const pieces = [...(answer === undefined ? [] : [answer.context]), ...said];
  if (pieces.length === 0) return silence;
  const notesWhenTold = reoriented === undefined ? [] : [reoriented];
  return { look, answer: { context: pieces.join('\n') }, notes: [], notesWhenTold };
}

interface Places {
  readonly root: string;
  readonly document: string | undefined;
  /** Folders in which nobody but Pawl writes. */
  readonly own: readonly (string | undefined)[];
}

interface Target {
  readonly path: string;
  readonly write: FileWrite;
}

const writesMax = 50;
const documentBytesMax = 1024 * 1024;

function placesOf(disk: Disk, { root, state }: RunLook): Places {
  return {
    root: realPath(disk, root) ?? root,
    document: realPath(disk, `${root}/${state.path}`),
    own: [realPath(disk, `${root}/.pawl`), realPath(disk, `${root}/${state.folder}/events`)],
  };
}

function warningFor(
  world: World,
  look: RunLook,
  call: HookCall,
  places: Places,
  { path, write }: Target,
): string | undefined {
  const shown = relative(places.root, path);
  const command = world.command(look.root);
  if (path === places.document) {
    const level = () => ageOf(world, look, call.session);
    const parts = partsTouchedBy(world.env.disk, look, call, { path, write });
    if (parts.length > 0) return ownershipWarning(shown, parts, level(), command);
    const staleness = isResumable(look) ? level() : 'FRESH';
    return staleness === 'FRESH' ? undefined : stalenessWarning(shown, staleness, command);
  }
  return places.own.some((folder) => folder !== undefined && path.startsWith(`${folder}/`))
    ? ownFilesWarning(shown, command)
    : undefined;
}

function partsTouchedBy(
  disk: Disk,
  { state }: RunLook,
  { tool }: HookCall,
  { path, write }: Target,
): string[] {
  const text = readText(disk, path);
  if (text === undefined) return [];
  return tool?.isDone === true
    ? touchedParts(text, write.edits, state.brief as unknown as JsonObject)
    : partsToBeTouched(text, write.edits);
}

/** With every link resolved; a file that is not there yet lies where its folder is. Undefined for what is no path. */
function realPath(disk: Disk, path: string): string | undefined {
  if (path.includes('\0') || path.length > pathLengthMax) return undefined;
  try {
    const found = disk.realpath(path);
    if (found !== undefined) return found;
    const folder = dirname(path);
    const above = folder === path ? undefined : realPath(disk, folder);
    return above && join(above, basename(path));
  } catch {
    return undefined;
  }
}

const pathLengthMax = 4096;

function readText(disk: Disk, path: string): string | undefined {
  try {
    const bytes = disk.read(path, documentBytesMax);
    return bytes && new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
