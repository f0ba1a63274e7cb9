import { buildManifestSchema } from '../../../src/pipeline/schema/json-schema.ts';
import { slugOf } from '../page.ts';
import { code, table } from './markdown.ts';

/** As much of JSON Schema as the manifest's is written in. */
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const root = buildManifestSchema() as Schema;

/**
 * The page with every `<!-- keys PATH -->` followed by the table of the keys at that path of the manifest. A key that has
 * a table of its own on the page leads to its heading.
 */
export function withKeys(page: string): string {
  const anchors = anchorsByPath(page);
  return page.replaceAll(markPattern, (_, path: string) =>
    [`<!-- keys ${path} -->`, ...keyTable(path, anchors), '<!-- end -->'].join('\n'),
  );
}

/** The paths that a page has a table for. */
export function pathsWithKeys(page: string): string[] {
  return Array.from(page.matchAll(markPattern), ([, path = '']) => path);
}

const markPattern = /<!-- keys (\S+) -->\n[\s\S]*?<!-- end -->/g;

/** The words that a check may be, and the maps by their first key. */
export function checkKinds(): string[] {
  return formsOf(schemaAt('phases.*.outputs.*.check')).flatMap(({ enum: words = [], properties = {} }) => [
    ...words.map(String),
    ...Object.keys(properties).slice(0, 1),
  ]);
}

export function keysWithoutDescription(): string[] {
  return placesWithKeys().flatMap(([path = '']) =>
    [...keysOf(formsAt(path))].flatMap(([key, values]) =>
      values.every(({ description }) => description) ? [] : below(path, key),
    ),
  );
}

/** Every place of the manifest that has keys of its own; what looks the same in two places is one. */
export function placesWithKeys(): string[][] {
  const places = new Map<string, string[]>();
  const visit = (path: string, schema: Schema): void => {
    const forms = formsOf(schema);
    const keys = keysOf(forms);
    if (keys.size > 0) {
      const look = JSON.stringify([...keys]);
      const known = places.get(look);
      places.set(look, [...(known ?? []), path]);
      if (known !== undefined) return;
    }
    for (const [key, values] of keys) for (const value of values) visit(below(path, key), value);
    for (const { additionalProperties, items } of forms) {
      if (typeof additionalProperties === 'object') visit(below(path, '*'), additionalProperties);
      if (items !== undefined) visit(keys.size > 0 ? `${path}[]` : path, items);
    }
  };
  visit('top', root);
  return [...places.values()];
}

function anchorsByPath(page: string): Map<string, string> {
  const anchors = new Map<string, string>();
  let heading = '';
  for (const line of page.split('\n')) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    const path = /^<!-- keys (\S+) -->$/.exec(line)?.[1];
    const alike = placesWithKeys().find((places) => path !== undefined && places.includes(path));
    for (const place of alike ?? []) anchors.set(place, `#${slugOf(heading)}`);
  }
  return anchors;
}

function keyTable(path: string, anchors: ReadonlyMap<string, string>): string[] {
  const forms = formsAt(path);
  const rows = [...keysOf(forms)].map(([key, values]) => {
    // A map that may have several shapes: what one of them needs, another does not know.
    const isRequired = forms.every(
      ({ properties, required }) => properties === undefined || required?.includes(key),
    );
    const [says = '', defaultWords] = (values[0]?.description ?? '').split(/(?:[.;] )?Default: /);
    const at = below(path, key);
    const anchor = anchors.get(at) ?? anchors.get(below(at, '*'));
    const name =
      anchor === undefined || anchor === anchors.get(path) ? code(key) : `[${code(key)}](${anchor})`;
    return [name, typeWords(values), isRequired ? 'required' : (defaultWords ?? ''), lowered(says)];
  });
  if (rows.length === 0) throw new Error(`the manifest has no keys at ${path}`);
  return table([['key', 'type', 'default', ''], ...rows]).slice(0, -1);
}

/** The shapes that have keys; of a list those of its items. */
function formsAt(path: string): Schema[] {
  const all = formsOf(schemaAt(path));
  const maps = all.filter(({ properties }) => properties !== undefined);
  return maps.length > 0 ? maps : all.flatMap(({ items }) => (items === undefined ? [] : formsOf(items)));
}

function schemaAt(path: string): Schema {
  if (path === 'top') return root;
  let found: readonly Schema[] = [root];
  for (const key of path.split('.')) {
    found = found
      .flatMap(formsOf)
      .flatMap((form) => (form.items === undefined ? [form] : formsOf(form.items)))
      .flatMap((form) => {
        if (key !== '*') return form.properties?.[key] ?? [];
        return typeof form.additionalProperties === 'object' ? form.additionalProperties : [];
      });
  }
  return { anyOf: found };
}

/** Every shape that something may have, without the wrapping. */
function formsOf(schema: Schema): Schema[] {
  const { $ref, anyOf, allOf, definitions: _, ...rest } = schema;
  if ($ref !== undefined) return formsOf(root.definitions?.[$ref.slice('#/definitions/'.length)] ?? {});
  if (anyOf !== undefined || allOf !== undefined)
    return [...(anyOf ?? []), ...(allOf ?? [])].flatMap(formsOf);
  return [rest];
}

/** The keys of all shapes together, in their order. */
function keysOf(forms: readonly Schema[]): Map<string, Schema[]> {
  const keys = new Map<string, Schema[]>();
  for (const { properties = {} } of forms)
    for (const [key, value] of Object.entries(properties)) keys.set(key, [...(keys.get(key) ?? []), value]);
  return keys;
}

function typeWords(values: readonly Schema[], spelled = (word: string) => word): string {
  const words = new Set(values.flatMap(formsOf).flatMap(typeWord));
  // A duration may also be given as a number of milliseconds.
  if (words.has('duration')) words.delete('number');
  return [...words].map(spelled).join(' or ');
}

function typeWord(schema: Schema): string[] {
  if (schema.const !== undefined) return [code(String(schema.const))];
  if (schema.enum !== undefined) return [schema.enum.map((word) => code(String(word))).join(', ')];
  if (Array.isArray(schema.type)) return schema.type.flatMap((type: string) => typeWord({ ...schema, type }));
  switch (schema.type) {
    case 'string':
      if (schema.pattern?.includes('(ms|s|m|h|d)')) return ['duration'];
      return [schema.pattern?.startsWith('^[a-z0-9][a-z0-9._-]') ? 'name' : 'text'];
    case 'boolean':
      return ['`true`, `false`'];
    case 'integer':
    case 'number':
      if (schema.minimum !== undefined && schema.maximum !== undefined && schema.maximum <= 2)
        return [`${schema.minimum} to ${schema.maximum}`];
      return [schema.type === 'integer' ? 'whole number' : 'number'];
    case 'array':
      return [`list of ${typeWords([schema.items ?? {}], plural)}`];
    case 'object': {
      const { properties, additionalProperties } = schema;
      const isOpen = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;
      return [
        isOpen && properties === undefined ? `map of ${typeWords([additionalProperties], plural)}` : 'map',
      ];
    }
    default:
      return ['value'];
  }
}

function plural(word: string): string {
  if (word.startsWith('list')) return word.replace('list', 'lists');
  return /^[a-z ]+$/.test(word) ? `${word}s` : word;
}

function lowered(words: string): string {
  return /^(?:[A-Z][a-z’]|A )/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

function below(path: string, key: string): string {
  return path === 'top' ? key : `${path}.${key}`;
}
