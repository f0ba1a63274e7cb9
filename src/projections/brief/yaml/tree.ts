import {
  type Alias,
  Composer,
  type CST,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Node,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from 'yaml';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { aliasesMax, depthMax } from '../../../pipeline/text/convert.ts';
import { composeOptions, parseSyntax } from '../../../pipeline/text/document.ts';
import { type SectionTrouble, troubleAt } from './trouble.ts';

/** A map of the library, as it comes out of a text. */
export type MapNode = YAMLMap<Node | null, Node | null> & { srcToken?: CST.BlockMap | CST.FlowCollection };
export type PairNode = Pair<Node | null, Node | null>;

/** A parsed YAML file, with the place of everything in it. */
export interface Tree {
  readonly text: string;
  /** Null: there is nothing but comments and markers. */
  readonly root: MapNode | null;
  /** What each alias stands for. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Up to where the document may be added to: the end of the text, or of what comes before `...`. */
  readonly end: number;
}

/** How large a file may be. */
const sizeBytesMax = 1024 * 1024;
/** How much a section may say. Aliases of aliases multiply: a hundred of them can stand for more than there is memory. */
const valuesMax = 100_000;

/**
 * Reads YAML 1.2 (core schema). What a foreign file may hold is none of our business: tags, keys that are no strings
 * and values that JSON has no word for are let be; only what is no YAML, or costs more than its size, is refused.
 */
export function parseTree(text: string): Result<Tree, SectionTrouble> {
  if (isTooLarge(text)) return fail({ reason: 'too-large', facts: { limit: sizeBytesMax } });
  const syntax = parseSyntax(text);
  if (!syntax.ok) return fail(troubleAt(text, syntax.failure, 'too-deep', { limit: depthMax }));

  const composer = new Composer<ParsedNode>({ ...composeOptions, keepSourceTokens: true });
  const [document, second] = composer.compose(syntax.value, true, text.length);
  if (document === undefined) throw new Error('a forced document is always composed');
  const [error] = document.errors;
  if (error !== undefined) return fail(troubleAt(text, error.pos[0], 'bad-yaml', { detail: error.code }));
  if (second !== undefined) return fail(troubleAt(text, second.range[0], 'many-documents'));

  const targets = followAliases(document.contents, text);
  if (!targets.ok) return targets;
  const root = document.contents;
  const end = endOf(syntax.value, text);
  if (isMap(root)) return ok({ text, root: root as MapNode, targets: targets.value, end });
  const isEmpty = root === null || (isScalar(root) && root.type === 'PLAIN' && root.source === '');
  if (isEmpty) return ok({ text, root: null, targets: targets.value, end });
  return fail(troubleAt(text, root.range[0], 'not-a-map'));
}

/** The pair of a top-level key. A key that stands there twice means two things. */
export function findPair(tree: Tree, key: string): Result<PairNode | undefined, SectionTrouble> {
  const pairs = (tree.root?.items ?? []).filter((pair) => keyName(tree, pair.key) === key);
  const [first, second] = pairs;
  if (second !== undefined) {
    return fail(keyTwice(tree.text, second.key, key));
  }
  return ok(first);
}

/** The name of a key; undefined for what JSON can have no key for: nothing, a list, a map. */
export function keyName(tree: Tree, key: Node | null): string | undefined {
  const node = resolve(tree, key);
  if (!isScalar(node)) return undefined;
  const value = scalarValue(node.value, node.source);
  return value === null ? undefined : String(value);
}

/** The node, or the one that it is an alias of. */
export function resolve(tree: Tree, node: Node | null): Node | null {
  return isAlias(node) ? (tree.targets.get(node) ?? null) : node;
}

/** The plain value of a node, aliases written out. Keys that JSON cannot have are left out. */
export function readNodeValue(tree: Tree, node: Node | null): Result<JsonValue, SectionTrouble> {
  const work: Reading = { tree, values: 0, trouble: undefined };
  const value = read(work, node, 0);
  return work.trouble === undefined ? ok(value) : fail(work.trouble);
}

/** All that a file says, aliases written out. A key that stands twice in one map means two things, wherever it is. */
export function readFile(tree: Tree): Result<JsonObject, SectionTrouble> {
  const values: Record<string, JsonValue> = Object.create(null);
  for (const { key, value } of tree.root?.items ?? []) {
    const name = keyName(tree, key) ?? '';
    if (name !== '' && name in values) return fail(keyTwice(tree.text, key, name));
    const read = readNodeValue(tree, value);
    if (!read.ok) return read;
    values[name] = read.value;
  }
  return ok(values);
}

function keyTwice(text: string, second: Node | null, key: string): SectionTrouble {
  return troubleAt(text, offsetOf(second), 'bad-yaml', { detail: 'DUPLICATE_KEY', key });
}

export function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

interface Reading {
  readonly tree: Tree;
  values: number;
  /** The first one; nothing more is read after it. */
  trouble: SectionTrouble | undefined;
}

function read(work: Reading, node: Node | null, depth: number): JsonValue {
  if (work.trouble !== undefined || node === null) return null;
  if (isAlias(node)) return read(work, resolve(work.tree, node), depth);
  const { text } = work.tree;
  if (++work.values > valuesMax) {
    work.trouble = troubleAt(text, offsetOf(node), 'too-large', { limit: valuesMax });
  }
  if (depth > depthMax) work.trouble = troubleAt(text, offsetOf(node), 'too-deep', { limit: depthMax });
  if (isMap(node)) return readMap(work, node as MapNode, depth);
  if (isCollection(node)) return (node.items as Node[]).map((item) => read(work, item, depth + 1));
  return isScalar(node) ? scalarValue(node.value, node.source) : null;
}

function readMap(work: Reading, map: MapNode, depth: number): JsonObject {
  const object: Record<string, JsonValue> = Object.create(null);
  for (const { key, value } of map.items) {
    const name = keyName(work.tree, key);
    if (name === undefined) continue;
    if (name in object) {
      work.trouble ??= keyTwice(work.tree.text, key, name);
    }
    object[name] = read(work, value, depth + 1);
  }
  return object;
}

function scalarValue(value: unknown, source: string | undefined): string | number | boolean | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : (source ?? String(value));
}

