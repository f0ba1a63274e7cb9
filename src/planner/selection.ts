import { nameMatcher } from '../base/glob.ts';
import type { Pipeline } from '../model/definition.ts';
import type { UsageProblem } from '../model/failure.ts';
import { nearest } from '../pipeline/text/problems.ts';

/** Which steps a command is about, as typed. Everything that is absent or false selects all. */
export interface SelectionRequest {
  /** Globs over unit ids (`*`, `?`, `[34]`), or numbers of counted units, each also as a comma list; `!GLOB` excludes. */
  readonly unit?: string | readonly string[] | undefined;
  /** Names of phases, or globs over them. */
  readonly phase?: string | readonly string[] | undefined;
  /** Steps that failed. */
  readonly failed?: boolean | undefined;
  /** Steps whose result is kept as outdated, and those that consumed one. */
  readonly outdated?: boolean | undefined;
  /** Of these the first units, in unit order, with something left to do. */
  readonly limit?: number | undefined;
  /** This phase and those before it. */
  readonly until?: string | undefined;
  /** What the selected steps wait for is not run. */
  readonly noDeps?: boolean | undefined;
}

/** The same, read: one parser and one matcher for every command. */
export interface Selection {
  readonly units: Names | undefined;
  readonly phases: Names | undefined;
  readonly failed: boolean;
  readonly outdated: boolean;
  readonly limit: number | undefined;
  readonly until: string | undefined;
  readonly noDeps: boolean;
}

/** Names that are meant, and names that are not. */
export interface Names {
  /** Empty: all that are not excluded. */
  readonly included: readonly NamePattern[];
  readonly excluded: readonly NamePattern[];
}

export interface NamePattern {
  readonly glob: string;
  readonly matches: (name: string) => boolean;
}

/** Undefined: nothing narrows the command. `others`: units that are no longer listed. */
export function readSelection(
  request: SelectionRequest,
  pipeline: Pick<Pipeline, 'stages'>,
  others: Iterable<string> = [],
): Selection | undefined {
  const { failed = false, outdated = false, limit, until, noDeps = false } = request;
  const units = withNumbers(readNames(request.unit), pipeline, others);
  const phases = readNames(request.phase);
  const isAny = units ?? phases ?? limit ?? until;
  if (isAny === undefined && !failed && !outdated) return undefined;
  return { units, phases, failed, outdated, limit, until, noDeps };
}

/** Undefined: nothing was given. */
function readNames(written: string | readonly string[] | undefined): Names | undefined {
  const words = (typeof written === 'string' ? [written] : (written ?? []))
    .flatMap((word) => word.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== '!');
  if (words.length === 0) return undefined;
  const of = (globs: readonly string[]) => globs.map((glob) => ({ glob, matches: nameMatcher(glob) }));
  return {
    included: of(words.filter((word) => !word.startsWith('!'))),
    excluded: of(words.flatMap((word) => (word.startsWith('!') ? [word.slice(1)] : []))),
  };
}

/** Digits that are no unit's id mean the counted units with that number, because their ids only repeat it. */
function withNumbers(
  names: Names | undefined,
  { stages }: Pick<Pipeline, 'stages'>,
  others: Iterable<string>,
): Names | undefined {
  if (names === undefined) return undefined;
  const units = stages.flatMap((stage) => stage.units);
  const otherIds = new Set(others);
  const read = (pattern: NamePattern): NamePattern => {
    const { glob } = pattern;
    if (!/^\d+$/.test(glob) || otherIds.has(glob) || units.some(({ id }) => id === glob)) return pattern;
    const counted = new Set(units.filter(({ index }) => index === Number(glob)).map(({ id }) => id));
    return counted.size === 0 ? pattern : { glob, matches: (name) => counted.has(name) };
  };
  return { included: names.included.map(read), excluded: names.excluded.map(read) };
}

export function isNamed(names: Names | undefined, name: string): boolean {
  if (names === undefined) return true;
  if (isExcluded(names, name)) return false;
  return names.included.length === 0 || names.included.some(({ matches }) => matches(name));
}

export function isExcluded(names: Names | undefined, name: string): boolean {
  return names?.excluded.some(({ matches }) => matches(name)) ?? false;
}

/** A name that nothing has was a slip: nothing is done before it is put right. `others`: units that are no longer listed. */
export function selectionProblem(
  { stages }: Pick<Pipeline, 'stages'>,
  { units, phases, until }: Selection,
  others: Iterable<string> = [],
): UsageProblem | undefined {
  const phaseNames = stages.flatMap((stage) => stage.phases.map(({ name }) => name));
  const lost =
    unmatched(phases, phaseNames) ?? (until !== undefined && !phaseNames.includes(until) ? until : undefined);
  if (lost !== undefined) return { code: 'unknown-phase', name: lost, valid: phaseNames };
  // Which units an open stage gets is known once an artifact lists them.
  if (units === undefined || stages.some(({ isOpen }) => isOpen)) return undefined;
  const ids = [...new Set([...stages.flatMap((stage) => stage.units.map(({ id }) => id)), ...others])];
  const unknown = unmatched(units, ids);
  if (unknown === undefined) return undefined;
  return {
    code: 'unknown-unit',
    name: unknown,
    near: nearest(unknown, [...new Set(ids)].slice(0, comparedMax)),
  };
}

function unmatched(names: Names | undefined, valid: readonly string[]): string | undefined {
  const patterns = [...(names?.included ?? []), ...(names?.excluded ?? [])];
  return patterns.find(({ matches }) => !valid.some(matches))?.glob;
}

/** Comparing with every unit of a large pipeline would take longer than a person waits. */
const comparedMax = 5_000;

/** The phases that `--phase` and `--until` leave. */
export function selectsPhase(
  { stages }: Pick<Pipeline, 'stages'>,
  { phases, until }: Pick<Selection, 'phases' | 'until'>,
): (phase: string) => boolean {
  const isLate = phasesAfter({ stages }, until);
  return (phase) => isNamed(phases, phase) && !isLate(phase);
}

/** Whether a phase is listed after `until`; none is where there is no such limit. */
export function phasesAfter(
  { stages }: Pick<Pipeline, 'stages'>,
  until: string | undefined,
): (phase: string) => boolean {
  if (until === undefined) return () => false;
  const phases = stages.flatMap((stage) => stage.phases.map(({ name }) => name));
  const late = new Set(phases.slice(phases.indexOf(until) + 1));
  return (phase) => late.has(phase);
}
