import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ChangePolicy, OutputRef, OutputSpec, Unit } from '../../model/definition.ts';
import type { ProblemCode, SourcePlace } from '../../model/failure.ts';
import { isSafeUnit, unitPattern } from '../../model/names.ts';
import { type LoadContext, splitReference } from '../context.ts';
import { usePath } from '../paths.ts';
import { fillPattern, type Pattern, parsePattern } from '../pattern.ts';
import type { ManifestUnits } from '../schema/manifest.ts';
import { nearest, type ProblemFacts, suggestion } from '../text/problems.ts';
import {
  fileFields,
  type ItemFields,
  isListOfNames,
  itemFields,
  readFoundFile,
  readItem,
  readOwnFile,
} from './fields.ts';
import { findCycles } from './graph.ts';
import { readArtifactItems, readUnitItems } from './read-items.ts';

/** A phase of an earlier stage, whose outputs a later one may take. */
export interface EarlierPhase {
  readonly stage: string;
  readonly units: number;
  readonly outputs: readonly OutputSpec[];
}

export interface StageUnits {
  readonly units: readonly Unit[];
  readonly order: 'free' | 'chain';
  readonly onChange: ChangePolicy | undefined;
  /** They are written in the manifest itself. */
  readonly isWritten: boolean;
  /** Its units have a file of their own. */
  readonly haveFiles: boolean;
  readonly isGlobbed?: true;
  /** Files that units were made of. */
  readonly sources: readonly string[];
  /** The artifact that lists them, where one does; and whether it is still to be made. */
  readonly source?: OutputRef;
  readonly isOpen?: boolean;
}

/**
 * Lists the units of a stage. `taken` holds the folded ids of the stages before: one id means one unit in the
 * whole pipeline.
 */
export function resolveUnits(
  context: LoadContext,
  spec: ManifestUnits,
  at: string,
  taken: Set<string>,
  earlier: ReadonlyMap<string, EarlierPhase>,
): StageUnits {
  const work: UnitWork = {
    fields: itemFields(spec),
    context,
    at,
    taken,
    units: [],
    sources: [],
    origins: [],
    files: new Map(),
    whereIs: () => inManifest(context, `${at}.id`),
  };
  const before = context.problems.problems.length;
  const order = 'order' in spec ? (spec.order ?? 'free') : 'free';
  if (Array.isArray(spec))
    addItems(work, spec as readonly JsonValue[], undefined, (path) => inManifest(context, `${at}${path}`));
  else if ('list' in spec)
    addItems(work, spec.list as readonly JsonValue[], undefined, (path) =>
      inManifest(context, `${at}.list${path}`),
    );
  else if ('count' in spec) addCounted(work, spec.count, spec.start ?? 0, spec.id ?? '{index}');
  else if ('from' in spec) addFromFile(work, spec.from, spec.id);
  else if ('glob' in spec) addMatches(work, spec.glob, spec.id ?? '{stem}');
  const source =
    !Array.isArray(spec) && 'artifact' in spec ? addFromArtifact(work, spec, earlier) : undefined;
  // A stage that lists its units during the run may turn out empty.
  if (work.units.length === 0 && source === undefined && context.problems.problems.length === before) {
    if ('glob' in spec) context.problems.add('no-units', `${at}.glob`, { pattern: spec.glob });
    else context.problems.add('no-units', at, {});
  }
  checkNeeds(work, order);
  const isObject = !Array.isArray(spec);
  const onChange = isObject && 'on_change' in spec ? spec.on_change : undefined;
  const isWritten = !isObject || 'list' in spec || 'count' in spec;
  const isGlobbed = isObject && 'glob' in spec;
  const files = {
    haveFiles: work.fields.file !== undefined || isGlobbed,
    ...(isGlobbed && { isGlobbed: true as const }),
  };
  return { units: work.units, order, onChange, isWritten, ...files, sources: work.sources, ...source };
}

/** Where an item stands: its path, and the place in the file that lists it. */
interface Where {
  readonly path: string;
  readonly place: SourcePlace | undefined;
}

interface UnitWork {
  readonly fields: ItemFields;
  readonly context: LoadContext;
  readonly at: string;
  readonly taken: Set<string>;
  readonly units: Unit[];
  readonly sources: string[];
  /** By unit: which item it was made of. */
  readonly origins: number[];
  /** By folded id: the file that a glob found the unit as. */
  readonly files: Map<string, string>;
  /** The place of an item, or of a key in it; asked only when something is wrong. */
  whereIs: (item: number, below: string) => Where;
}

function inManifest(context: LoadContext, path: string): Where {
  return { path, place: context.problems.locate(path) };
}

