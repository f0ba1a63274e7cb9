import type { StateSpec, Unit } from '../../model/definition.ts';
import type { LoadContext } from '../context.ts';
import { checkPath, cleanPath, parentFolder, usePath, usePathPattern } from '../paths.ts';
import { fillPattern, hasFields, type Pattern, parsePattern, unitField } from '../pattern.ts';
import type { Manifest, ManifestPhase } from '../schema/manifest.ts';
import { nearest, suggestion } from '../text/problems.ts';
import type { StageUnits } from '../units/units.ts';

/** A file that Pawl writes for each unit of a stage: an output, or a projection. */
export interface UnitOutputFile {
  /** What it is called in messages: `write.prose`. */
  readonly name: string;
  /** Its pattern, and where the manifest says so. */
  readonly pattern: string;
  readonly at: string;
}

/** A file that is there once: read by phases, or shown to people. */
export interface FixedFile {
  readonly name: string;
  readonly path: string;
  /** Where the manifest says that Pawl writes it; undefined: it is only read. */
  readonly at?: string;
}

export interface StageFiles {
  readonly units: readonly Unit[];
  readonly files: readonly UnitOutputFile[];
}

/**
 * Every file that is ever written has one writer: no two outputs of any two units share a path, none lies inside
 * another, and none overwrites what the pipeline reads. Takes each path once and looks it up; fifty thousand
 * units with four outputs are two hundred thousand look-ups.
 */
export function checkOutputPaths(
  context: LoadContext,
  stages: readonly StageFiles[],
  fixed: readonly FixedFile[],
): void {
  const taken: TakenPaths = { files: new Set(), folders: new Set() };
  let owners: Map<string, string> | undefined;
  const ownerOf = (path: string) => {
    owners ??= findOwners(stages, fixed);
    return owners.get(path) ?? path;
  };
  for (const { path, at } of fixed) {
    const clash = take(taken, path);
    if (clash === undefined || at === undefined) continue;
    context.problems.add('duplicate-output', at, { found: path, other: ownerOf(clash) });
  }
  for (const { units, files } of stages) {
    for (const file of files) {
      const parsed = parsePattern(file.pattern);
      // Said already, where the pattern was read.
      if ('wrong' in parsed) continue;
      if (units.length > 1 && !hasFields(parsed.pattern)) {
        context.problems.add('output-not-per-unit', file.at, { found: file.pattern, units: units.length });
      } else checkFile(context, taken, file, parsed.pattern, units, ownerOf);
    }
  }
}

function checkFile(
  context: LoadContext,
  taken: TakenPaths,
  file: UnitOutputFile,
  pattern: Pattern,
  units: readonly Unit[],
  ownerOf: (path: string) => string,
): void {
  const isSafeByPattern = pattern.every(
    (part) => typeof part === 'string' || part.field === 'unit' || part.field === 'attempt',
  );
  for (const unit of units) {
    const path = fillPattern(pattern, (name) => unitField(unit, name, 1));
    // A problem of every unit is reported once, not for each.
    if (typeof path !== 'string') {
      const valid = ['unit', 'attempt', ...Object.keys(unit.data)];
      const near = suggestion(nearest(path.field, valid));
      context.problems.add(path.code, file.at, { found: path.field, unit: unit.id, valid, ...near });
      return;
    }
    const wrong = isSafeByPattern ? undefined : checkPath(path);
    if (wrong !== undefined) {
      context.problems.add(wrong.code, file.at, { ...wrong.facts, unit: unit.id });
      return;
    }
    const clash = take(taken, path);
    if (clash !== undefined) {
      const other = ownerOf(clash);
      // Itself: the unit is listed twice, and that problem is reported at its id.
      if (other === `${unit.id}/${file.name}`) continue;
      const facts = { found: path, unit: unit.id, other };
      context.problems.add('duplicate-output', file.at, facts);
      return;
    }
  }
}

interface TakenPaths {
  readonly files: Set<string>;
  /** Folders that hold a taken file. */
  readonly folders: Set<string>;
}

/** Takes a path, or gives the folded path that stands in its way. */
function take({ files, folders }: TakenPaths, path: string): string | undefined {
  const folded = foldPath(path);
  if (files.has(folded) || folders.has(folded)) return folded;
  for (let slash = folded.lastIndexOf('/'); slash > 0; slash = folded.lastIndexOf('/', slash - 1)) {
    const folder = folded.slice(0, slash);
    if (folders.has(folder)) break;
    if (files.has(folder)) return folder;
    folders.add(folder);
  }
  files.add(folded);
  return undefined;
}

/** Some file systems do not tell `A` from `a`, or two ways of writing `é`. */
function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** By folded path, and by every folder above it: who writes there. Built only to name the other side of a clash. */
function findOwners(stages: readonly StageFiles[], fixed: readonly FixedFile[]): Map<string, string> {
  const owners = new Map<string, string>();
  const own = (path: string, owner: string) => {
    let folded = foldPath(path);
    while (folded !== '' && !owners.has(folded)) {
      owners.set(folded, owner);
      folded = folded.slice(0, Math.max(0, folded.lastIndexOf('/')));
    }
  };
  for (const { path, name } of fixed) own(path, name);
  for (const { units, files } of stages) {
    for (const file of files) {
      const parsed = parsePattern(file.pattern);
      if ('wrong' in parsed) continue;
      for (const unit of units) {
        const path = fillPattern(parsed.pattern, (name) => unitField(unit, name, 1));
        if (typeof path === 'string') own(path, `${unit.id}/${file.name}`);
      }
    }
  }
  return owners;
}

/** Reads the state that moves from unit to unit. */
export function resolveState(context: LoadContext, state: Manifest['state']): StateSpec | undefined {
  if (state === undefined) return undefined;
  const { reader, problems } = context;
  const path = usePath(reader, problems, state.path, 'state.path');
  const initial = usePath(reader, problems, state.initial, 'state.initial');
  const folder = parentFolder(path);
  const snapshots = state.snapshots ?? `${folder === '' ? '' : `${folder}/`}state/{unit}.json`;
  return {
    path,
    initial,
    snapshots: usePathPattern(reader, problems, cleanPath(snapshots), 'state.snapshots'),
    cascade: state.cascade === 'rerun' ? 'rerun' : 'keep',
  };
}

/** One stage's phases, as far as they touch the state. */
export interface StateUse {
  readonly at: string;
  readonly unitsAt: string;
  readonly units: StageUnits;
  readonly phases: Readonly<Record<string, ManifestPhase>>;
}

/** A state is worth something only where one phase commits it and the units follow one another. */
export function checkStateUse(
  context: LoadContext,
  state: StateSpec | undefined,
  stages: readonly StateUse[],
): void {
  let writer: string | undefined;
  for (const { at, unitsAt, units, phases } of stages) {
    const users = Object.entries(phases).filter(([, phase]) => phase.state !== undefined);
    for (const [name, phase] of users) {
      const path = `${at}.${name}.state`;
      if (state === undefined) context.problems.add('state-missing', path, { found: phase.state ?? '' });
      if (phase.state !== 'write') continue;
      if (writer !== undefined)
        context.problems.add('state-two-writers', path, { found: name, other: writer });
      writer ??= name;
    }
    if (state !== undefined && users.length > 0 && units.order === 'free' && units.units.length > 1) {
      context.problems.add('state-needs-chain', unitsAt, { found: 'free', expected: 'chain' });
    }
  }
}
