import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Problem, ProblemCode } from '../../model/failure.ts';
import { formatPath, type ProblemFacts, placeAtOffset } from './problems.ts';

/** How deep a document may nest. Parsers recurse: unlimited depth ends the whole process, past any catch. */
export const depthMax = 64;

/** How many aliases a document may have. */
export const aliasesMax = 100;
/** Aliases of aliases multiply: a hundred of them can stand for more values than there is memory. */
const expandedValuesMax = 1_000_000;
const problemsMax = 200;

/** Turns a YAML tree into plain data, or says everything that plain data cannot hold. */
export function convertTree(
  root: Node | null,
  text: string,
  file: string,
): Result<JsonValue, readonly Problem[]> {
  const work: Conversion = {
    text,
    file,
    problems: [],
    anchors: new Map(),
    path: [],
    aliases: 0,
    values: 0,
    height: 0,
  };
  const data = convert(work, root);
  return work.problems.length > 0 ? fail(work.problems) : ok(data);
}

interface Conversion {
  readonly text: string;
  readonly file: string;
  readonly problems: Problem[];
  readonly anchors: Map<string, Anchored>;
  /** Keys from the top to where the conversion is. */
  readonly path: (string | number)[];
  aliases: number;
  /** How many values there are so far, aliases written out. */
  values: number;
  /** How deep the value that was converted last reaches below itself. */
  height: number;
}

/** What an anchor stands for, and what each alias of it costs. */
interface Anchored {
  readonly value: JsonValue;
  readonly values: number;
  readonly height: number;
}

interface MapItem {
  readonly key: Node | null;
  readonly value: Node | null;
}

const coreTags = new Set(
  ['map', 'seq', 'str', 'int', 'float', 'bool', 'null'].map((name) => `tag:yaml.org,2002:${name}`),
);

function convert(work: Conversion, node: Node | null): JsonValue {
  if (node === null) return null;
  if (isAlias(node)) return convertAlias(work, node.source, node);
  const valuesBefore = work.values++;
  work.height = 0;
  if (node.tag !== undefined && !coreTags.has(node.tag)) {
    report(work, 'yaml-custom-tag', node, { found: node.tag });
  }
  const value = isMap(node)
    ? convertMap(work, node.items as readonly MapItem[])
    : isSeq(node)
      ? convertList(work, node.items as readonly Node[])
      : convertScalar(work, node.value, node);
  if (node.anchor !== undefined) {
    work.anchors.set(node.anchor, { value, values: work.values - valuesBefore, height: work.height });
  }
  return value;
}

function convertMap(work: Conversion, items: readonly MapItem[]): JsonObject {
  const object: Record<string, JsonValue> = {};
  let height = 0;
  for (const { key: keyNode, value } of items) {
    const key = convertKey(work, keyNode);
    if (key === undefined) continue;
    work.path.push(key);
    if (Object.hasOwn(object, key)) report(work, 'yaml-duplicate-key', keyNode, { found: key });
    else object[key] = convert(work, value);
    work.path.pop();
    height = Math.max(height, work.height);
  }
  work.height = height + 1;
  return object;
}

function convertList(work: Conversion, items: readonly Node[]): readonly JsonValue[] {
  const list: JsonValue[] = [];
  let height = 0;
  for (const item of items) {
    work.path.push(list.length);
    list.push(convert(work, item));
    work.path.pop();
    height = Math.max(height, work.height);
  }
  work.height = height + 1;
  return list;
}

function convertScalar(work: Conversion, value: unknown, node: Node): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  report(work, 'wrong-type', node, { expected: 'number', found: String(value) });
  return null;
}

function convertKey(work: Conversion, node: Node | null): string | undefined {
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    report(work, 'wrong-type', node, { expected: 'string', found: 'key' });
    return undefined;
  }
  if (value === '__proto__') {
    // In JavaScript it is not a key but a handle on what every object inherits.
    report(work, 'reserved-name', node, { found: value });
    return undefined;
  }
  return String(value);
}

function convertAlias(work: Conversion, name: string, node: Node): JsonValue {
  const anchored = work.anchors.get(name);
  if (anchored === undefined) {
    // Nothing has that name, or the alias lies inside the very thing that it names.
    report(work, 'yaml-syntax', node, { cause: 'BAD_ALIAS', found: name });
    return null;
  }
  work.aliases++;
  work.values += anchored.values;
  work.height = anchored.height;
  if (work.aliases > aliasesMax || work.values > expandedValuesMax) {
    const isReported = work.problems.some(({ code }) => code === 'yaml-too-many-aliases');
    if (!isReported) report(work, 'yaml-too-many-aliases', node, { limit: aliasesMax });
    return null;
  }
  if (work.path.length + anchored.height > depthMax) {
    report(work, 'yaml-too-deep', node, { limit: depthMax });
    return null;
  }
  return anchored.value;
}

function report(work: Conversion, code: ProblemCode, node: Node | null, facts: ProblemFacts): void {
  if (work.problems.length >= problemsMax) return;
  const place = placeAtOffset(work.file, work.text, node?.range?.[0] ?? 0);
  work.problems.push({ code, path: formatPath(work.path), place, facts });
}
