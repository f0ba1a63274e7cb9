import { globMatcher } from '../../base/glob.ts';
import { byCodeUnit } from '../../base/json.ts';
import type { OutputSpec } from '../../model/definition.ts';
import { compilePattern, type Pattern, parsePattern } from '../../pipeline/pattern.ts';
import { pathsOf, projectionsOf } from '../../pipeline/projections.ts';
import type { Workspace } from '../open/workspace.ts';

/** A file that looks like the output of a unit that the pipeline does not list. */
export interface StrayFile {
  readonly phase: string;
  /** The text in the unit's place. */
  readonly unit: string;
  readonly path: string;
}

/**
 * Files that match the path of an output with another name in the unit's place. Only paths below a folder of their own
 * that take nothing but `{unit}` are looked at, because others match files that have nothing to do with the pipeline.
 */
export function strayFiles(
  { env, root, loaded }: Pick<Workspace, 'env' | 'root' | 'loaded'>,
  /** Of the run, relative to the workspace. */
  folder: string,
): StrayFile[] {
  const found = new Map<string, StrayFile>();
  for (const { units, phases, isOpen } of loaded.pipeline.stages) {
    // Its units are not known yet.
    if (isOpen === true) continue;
    const ids = new Set(units.map(({ id }) => id));
    for (const { name: phase, outputs } of phases)
      for (const output of outputs) {
        const place = unitPlace(output);
        if (place === undefined) continue;
        const names = env.disk.list(`${root}/${place.folder}`) ?? [];
        for (const name of names.slice(0, namesMax)) {
          const unit = place.unitOf(name);
          if (unit === undefined || ids.has(unit)) continue;
          const path = `${place.folder}/${name}${place.tail}`;
          if (env.disk.stat(`${root}/${path}`)?.kind === 'file') found.set(path, { phase, unit, path });
        }
      }
  }
  if (found.size === 0) return [];
  const isKnown = knownPaths(loaded, folder);
  return [...found.values()].filter(({ path }) => !isKnown(path)).sort((a, b) => byCodeUnit(a.path, b.path));
}

const namesMax = 20_000;

/** Where the unit's name stands in an output's path: `FOLDER/before{unit}after/TAIL`. */
interface UnitPlace {
  readonly folder: string;
  readonly unitOf: (name: string) => string | undefined;
  /** Empty, or begins with a slash. */
  readonly tail: string;
}

function unitPlace({ path }: OutputSpec): UnitPlace | undefined {
  const [before, place, after = '', ...more] = patternOf(path);
  if (typeof before !== 'string' || typeof place !== 'object' || place.field !== 'unit') return undefined;
  if (typeof after !== 'string' || more.length > 0) return undefined;
  const cut = before.lastIndexOf('/');
  if (cut < 1) return undefined;
  const start = before.slice(cut + 1);
  const slash = after.indexOf('/');
  const end = slash === -1 ? after : after.slice(0, slash);
  const unitOf = (name: string) => {
    if (!name.startsWith(start) || !name.endsWith(end)) return undefined;
    const unit = name.slice(start.length, name.length - end.length);
    return unitId.test(unit) ? unit : undefined;
  };
  return { folder: before.slice(0, cut), unitOf, tail: slash === -1 ? '' : after.slice(slash) };
}

const unitId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function patternOf(path: string): Pattern {
  const parsed = parsePattern(path);
  return 'pattern' in parsed ? parsed.pattern : [];
}

/** Paths that the pipeline names: outputs of all units, files that it reads, and files that Pawl writes. */
function knownPaths({ pipeline, statics }: Workspace['loaded'], folder: string): (path: string) => boolean {
  const known = new Set(pipeline.files.map(({ path }) => path));
  const globs: ((path: string) => boolean)[] = [];
  for (const { templates } of statics.values()) for (const { path } of templates.values()) known.add(path);
  if (pipeline.state !== undefined) known.add(pipeline.state.path).add(pipeline.state.initial);
  for (const file of projectionsOf(pipeline, folder))
    for (const path of pathsOf(file, pipeline.stages)) known.add(path);
  for (const { units, phases } of pipeline.stages) {
    for (const { file } of units) if (file !== undefined) known.add(file);
    for (const { path } of phases.flatMap(({ outputs }) => outputs)) {
      const parts = patternOf(path);
      const isByUnit = parts.every((part) => typeof part === 'string' || part.field === 'unit');
      const pathFor = compilePattern(path);
      if (isByUnit) for (const unit of units) known.add(pathFor(unit, 1));
      else globs.push(globMatcher(parts.map((part) => (typeof part === 'string' ? part : '*')).join('')));
    }
  }
  return (path) => known.has(path) || globs.some((matches) => matches(path));
}
