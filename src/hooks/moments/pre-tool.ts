import { basename, dirname, join, relative, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isSafeName } from '../../model/names.ts';
import { runFile } from '../../model/run-folder.ts';
import type { FileWrite, HookCall } from '../call.ts';
import { isResumable, lookAtRun, type RunLook } from '../run-look.ts';
import { stalenessOf } from '../staleness.ts';
import { partsToBeTouched, touchedParts } from '../touched-parts.ts';
import { outputWarning, ownershipWarning, ownFilesWarning, stalenessWarning } from '../words.ts';
import type { Disk, World } from '../world.ts';
import { notOriented, orient, wasCompacted } from './orientation.ts';
import { type Outcome, silence } from './outcome.ts';

/**
 * A file is about to be written. An agent that writes into the brief, into Pawl's own files or over the output of a
 * finished step gets an answer that says what this means. No tool is refused or delayed.
 */
export async function beforeTool(world: World, root: string, call: HookCall): Promise<Outcome> {
  const writes = call.tool?.writes ?? [];
  if (writes.length === 0) return silence;
  const look = lookAtRun(world, root);
  if (look === undefined) return silence;
  const { disk } = world.env;
  const places = placesOf(world, look);
  const said = new Set<string>();
  for (const write of writes.slice(0, writesMax)) {
    const path = realPath(disk, resolve(call.cwd ?? root, write.path));
    const warning =
      path === undefined ? undefined : await warningFor(world, look, call, places, { path, write });
    if (warning !== undefined) said.add(warning);
  }
  // An agent that calls only after the tool sends no event after a compaction, either.
  const lost = call.tool?.isDone === true && isResumable(look) && wasCompacted(disk, look, call);
  const { answer, reoriented } = lost ? orient(world, look, true) : notOriented;
  const pieces = [...(answer === undefined ? [] : [answer.context]), ...said];
  if (pieces.length === 0) return silence;
  const notesWhenAnswered = reoriented === undefined ? [] : [reoriented];
  return { look, answer: { context: pieces.join('\n') }, notes: [], notesWhenAnswered };
}

interface Places {
  readonly root: string;
  readonly document: string | undefined;
  /** Folders in which only Pawl writes. */
  readonly own: readonly (string | undefined)[];
  /** Folders and files in them that this agent, or one that has claimed a task, is meant to write. */
  readonly open: readonly (string | undefined)[];
}

interface Target {
  readonly path: string;
  readonly write: FileWrite;
}

const writesMax = 50;
const documentBytesMax = 1024 * 1024;

function placesOf({ env: { disk }, attempt }: World, look: RunLook): Places {
  const { root, state } = look;
  const attempts = `${root}/${runFile(state.folder, 'attempts')}`;
  const claimed = claimsIn(look).map((one) => `${attempts}/${one.unit}/${one.phase}/${one.attempt}`);
  const own =
    attempt === undefined ? [] : [`${attempt}/outputs`, `${attempt}/revise.json`, `${attempt}/result.json`];
  return {
    root: realPath(disk, root) ?? root,
    document: realPath(disk, `${root}/${state.path}`),
    own: [realPath(disk, `${root}/.pawl`), realPath(disk, `${root}/${state.folder}/events`)],
    open: [...claimed, ...own].map((path) => realPath(disk, path)),
  };
}

/** Checks each name, because anyone may have written the file. */
function claimsIn({ state }: RunLook) {
  const { underWay } = state.survey as unknown as JsonObject;
  const first = isJsonObject(underWay) && Array.isArray(underWay.first) ? underWay.first : [];
  return first.flatMap((one: JsonValue) => {
    if (!isJsonObject(one)) return [];
    const { unit, phase, attempt, actor } = one;
    const isNamed = [unit, phase].every((name) => typeof name === 'string' && isSafeName(name));
    return isNamed && typeof attempt === 'number' && typeof actor === 'string'
      ? [{ unit, phase, attempt }]
      : [];
  });
}

async function warningFor(
  world: World,
  look: RunLook,
  call: HookCall,
  places: Places,
  { path, write }: Target,
): Promise<string | undefined> {
  const shown = relative(places.root, path);
  const command = world.command(look.root);
  if (path === places.document) {
    const parts = partsTouchedBy(world.env.disk, look, call, { path, write });
    if (parts.length === 0 && !isResumable(look)) return undefined;
    const found = await stalenessOf(world, look, call.session);
    if (parts.length > 0) return ownershipWarning(shown, parts, found.level, command);
    return found.level === 'FRESH' ? undefined : stalenessWarning(shown, found, command);
  }
  const isIn = (folder: string | undefined) =>
    folder !== undefined && (path === folder || path.startsWith(`${folder}/`));
  if (places.open.some(isIn)) return undefined;
  if (places.own.some(isIn)) return ownFilesWarning(shown, command);
  const step = await finishedStepAt(world, look, shown);
  return step && outputWarning(shown, step, command);
}

/** The journal is read only for an existing file in a place for outputs, because reading it is slow. */
async function finishedStepAt(world: World, { root, state }: RunLook, path: string) {
  const { outputPrefixes } = state.survey as unknown as JsonObject;
  const prefixes = Array.isArray(outputPrefixes) ? outputPrefixes : [];
  const isOutput = prefixes.some((prefix) => typeof prefix === 'string' && path.startsWith(prefix));
  const isDead = state.status === 'failed' || state.status === 'cancelled';
  if (!isOutput || isDead || world.env.disk.stat(`${root}/${path}`)?.kind !== 'file') return undefined;
  return await world.finishedStep(root, { id: state.run, folder: state.folder }, path);
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

/** The path with every link resolved; of a missing file that of its folder. Undefined for an invalid path. */
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
