import { byCodeUnit, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Problem, ProblemCode, SourcePlace } from '../../model/failure.ts';

export type ProblemFacts = Problem['facts'];

/** Keys from the top of a document; a number is an index of a list. */
export type KeyPath = readonly (string | number)[];

/**
 * Where a value of a document stands, or its key. For a path that is not there: the nearest one above it that
 * is. Undefined for a document without text, such as a pipeline written in TypeScript.
 */
export type Locate = (path: string, part?: 'key' | 'value') => SourcePlace | undefined;

/** A broken unit list would otherwise say the same thing fifty thousand times. */
const problemsMax = 200;

/** Everything that is wrong, gathered while the work goes on, so that a person sees all of it at once. */
export interface ProblemList {
  /** A problem at a path of the manifest; the place is looked up. */
  add(code: ProblemCode, path: string, facts: ProblemFacts, part?: 'key' | 'value'): void;
  /** A problem whose place is known, such as one in another file. */
  addAt(place: SourcePlace | undefined, code: ProblemCode, path: string, facts: ProblemFacts): void;
  readonly problems: readonly Problem[];
  readonly locate: Locate;
}

export function problemList(locate: Locate): ProblemList {
  const problems: Problem[] = [];
  const addAt: ProblemList['addAt'] = (place, code, path, facts) => {
    if (problems.length < problemsMax) problems.push({ code, path, place, facts });
  };
  return {
    problems,
    locate,
    addAt,
    add: (code, path, facts, part) => addAt(locate(path, part), code, path, facts),
  };
}

/** `['phases', 'write', 'needs', 0]` as people write it: `phases.write.needs[0]`. */
export function formatPath(keys: KeyPath): string {
  let path = '';
  for (const key of keys) path = typeof key === 'number' ? `${path}[${key}]` : joinPath(path, key);
  return path;
}

export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** A phase as the canonical manifest has it. */
export function writtenPhase(manifest: JsonObject, stage: number, phase: string): JsonObject {
  const stages = manifest.stages as readonly JsonObject[] | undefined;
  const phases = (stages?.[stage] ?? manifest).phases as { readonly [name: string]: JsonObject };
  return phases[phase] ?? {};
}

/** Where a manifest says a template of a phase of its n-th stage: in a map, or as the prompt itself. */
export function promptPath(manifest: JsonObject, stage: number, phase: string, role: string): string {
  const path = `${manifest.stages === undefined ? '' : `stages[${stage}].`}phases.${phase}.prompt`;
  const { prompt } = writtenPhase(manifest, stage, phase);
  const rung = /^rung:(\d+)$/.exec(role)?.[1];
  if (rung !== undefined) return `${path.slice(0, -'prompt'.length)}ladder[${Number(rung) - 1}].prompt`;
  return isJsonObject(prompt) && role in prompt ? `${path}.${role}` : path;
}

/** A line longer than this was written by a machine, and showing it does not help. */
const sourceLengthMax = 10_000;

/** The place of a character of a text; 1-based, columns in UTF-16 code units. */
export function placeAtOffset(file: string, text: string, offset: number): SourcePlace {
  const at = Math.min(offset, text.length);
  const lineStart = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = text.indexOf('\n', lineStart);
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line++;
  const whole = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd).replace(/\r$/, '');
  return { file, line, column: at - lineStart + 1, source: whole.length > sourceLengthMax ? '' : whole };
}

/** The `suggestion` fact, when there is something to suggest. */
export function suggestion(near: readonly string[]): ProblemFacts {
  const [first] = near;
  return first === undefined ? {} : { suggestion: first };
}

/** Longer words are not mistyped names; comparing them would only cost time. */
const wordLengthMax = 64;

/**
 * The candidates most likely meant by `word`, nearest first. Empty when none is near, because a wild guess
 * does not help.
 */
export function nearest(word: string, candidates: Iterable<string>, max = 3): string[] {
  if (word.length > wordLengthMax) return [];
  const typed = fold(word);
  const reach = Math.max(1, Math.floor(typed.length / 3));
  const found: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) > reach) continue;
    const distance = editDistance(typed, fold(candidate));
    if (distance <= reach) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || byCodeUnit(a.candidate, b.candidate));
  return found.slice(0, max).map(({ candidate }) => candidate);
}

/** `backTo`, `back-to` and `back_to` are one slip of the finger apart, not three. */
function fold(word: string): string {
  return word.toLowerCase().replaceAll('-', '_');
}

/** Insertions, deletions, substitutions and swaps of neighbours, each counting one (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const swapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
