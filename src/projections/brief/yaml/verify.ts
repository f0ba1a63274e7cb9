import { type Alias, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { Task } from './plan.ts';
import { definedMembers } from './render.ts';
import {
  findPair,
  keyName,
  type MapNode,
  type PairNode,
  parseTree,
  readNodeValue,
  resolve,
  type Tree,
} from './tree.ts';
import { hasWanted, memberOf, pairItems } from './wanted.ts';

/** What is wrong with a changed text, or undefined: the section says what is wanted, all else what it said before. */
export function findFault(task: Task, changed: string): string | undefined {
  const after = parseTree(changed);
  if (!after.ok) return after.failure.reason;
  const pair = findPair(after.value, task.key);
  if (!pair.ok || pair.value === undefined) return 'section-lost';
  const value = readNodeValue(after.value, pair.value.value);
  if (!value.ok || !hasWanted(value.value, task.wanted)) return 'section-differs';
  const comparison: Comparison = { before: task.tree, after: after.value, counterparts: new Map() };
  return isSameFile(comparison, task, pair.value) ? undefined : 'others-differ';
}

interface Comparison {
  readonly before: Tree;
  readonly after: Tree;
  /** What has become of each node: an alias has to stand for what it stood for, even if that says something new. */
  readonly counterparts: Map<Node, Node>;
}

function isSameFile(work: Comparison, task: Task, changedPair: PairNode): boolean {
  const [before, after] = [work.before.root, work.after.root];
  if (after === null) return false;
  if (before === null) return after.items.length === 1;
  const added = task.pair === undefined ? 1 : 0;
  if (after.items.length !== before.items.length + added || !hasSameProps(before, after)) return false;
  return before.items.every((pair, at) => {
    const other = after.items[at];
    if (other === undefined || !isSame(work, pair.key, other.key)) return false;
    if (pair !== task.pair) return isSame(work, pair.value, other.value);
    return other === changedPair && isKept(work, pair.value, other.value, task.wanted);
  });
}

/** Whether a value of ours still says all that it said besides what is wanted of it. */
function isKept(work: Comparison, a: Node | null, b: Node | null, wanted: JsonValue): boolean {
  if (a !== null && b !== null) work.counterparts.set(a, b);
  const [from, to] = [resolve(work.before, a), resolve(work.after, b)];
  if (isMap(from) && isJsonObject(wanted)) {
    return isMap(to) && isKeptMap(work, from as MapNode, to as MapNode, wanted);
  }
  if (!isSeq<Node>(from) || !Array.isArray(wanted)) return true;
  const present = readNodeValue(work.before, from);
  if (!present.ok || !isSeq<Node>(to)) return false;
  const pairs = pairItems(present.value as readonly JsonValue[], wanted);
  return wanted.every((item, at) => {
    const place = pairs[at];
    return place === undefined || isKept(work, from.items[place] ?? null, to.items[at] ?? null, item);
  });
}

function isKeptMap(work: Comparison, from: MapNode, to: MapNode, wanted: JsonObject): boolean {
  const names = new Set(from.items.map(({ key }) => keyName(work.before, key)));
  const added = definedMembers(wanted).filter(([name]) => !names.has(name)).length;
  if (to.items.length !== from.items.length + added) return false;
  const byName = new Map(to.items.map((pair) => [keyName(work.after, pair.key), pair]));
  return from.items.every((pair, at) => {
    const name = keyName(work.before, pair.key);
    const other = name === undefined ? to.items[at] : byName.get(name);
    if (other === undefined) return false;
    const isSameKey = isSame(work, pair.key, other.key);
    if (name === undefined && !isSameKey) return false;
    const inner = name === undefined ? undefined : memberOf(wanted, name);
    if (inner !== undefined) return isKept(work, pair.value, other.value, inner);
    return isSame(work, pair.value, other.value) || isSameData(work, pair.value, other.value);
  });
}

/** Whether two nodes are the same to every reader, to one that follows aliases as to one that writes tags. */
function isSame(work: Comparison, a: unknown, b: unknown): boolean {
  if (isAlias(a)) return isAlias(b) && isSameAlias(work, a, b);
  if (isScalar(a)) {
    if (!isScalar(b) || !hasSameProps(a, b) || !Object.is(a.value, b.value)) return false;
    work.counterparts.set(a, b);
    return true;
  }
  if (isMap(a)) {
    if (!isMap(b) || !hasSameProps(a, b) || a.items.length !== b.items.length) return false;
    work.counterparts.set(a, b);
    return a.items.every(({ key, value }, at) => {
      const other = b.items[at];
      return other !== undefined && isSame(work, key, other.key) && isSame(work, value, other.value);
    });
  }
  if (isSeq(a)) {
    if (!isSeq(b) || !hasSameProps(a, b) || a.items.length !== b.items.length) return false;
    work.counterparts.set(a, b);
    return a.items.every((item, at) => isSame(work, item, b.items[at]));
  }
  return a === b;
}

function isSameAlias({ before, after, counterparts }: Comparison, a: Alias, b: Alias): boolean {
  const target = before.targets.get(a);
  return target !== undefined && counterparts.get(target) === after.targets.get(b);
}

function hasSameProps(a: { tag?: string; anchor?: string }, b: { tag?: string; anchor?: string }): boolean {
  return a.tag === b.tag && a.anchor === b.anchor;
}

/** Whether two nodes say the same plain data, written in whichever way. */
function isSameData({ before, after }: Comparison, a: Node | null, b: Node | null): boolean {
  if (!isPlainData(before, a, new Set())) return false;
  const [from, to] = [readNodeValue(before, a), readNodeValue(after, b)];
  return from.ok && to.ok && hasWanted(from.value, to.value) && hasWanted(to.value, from.value);
}

/** Whether a node says nothing that is lost where it is read as JSON. */
function isPlainData(tree: Tree, node: Node | null, seen: Set<Node>): boolean {
  const target = resolve(tree, node);
  if (target === null || seen.has(target)) return true;
  seen.add(target);
  if (!isAlias(target) && target.tag !== undefined && !target.tag.startsWith('tag:yaml.org,2002:'))
    return false;
  if (isMap(target)) {
    return (target as MapNode).items.every(
      ({ key, value }) => keyName(tree, key) !== undefined && isPlainData(tree, value, seen),
    );
  }
  return !isSeq<Node>(target) || target.items.every((item) => isPlainData(tree, item, seen));
}