function problem(work: UnitWork, item: number, below: string, code: ProblemCode, facts: ProblemFacts): void {
  const { path, place } = work.whereIs(item, below);
  work.context.problems.addAt(place, code, path, facts);
}

function addCounted(work: UnitWork, count: number, start: number, id: string): void {
  const pattern = usePattern(work, id, 'id');
  if (pattern === undefined) return;
  for (let index = start; index < start + count; index++) {
    const made = makeId(work, index - start, pattern, (name) => (name === 'index' ? index : undefined), [
      'index',
    ]);
    // One wrong pattern is wrong for every index.
    if (made === undefined) return;
    addUnit(work, index - start, made, noData, noNeeds, { index });
  }
}

function addMatches(work: UnitWork, written: string, id: string): void {
  const { reader, problems } = work.context;
  const pattern = usePattern(work, id, 'id');
  const glob = usePath(reader, problems, written, `${work.at}.glob`);
  if (pattern === undefined) return;
  reader.glob(glob).forEach((path, item) => {
    const fields = fileFields(path);
    const made = makeId(work, item, pattern, (field) => fields.get(field), [...fields.keys()], path);
    if (made === undefined) return;
    const file = readFoundFile(work.context, path, `${work.at}.glob`);
    const data = file.hash === undefined ? { path } : { path, hash: file.hash };
    addUnit(work, item, made, data, noNeeds, { file });
    work.sources.push(path);
  });
}

function addFromFile(work: UnitWork, from: string, id: string | undefined): void {
  const pattern = id === undefined ? undefined : usePattern(work, id, 'id');
  const source = readUnitItems(work.context, from, `${work.at}.from`);
  if (source === undefined || (id !== undefined && pattern === undefined)) return;
  const { items, path, locate } = source;
  addItems(work, items, pattern, (below) => ({ path: `${path}${below}`, place: locate(`${path}${below}`) }));
}

/**
 * Units that an earlier stage lists. Before it has made its list there are none, and their number is unknown.
 */
function addFromArtifact(
  work: UnitWork,
  spec: { readonly artifact: string; readonly id?: string | undefined },
  earlier: ReadonlyMap<string, EarlierPhase>,
): Pick<StageUnits, 'source' | 'isOpen'> | undefined {
  const { context } = work;
  const at = `${work.at}.artifact`;
  const pattern = spec.id === undefined ? undefined : usePattern(work, spec.id, 'id');
  const outputs = [...earlier].flatMap(([phase, { outputs, units }]) =>
    outputs.map(({ name }) => ({ name: `${phase}.${name}`, phase, output: name, units })),
  );
  const reference = splitReference(spec.artifact, (name) => outputs.some((output) => output.name === name));
  const found = outputs.find(({ name }) => name === reference?.name);
  if (reference === undefined || found === undefined) {
    const valid = outputs.map(({ name }) => name);
    const near = suggestion(nearest(spec.artifact, valid));
    context.problems.add('unknown-input', at, { found: spec.artifact, valid: valid.slice(0, 20), ...near });
    return undefined;
  }
  const { phase, output } = found;
  if (found.units !== 1) {
    const stage = earlier.get(phase)?.stage ?? '';
    context.problems.add('not-the-only-unit', at, { found: spec.artifact, stage, units: found.units });
  }
  const artifact = context.artifacts.get(found.name);
  if (artifact === undefined) return { source: { phase, output }, isOpen: true };
  const list = readArtifactItems(context, artifact, reference.rest, at);
  if (list !== undefined && (spec.id === undefined || pattern !== undefined)) {
    const { items, path, locate } = list;
    addItems(work, items, pattern, (below) => ({
      path: `${path}${below}`,
      place: locate(`${path}${below}`),
    }));
  }
  return { source: { phase, output } };
}

function addItems(
  work: UnitWork,
  items: readonly JsonValue[],
  pattern: Pattern | undefined,
  whereIs: (path: string) => Where,
): void {
  work.whereIs = (item, below) => whereIs(`[${item}]${below}`);
  items.forEach((value, item) => {
    if (typeof value === 'string') {
      const id = pattern === undefined ? value : makeId(work, item, pattern, () => undefined, []);
      if (id !== undefined) addUnit(work, item, id, noData, noNeeds, ownFileOf(work, item, noData));
    } else if (isJsonObject(value)) addItem(work, item, value, pattern);
    else problem(work, item, '', 'wrong-type', { expected: ['string', 'map'], found: String(value) });
  });
}

