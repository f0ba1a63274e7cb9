import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ForeignEventMeaning, ForeignWords, Phase, Stage } from '../model/definition.ts';
import type { ForeignRunReported, ForeignWorkReported } from '../model/event.ts';
import { isSafeUnit } from '../model/names.ts';
import type { ManifestForeign } from './schema/parts.ts';

/** The parts of a foreign event that decide its meaning. */
export interface ForeignFact {
  readonly name: string;
  readonly fields: JsonObject;
}

/** What an event says; `unknown`: no word for it is declared, or it does not say which unit or stage it is about. */
export type Translation = readonly (ForeignWorkReported | ForeignRunReported)[] | 'unknown';

/** Fills in the defaults of a manifest's section. */
export function resolveForeign(written: ManifestForeign): ForeignWords {
  return {
    unit: written.unit,
    stage: written.stage ?? ['stage'],
    note: written.note ?? ['reason', 'message', 'note', 'error', 'error.message', 'summary'],
    events: Object.entries(written.events).map(([name, { means, phase }]) => ({ name, means, phase })),
  };
}

/**
 * Makes a pipeline's words ready for many events. What is said of work names each phase that it is said of, for the
 * ledger does not know which phases a unit has; only what is said of blocking is about the unit alone.
 */
export function foreignTranslator(
  words: ForeignWords,
  stages: readonly Stage[],
): (event: ForeignFact) => Translation {
  const meanings = new Map(words.events.map((meaning) => [meaning.name, meaning]));
  const findUnits = unitFinder(words, stages);
  return ({ name, fields }) => {
    const meaning = meanings.get(name);
    if (meaning === undefined) return 'unknown';
    const { means, phase } = meaning;
    if (means === 'nothing') return [];
    if (means === 'run-completed') return [{ type: 'foreign_run_reported', completed: true }];
    if (means === 'stage-entered') {
      const stage = stageIn(firstOf(fields, words.stage, isNamed), stages);
      return stage === undefined ? 'unknown' : [{ type: 'foreign_run_reported', stage }];
    }
    const units = findUnits(fields);
    if (units.length === 0) return 'unknown';
    const note = noteIn(fields, words.note);
    return units.flatMap(({ id, phases }) =>
      phasesMeant(means, phase, phases).map(
        (meant): ForeignWorkReported => ({
          type: 'foreign_work_reported',
          unit: id,
          means,
          ...(meant !== undefined && { phase: meant }),
          ...(note !== undefined && { note }),
        }),
      ),
    );
  };
}

/**
 * The phases that an event is about. An actor that has done a phase has done what that phase needs. One that
 * has claimed, begun or failed a unit was at its first phase: no later one is used up by that.
 */
function phasesMeant(
  means: ForeignEventMeaning,
  named: string | undefined,
  phases: readonly Phase[],
): readonly (string | undefined)[] {
  if (means === 'blocked' || means === 'unblocked') return [undefined];
  const phase = phases.find(({ name }) => name === named);
  // A phase that only runs in a gate's later rounds is no part of what makes a unit done.
  const usual = phases
    .filter(({ name, when }) => when === 'always' || name === named)
    .map(({ name }) => name);
  if (means !== 'succeeded' && means !== 'skipped' && means !== 'sent-back') return [phase?.name ?? usual[0]];
  if (phase === undefined) return usual;
  const backTo = means === 'sent-back' ? phase.gate?.backTo : undefined;
  const meant = backTo === undefined ? withNeeds(phase, phases) : loopOf(backTo, phase.name, phases);
  return usual.filter((name) => meant.has(name));
}

function withNeeds(phase: Phase, phases: readonly Phase[]): ReadonlySet<string> {
  const needed = new Set([phase.name]);
  // Needs are listed before what needs them: one way back through the list finds them all.
  for (const { name, needs } of phases.toReversed())
    if (needed.has(name)) for (const need of needs) needed.add(need);
  return needed;
}

/** What a gate sends back: all from where its next round starts. */
function loopOf(backTo: string, last: string, phases: readonly Phase[]): ReadonlySet<string> {
  const names = phases.map(({ name }) => name);
  return new Set(names.slice(names.indexOf(backTo), names.indexOf(last) + 1));
}

interface FoundUnit {
  readonly id: string;
  readonly phases: readonly Phase[];
}

/** A unit that no stage lists keeps its name as far as that is one: it may be listed later, or may have been removed. */
function unitFinder(
  { unit: paths }: ForeignWords,
  stages: readonly Stage[],
): (fields: JsonObject) => readonly FoundUnit[] {
  // Ids that differ in nothing but case cannot both be in a pipeline.
  const listed = new Map(
    stages.flatMap(({ units, phases }) => units.map(({ id }) => [id.toLowerCase(), { id, phases }] as const)),
  );
  const unlisted = stages.find(({ source }) => source !== undefined) ?? stages[0];
  const find = (value: JsonValue): FoundUnit[] => {
    const id = String(value).trim();
    const known = listed.get(id.toLowerCase());
    if (known !== undefined) return [known];
    return !isSafeUnit(id) || unlisted === undefined ? [] : [{ id, phases: unlisted.phases }];
  };
  return (fields) => {
    const value = firstOf(fields, paths, (found) => isNamed(found) || isListOfNamed(found));
    if (value === undefined) return [];
    return Array.isArray(value) ? value.slice(0, unitsPerEventMax).flatMap(find) : find(value);
  };
}

const unitsPerEventMax = 1000;

/** A stage's name in any case, or its number, which may stand behind a word: `2`, `phase-2`. */
function stageIn(value: JsonValue | undefined, stages: readonly Stage[]): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value).trim().toLowerCase();
  const named = stages.find(({ name }) => name.toLowerCase() === text);
  if (named !== undefined) return named.name;
  const digits = /^(?:[a-z]+[\s_-]+)?(\d{1,3})$/.exec(text)?.[1];
  return digits === undefined ? undefined : stages[Number(digits)]?.name;
}

function noteIn(fields: JsonObject, paths: readonly string[]): string | undefined {
  const note = firstOf(fields, paths, (value) => typeof value === 'string' && value.trim() !== '');
  return note === undefined ? undefined : String(note).trim().slice(0, noteCharsMax);
}

const noteCharsMax = 500;

/** The value of the first field that there is and that will do. */
function firstOf(
  fields: JsonObject,
  paths: readonly string[],
  willDo: (value: JsonValue) => boolean,
): JsonValue | undefined {
  for (const path of paths) {
    const value = valueAt(fields, path);
    if (value !== undefined && willDo(value)) return value;
  }
  return undefined;
}

/** A key that is written with its dots comes first. */
function valueAt(fields: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(fields, path)) return fields[path];
  let value: JsonValue | undefined = fields;
  for (const key of path.split('.')) {
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function isNamed(value: JsonValue): boolean {
  return Number.isSafeInteger(value) || (typeof value === 'string' && value.trim() !== '');
}

function isListOfNamed(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isNamed);
}