/** In the order of the text: an alias stands for the last thing before it that has its name. */
function followAliases(root: Node | null, text: string): Result<Map<Alias, Node>, SectionTrouble> {
  const targets = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  const open = new Set<Node>();
  let trouble: SectionTrouble | undefined;
  visit(root);
  return trouble === undefined ? ok(targets) : fail(trouble);

  function visit(node: unknown): void {
    if (isPair(node)) {
      visit(node.key);
      visit(node.value);
    } else if (isAlias(node)) {
      follow(node);
    } else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (!isCollection(node)) return;
      open.add(node);
      for (const item of node.items) visit(item);
      open.delete(node);
    }
  }

  function follow(alias: Alias): void {
    const target = anchors.get(alias.source);
    // What holds itself has no end.
    if (target === undefined || open.has(target)) {
      trouble ??= troubleAt(text, offsetOf(alias), 'bad-yaml', { detail: 'BAD_ALIAS' });
    } else if (targets.size >= aliasesMax) {
      trouble ??= troubleAt(text, offsetOf(alias), 'too-many-aliases', { limit: aliasesMax });
    } else {
      targets.set(alias, target);
    }
  }
}

function endOf(tokens: readonly CST.Token[], text: string): number {
  const document = tokens.findIndex(({ type }) => type === 'document');
  const marker = tokens.find(({ type }, at) => type === 'doc-end' && at > document);
  return marker?.offset ?? text.length;
}

function isTooLarge(text: string): boolean {
  // A code unit is at most three bytes.
  if (text.length * 3 <= sizeBytesMax) return false;
  return text.length > sizeBytesMax || new TextEncoder().encode(text).length > sizeBytesMax;
}
