import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { type ArtifactText, type LoadContext, splitReference, unitsFileBytesMax } from '../context.ts';
import { joinPath, type Locate, nearest, suggestion } from '../text/problems.ts';

/** A list in a declared file, of which each item becomes a unit. */
export interface UnitItems {
  readonly items: readonly JsonValue[];
  /** Keys from the top of that file. */
  readonly path: string;
  readonly locate: Locate;
}

/** Follows `outline.scenes` to the list it names; undefined after having said what is wrong. */
export function readUnitItems(context: LoadContext, from: string, at: string): UnitItems | undefined {
  const { files, problems, sources } = context;
  const reference = splitReference(from, (name) => files.has(name));
  const file = reference === undefined ? undefined : files.get(reference.name);
  if (reference === undefined || file === undefined) {
    const valid = [...files.keys()];
    const [named = from] = from.split('.');
    problems.add('unknown-file', at, { found: named, valid, ...suggestion(nearest(named, valid)) });
    return undefined;
  }
  const source = sources.readText(file.path, unitsFileBytesMax);
  if (source.kind === 'missing') {
    problems.add('unit-source-missing', at, { found: file.path });
    return undefined;
  }
  if (source.kind === 'unusable') {
    problems.add(source.code, at, source.facts);
    return undefined;
  }
  return listIn(context, source.text, file.path, reference.rest, at);
}

/** The same in an artifact that an earlier stage has made. */
export function readArtifactItems(
  context: LoadContext,
  artifact: ArtifactText,
  keys: string,
  at: string,
): UnitItems | undefined {
  return listIn(context, artifact.text, artifact.path, keys, at);
}

function listIn(
  { problems, parseData }: LoadContext,
  text: string,
  file: string,
  keys: string,
  at: string,
): UnitItems | undefined {
  if (parseData === undefined) throw new Error('a file is read without a parser');
  const document = parseData(text, file);
  if (!document.ok) {
    for (const { code, path, place, facts } of document.failure) problems.addAt(place, code, path, facts);
    return undefined;
  }
  const { data, locate } = document.value;
  const found = follow(data, keys);
  if (Array.isArray(found.value)) return { items: found.value, path: keys, locate };
  const facts = { found: found.value === undefined ? 'nothing' : 'no list', file, valid: found.valid };
  problems.add('unit-source-not-a-list', at, facts);
  return undefined;
}

/** The value at a path of keys, and the keys there were where it ended. */
function follow(data: JsonValue, path: string): { value: JsonValue | undefined; valid: string[] } {
  let value: JsonValue | undefined = data;
  let valid: string[] = [];
  let at = '';
  for (const key of path === '' ? [] : path.split('.')) {
    if (!isJsonObject(value)) return { value: undefined, valid };
    const prefix = at;
    valid = Object.keys(value).map((name) => joinPath(prefix, name));
    value = Object.hasOwn(value, key) ? value[key] : undefined;
    at = joinPath(at, key);
  }
  return { value, valid: valid.slice(0, 20) };
}
