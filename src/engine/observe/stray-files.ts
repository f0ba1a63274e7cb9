import { globMatcher } from '../../base/glob.ts';
import { byCodeUnit } from '../../base/json.ts';
import type { OutputSpec, Stage } from '../../model/definition.ts';
import { compilePattern, type Pattern, parsePattern } from '../../pipeline/pattern.ts';
import { pathsOf, projectionsOf } from '../../pipeline/projections.ts';
import type { Workspace } from '../open/workspace.ts';

/** A file that looks like the output of a unit that the pipeline does not list. */
export interface StrayFile {
  readonly phase: string;
  readonly output: string;
  /** The text in the unit's place. */
  readonly unit: string;
  readonly path: string;
}

/**
 * Files that match the path of an output with another name in the unit's place. Only paths below a folder of their own
 * that take nothing but `{unit}` are looked at, because others match files that have nothing to do with the pipeline.
 */
export function strayFiles(
  workspace: LookedAt,
  /** Of the run, relative to the workspace. */
  folder: string,
): StrayFile[] {
  return filesIn(
    workspace,
    workspace.loaded.pipeline.stages.filter(({ isOpen }) => isOpen !== true),
    folder,
  );
}

/** The same for stages whose units the run has not listed yet: each of the files may be the output of such a unit. */
export function filesOfOpenStages(workspace: LookedAt, folder: string): StrayFile[] {
  return filesIn(
    workspace,
    workspace.loaded.pipeline.stages.filter(({ isOpen }) => isOpen === true),
    folder,
  );
}

type LookedAt = Pick<Workspace, 'env' | 'root' | 'loaded'>;

function filesIn({ env, root, loaded }: LookedAt, stages: readonly Stage[], folder: string): StrayFile[] {
  const found = new Map<string, StrayFile>();
  for (const { units, phases, isOpen } of stages) {
    const ids = new Set(isOpen ? [] : units.map(({ id }) => id));
    for (const { name: phase, outputs } of phases)
      for (const output of outputs) {
        const place = unitPlace(output);
        if (place === undefined) continue;
        const names = env.disk.list(`${root}/${place.folder}`) ?? [];
        for (const name of names.slice(0, namesMax)) {
          const unit = place.unitOf(name);
          if (unit === undefined || ids.has(unit)) continue;
          const path = `${place.folder}/${name}${place.tailOf(unit)}`;
          if (env.disk.stat(`${root}/${path}`)?.kind === 'file')
            found.set(path, { phase, output: output.name, unit, path });
        }
      }
  }
  if (found.size === 0) return [];
  const isKnown = knownPaths(loaded, folder, stages);
  return [...found.values()].filter(({ path }) => !isKnown(path)).sort((a, b) => byCodeUnit(a.path, b.path));
}

const namesMax = 20_000;

/** Where the unit's name stands in an output's path: `FOLDER/before{unit}after/TAIL`. */
interface UnitPlace {
  readonly folder: string;
  readonly unitOf: (name: string) => string | undefined;
  /** Empty, or begins with a slash. */
  readonly tailOf: (unit: string) => string;
}

function unitPlace({ path }: OutputSpec): UnitPlace | undefined {
  const [before, first, ...rest] = patternOf(path);
  if (typeof before !== 'string' || first === undefined || !isUnit(first)) return undefined;
  const cut = before.lastIndexOf('/');
  // In the workspace's own folder files lie that have nothing to do with the pipeline.
  if (cut < 1) return undefined;
  if (!rest.every((part) => typeof part === 'string' || isUnit(part) || isAttempt(part))) return undefined;
  // The tail may name the unit again. Which attempt made a file in a folder of its own cannot be listed.
  const slash = rest.findIndex((part) => typeof part === 'string' && part.includes('/'));
  const split = slash === -1 ? rest.length : slash;
  const edge = rest[split];
  const at = typeof edge === 'string' ? edge.indexOf('/') : -1;
  const inName = [...rest.slice(0, split), ...(typeof edge === 'string' ? [edge.slice(0, at)] : [])];
  const inTail = typeof edge === 'string' ? [edge.slice(at), ...rest.slice(split + 1)] : [];
  if (inTail.some(isAttempt)) return undefined;
  const name = nameMatcher([before.slice(cut + 1), first, ...inName]);
  return {
    folder: before.slice(0, cut),
    unitOf: (text) => {
      const unit = name.exec(text)?.groups?.unit;
      return unit !== undefined && unitId.test(unit) ? unit : undefined;
    },
    tailOf: (unit) => inTail.map((part) => (typeof part === 'string' ? part : unit)).join(''),
  };
}

/**
 * Each field is guessed once and has to be the same where it stands again, so that matching tries few hundred ways,
 * however often a path names it.
 */
function nameMatcher(parts: Pattern): RegExp {
  const named = new Set<string>();
  const source = parts.map((part) => {
    if (typeof part === 'string') return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const field = isAttempt(part) ? 'attempt' : 'unit';
    if (named.has(field)) return `\\k<${field}>`;
    named.add(field);
    return field === 'attempt' ? '(?<attempt>[0-9]{1,6})' : '(?<unit>[A-Za-z0-9._-]{1,64})';
  });
  return new RegExp(`^${source.join('')}$`);
}

function isUnit(part: Pattern[number]): boolean {
  return typeof part === 'object' && part.field === 'unit';
}

function isAttempt(part: Pattern[number]): boolean {
  return typeof part === 'object' && part.field === 'attempt';
}

const unitId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function patternOf(path: string): Pattern {
  const parsed = parsePattern(path);
  return 'pattern' in parsed ? parsed.pattern : [];
}

/** Paths that the pipeline names: outputs of all units, files that it reads, and files that Pawl writes. */
function knownPaths(
  { pipeline, statics }: Workspace['loaded'],
  folder: string,
  searched: readonly Stage[],
): (path: string) => boolean {
  const known = new Set(pipeline.files.map(({ path }) => path));
  const globs: ((path: string) => boolean)[] = [];
  for (const { templates } of statics.values()) for (const { path } of templates.values()) known.add(path);
  if (pipeline.state !== undefined) known.add(pipeline.state.path).add(pipeline.state.initial);
  for (const file of projectionsOf(pipeline, folder))
    for (const path of pathsOf(file, pipeline.stages)) known.add(path);
  for (const stage of pipeline.stages) {
    const { units, phases, isOpen } = stage;
    for (const { file } of units) if (file !== undefined) known.add(file.path);
    const ids = new Set(units.map(({ id }) => id));
    for (const { path } of phases.flatMap(({ outputs }) => outputs)) {
      const parts = patternOf(path);
      const takesOthers = parts.some((part) => typeof part !== 'string' && !isUnit(part) && !isAttempt(part));
      const pathFor = compilePattern(path);
      if (takesOthers || !parts.some(isUnit) || (isOpen && !searched.includes(stage)))
        globs.push(globMatcher(parts.map((part) => (typeof part === 'string' ? part : '*')).join('')));
      else if (parts.some(isAttempt)) {
        const matcher = nameMatcher(parts);
        globs.push((candidate) => ids.has(matcher.exec(candidate)?.groups?.unit ?? ''));
      } else for (const unit of units) known.add(pathFor(unit, 1));
    }
  }
  return (path) => known.has(path) || globs.some((matches) => matches(path));
}