function addItem(work: UnitWork, item: number, value: JsonObject, pattern: Pattern | undefined): void {
  const { data, needs, ...handing } = readItem(work.fields, value);
  const fieldOf = (name: string) => (Object.hasOwn(data, name) ? data[name] : undefined);
  const id = pattern === undefined ? data.id : makeId(work, item, pattern, fieldOf, Object.keys(data));
  if (needs !== undefined && !isListOfNames(needs)) {
    const found = JSON.stringify(needs);
    problem(work, item, `.${work.fields.needs}`, 'wrong-type', { expected: 'list', found });
  }
  const more = { ...handing, ...ownFileOf(work, item, data) };
  if (typeof id === 'string') addUnit(work, item, id, data, isListOfNames(needs) ? needs : noNeeds, more);
  else if (pattern !== undefined) return;
  else if (id === undefined) problem(work, item, '', 'missing-key', { expected: 'id' });
  else problem(work, item, '.id', 'wrong-type', { expected: 'string', found: JSON.stringify(id) });
}

/** The file that a field of the item names. */
function ownFileOf(work: UnitWork, item: number, data: JsonObject): Pick<Unit, 'file'> {
  const field = work.fields.file;
  if (field === undefined) return {};
  const written = Object.hasOwn(data, field) ? data[field] : undefined;
  if (typeof written !== 'string') {
    const found = written === undefined ? {} : { found: JSON.stringify(written) };
    const code = written === undefined ? 'missing-key' : 'wrong-type';
    problem(work, item, written === undefined ? '' : `.${field}`, code, {
      expected: written === undefined ? field : 'file path',
      ...found,
    });
    return {};
  }
  const read = readOwnFile(work.context, written);
  if ('code' in read) {
    problem(work, item, `.${field}`, read.code, read.facts);
    return {};
  }
  work.sources.push(read.path);
  return { file: read };
}

function addUnit(
  work: UnitWork,
  item: number,
  id: string,
  data: JsonObject,
  needs: readonly string[],
  more?: Partial<Unit>,
): void {
  const folded = id.toLowerCase();
  if (!unitPattern.test(id)) problem(work, item, '', 'bad-name', { found: id, ...suggestion(asName(id)) });
  else if (!isSafeUnit(id)) problem(work, item, '', 'reserved-name', { found: id });
  const files = [work.files.get(folded), more?.file?.path].filter((file) => file !== undefined);
  if (work.taken.has(folded))
    problem(work, item, '', 'duplicate-unit', { found: id, ...(files.length === 2 && { files }) });
  work.taken.add(folded);
  if (more?.file !== undefined) work.files.set(folded, more.file.path);
  work.units.push(more === undefined ? { id, data, needs } : { id, data, needs, ...more });
  work.origins.push(item);
}

function checkNeeds(work: UnitWork, order: 'free' | 'chain'): void {
  const { units, origins } = work;
  if (!units.some((unit) => unit.needs.length > 0)) return;
  const index = new Map(units.map((unit, at) => [unit.id, at]));
  units.forEach((unit, at) => {
    unit.needs.forEach((need, nth) => {
      const where = [origins[at] ?? 0, `.${work.fields.needs}[${nth}]`] as const;
      const needed = index.get(need);
      if (needed === undefined) {
        const facts = { found: need, ...suggestion(nearest(need, index.keys())) };
        problem(work, ...where, 'unknown-unit-need', facts);
      } else if (order === 'chain' && needed >= at) {
        // The chain itself makes every unit need the ones before it.
        problem(work, ...where, 'unit-cycle', { cycle: [unit.id, need, unit.id] });
      }
    });
  });
  if (order === 'chain') return;
  for (const cycle of findCycles(new Map(units.map((unit) => [unit.id, unit.needs])))) {
    const at = index.get(cycle[0] ?? '') ?? 0;
    problem(work, origins[at] ?? 0, '', 'unit-cycle', { cycle });
  }
}

function usePattern(work: UnitWork, text: string, key: string): Pattern | undefined {
  const parsed = parsePattern(text);
  if ('pattern' in parsed) return parsed.pattern;
  work.context.problems.add('pattern-unknown-field', `${work.at}.${key}`, { found: parsed.wrong });
  return undefined;
}

function makeId(
  work: UnitWork,
  item: number,
  pattern: Pattern,
  fieldOf: (name: string) => JsonValue | undefined,
  valid: readonly string[],
  file?: string,
): string | undefined {
  const id = fillPattern(pattern, fieldOf);
  if (typeof id === 'string') return id;
  const { code, field, expected } = id;
  if (code === 'wrong-type')
    problem(work, item, `.${field}`, code, { expected: expected ?? '', found: field });
  else
    problem(work, item, '', code, {
      found: field,
      ...(file !== undefined && { file }),
      valid,
      ...suggestion(nearest(field, valid)),
    });
  return undefined;
}

const noData: JsonObject = {};
const noNeeds: readonly string[] = [];

/** `Scene 1` might be meant as `scene-1`. */
function asName(id: string): string[] {
  const name = id.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-');
  return isSafeUnit(name) ? [name] : [];
}
