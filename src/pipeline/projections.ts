import type { LayoutSpec, Pipeline, StateSpec, Unit } from '../model/definition.ts';
import { runFile } from '../model/run-folder.ts';
import { compilePattern } from './pattern.ts';
import type { Manifest } from './schema/manifest.ts';

/** How a projection comes about, and so whose it is. */
export type Writing =
  /** Whole, by the run at work: what stood there before the run is set aside, and it goes with the run. */
  | 'replaced'
  /** Line by line, by every run: no command may remove it. */
  | 'appended'
  /** As a section of a user's file, which stays theirs. */
  | 'section';

interface LayoutFile {
  /** What the manifest calls it. */
  readonly key: Exclude<keyof NonNullable<Manifest['layout']>, 'run' | 'spec' | 'unit_key' | 'done_key'>;
  /** There is one for the run, or one for each unit. */
  readonly scope: 'run' | 'unit';
  readonly writing: Writing;
}

/** Every key of a layout, with the file that it puts somewhere, if it does: a new key does not compile until it is here. */
const layoutFiles = {
  ledger: { key: 'ledger', scope: 'unit', writing: 'replaced' },
  status: { key: 'status', scope: 'unit', writing: 'replaced' },
  brief: { key: 'brief', scope: 'run', writing: 'section' },
  progress: { key: 'progress', scope: 'run', writing: 'replaced' },
  auditLog: { key: 'audit_log', scope: 'run', writing: 'appended' },
  run: undefined,
  spec: undefined,
  unitKey: undefined,
  doneKey: undefined,
} as const satisfies Record<keyof LayoutSpec, LayoutFile | undefined>;

type LayoutFiles = typeof layoutFiles;
type NamesOf<Scope> = {
  [Name in keyof LayoutFiles]: LayoutFiles[Name] extends { readonly scope: Scope } ? Name : never;
}[keyof LayoutFiles];

export type UnitProjectionName = NamesOf<'unit'>;
type DeclaredRunName = NamesOf<'run'> | 'state';
export type RunProjectionName = DeclaredRunName | 'summary' | 'lock';
type LayoutFileName = NamesOf<LayoutFile['scope']>;

/** Something for each file that a layout can put somewhere. */
export function forLayoutFiles<T>(
  make: (name: LayoutFileName, file: LayoutFile) => T,
): Record<LayoutFileName, T> {
  const made: Partial<Record<LayoutFileName, T>> = {};
  for (const [name, file] of Object.entries(layoutFiles))
    if (file !== undefined) made[name as LayoutFileName] = make(name as LayoutFileName, file);
  return made as Record<LayoutFileName, T>;
}

/** A file that the manifest has Pawl write. */
export type DeclaredProjection = {
  readonly writing: Writing;
  /** Where the manifest says so. */
  readonly at: string;
} & (
  | { readonly scope: 'run'; readonly name: DeclaredRunName; readonly path: string }
  | { readonly scope: 'unit'; readonly name: UnitProjectionName; readonly pattern: string }
);

export function declaredProjections(layout: LayoutSpec, state: StateSpec | undefined): DeclaredProjection[] {
  const declared: DeclaredProjection[] = [];
  if (state !== undefined)
    declared.push({
      name: 'state',
      scope: 'run',
      writing: 'replaced',
      at: 'state.path',
      path: state.path,
    });
  forLayoutFiles((name, { key, scope, writing }) => {
    const path = layout[name];
    if (path === undefined) return;
    const where = { writing, at: `layout.${key}` };
    if (scope === 'run') declared.push({ name: name as NamesOf<'run'>, scope, path, ...where });
    else declared.push({ name: name as NamesOf<'unit'>, scope, pattern: path, ...where });
  });
  return declared;
}

/** A file generated from the ledger, which is never read back and can be regenerated. */
export type Projection = {
  readonly writing: Writing;
  /** False: it lies among what the run keeps for itself. */
  readonly isDeclared: boolean;
} & (
  | { readonly scope: 'run'; readonly name: RunProjectionName; readonly path: string }
  | {
      readonly scope: 'unit';
      readonly name: UnitProjectionName;
      readonly pathOf: (unit: Unit) => string;
    }
);

/**
 * All projections of a run by a pipeline that is placed in its folder. The brief is missing unless the
 * manifest names a file for it: the owner of the run's lock keeps it in the run's folder.
 */
export function projectionsOf(
  { layout, state }: Pick<Pipeline, 'layout' | 'state'>,
  folder: string,
): Projection[] {
  const own = { writing: 'replaced', isDeclared: false } as const;
  const projections: Projection[] = [
    { name: 'summary', ...own, scope: 'run', path: runFile(folder, 'run.json') },
    { name: 'lock', ...own, scope: 'run', path: runFile(folder, 'manifest.lock.json') },
  ];
  for (const { at: _, ...file } of declaredProjections(layout, state)) {
    if (file.scope === 'run') projections.push({ ...file, isDeclared: true });
    else {
      const pathOf = compilePattern(file.pattern);
      projections.push({ ...file, isDeclared: true, pathOf: (unit) => pathOf(unit, 1) });
    }
  }
  return projections;
}

/** Where a projection lies: for one of units, each path. */
export function* pathsOf(
  projection: Projection,
  stages: Iterable<Pick<Pipeline['stages'][number], 'units'>>,
): Generator<string> {
  if (projection.scope === 'run') yield projection.path;
  else for (const { units } of stages) for (const unit of units) yield projection.pathOf(unit);
}
