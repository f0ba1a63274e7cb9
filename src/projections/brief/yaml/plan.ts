import { isAlias, isMap, isSeq, type Node, type YAMLSeq } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { changeBlockList } from './block-list.ts';
import { addAsFirst, addToBlock, addToFlow, insertText, replaceValue, type YamlDraft } from './edits.ts';
import { changeFlowList } from './flow-list.ts';
import { definedMembers, writeFlowMember, writeMember } from './render.ts';
import { keyName, type MapNode, offsetOf, type PairNode, readNodeValue, resolve, type Tree } from './tree.ts';
import { type ChangeItem, hasWanted, type ListChange, memberOf, merge, pairItems } from './wanted.ts';

/** A section of a file, what it says, and what it shall say. */
export interface Task {
  readonly tree: Tree;
  readonly key: string;
  /** Undefined where the key is missing. */
  readonly pair: PairNode | undefined;
  /** Undefined where nothing stands behind the key. */
  readonly present: JsonObject | undefined;
  readonly wanted: JsonObject;
}

/** One way to change a text. Whether it went well is seen by reading the result. */
export type SectionChange = (draft: YamlDraft, task: Task) => void;

/** The ways to change a section that is there, the one that changes least first. */
export const sectionChanges: readonly SectionChange[] = [
  (draft, task) => changeParts(draft, task, () => false, true),
  (draft, task) => changeParts(draft, task, () => false),
  // What is an alias of another part of the section may have followed it where it should not.
  (draft, task) => changeParts(draft, task, leansOn(task)),
  changeWhole,
];

/** The ways to add a section that is missing. */
export const sectionAdditions: readonly SectionChange[] = [
  addAtEnd,
  // Where the end of the text belongs to the last value, as the empty lines behind a `|+` do.
  addToRoot,
];

type Leans = (node: Node | null, wanted: JsonValue) => boolean;

interface Work {
  readonly tree: Tree;
  readonly draft: YamlDraft;
  readonly leans: Leans;
  /** What comes first in the section is put there first; undefined: all that is new goes to the end. */
  readonly section?: { readonly holder: MapNode; readonly pair: PairNode };
}

function changeParts(draft: YamlDraft, task: Task, leans: Leans, isOrdered = false): void {
  const { tree, pair, present, wanted } = task;
  if (pair === undefined || tree.root === null) return;
  const section = isOrdered ? { section: { holder: tree.root, pair } } : {};
  changeValue({ tree, draft, leans, ...section }, tree.root, pair, present ?? null, wanted);
}

function changeWhole(draft: YamlDraft, { tree, pair, present, wanted }: Task): void {
  if (pair === undefined || tree.root === null) return;
  replaceValue(draft, tree.root, pair, merge(present, wanted));
}

function addAtEnd(draft: YamlDraft, task: Task): void {
  const { tree, key, wanted } = task;
  const token = tree.root?.srcToken;
  if (token?.type === 'flow-collection') {
    addToRoot(draft, task);
    return;
  }
  const { newline } = draft.style;
  const indent = token?.indent ?? 0;
  const isOnNewLine =
    ['', '\ufeff'].includes(tree.text.slice(0, tree.end)) || tree.text[tree.end - 1] === '\n';
  const written = ' '.repeat(indent) + writeMember(key, wanted, indent, draft.style) + newline;
  insertText(draft, tree.end, (isOnNewLine ? '' : newline) + written);
}

function addToRoot(draft: YamlDraft, { tree, key, wanted }: Task): void {
  if (tree.root !== null) addMembers(draft, tree.root, [[key, wanted]]);
}

function changeValue(
  work: Work,
  holder: MapNode,
  pair: PairNode,
  present: JsonValue,
  wanted: JsonValue,
): void {
  const node = pair.value;
  if (hasWanted(present, wanted) && !work.leans(node, wanted)) return;
  const isKept = hasPlace(node) && !(isBare(work, node) && holder.srcToken?.type === 'block-map');
  if (isKept && isMap(node) && isJsonObject(present) && isJsonObject(wanted)) {
    changeMap(work, node as MapNode, present, wanted);
  } else if (!(isKept && isSeq<Node>(node) && changeItems(work, node, present, wanted))) {
    replaceValue(work.draft, holder, pair, merge(present, wanted));
  }
}

function changeMap(work: Work, map: MapNode, present: JsonObject, wanted: JsonObject): void {
  const pairs = new Map(map.items.map((pair) => [keyName(work.tree, pair.key), pair]));
  const missing: [string, JsonValue][] = [];
  for (const [name, value] of definedMembers(wanted)) {
    const pair = pairs.get(name);
    if (pair === undefined) missing.push([name, value]);
    else changeValue(work, map, pair, memberOf(present, name) ?? null, value);
  }
  const first = work.section?.pair.value === map ? leading(missing, present, wanted) : [];
  if (first.length > 0) addFirst(work, map, first);
  const last = missing.slice(first.length);
  // After what is added inside of the last value: both come in at the end of the same line.
  if (last.length > 0) addMembers(work.draft, map, last);
}

/** Of what is missing, what is wanted before everything that is there. */
function leading(
  missing: readonly [string, JsonValue][],
  present: JsonObject,
  wanted: JsonObject,
): readonly [string, JsonValue][] {
  // A merge key stands first by custom, because the other keys override it.
  if (Object.keys(present)[0] === '<<') return [];
  const end = definedMembers(wanted).findIndex(([name]) => memberOf(present, name) !== undefined);
  return end < 0 ? [] : missing.slice(0, end);
}

function addFirst({ draft, section }: Work, map: MapNode, first: readonly [string, JsonValue][]): void {
  const { srcToken } = map;
  if (srcToken === undefined || section === undefined) return;
  const write = ([key, value]: [string, JsonValue]) =>
    srcToken.type === 'block-map'
      ? writeMember(key, value, srcToken.indent, draft.style)
      : writeFlowMember(key, value, draft.style);
  addAsFirst(draft, section.holder, section.pair, srcToken, first.map(write));
}

/** False: the list must be rewritten. */
function changeItems(work: Work, list: YAMLSeq<Node>, present: JsonValue, wanted: JsonValue): boolean {
  // What is left of a list that loses all of its items is none.
  if (!Array.isArray(present) || !Array.isArray(wanted) || wanted.length === 0) return false;
  const changeItem: ChangeItem = (draft, from, to) => {
    const item = list.items[from] ?? null;
    const [before = null, after = null] = [present[from], wanted[to]];
    if (isMap(item) && hasPlace(item) && isJsonObject(before) && isJsonObject(after)) {
      changeMap({ ...work, draft }, item as MapNode, before, after);
      return undefined;
    }
    return hasWanted(before, after) && !work.leans(item, after) ? undefined : merge(before, after);
  };
  const change: ListChange = { draft: work.draft, wanted, pairs: pairItems(present, wanted), changeItem };
  const { srcToken } = list;
  if (srcToken?.type === 'block-seq') return changeBlockList(change, srcToken);
  return srcToken?.type === 'flow-collection' && changeFlowList(change, srcToken);
}

function addMembers(draft: YamlDraft, { srcToken }: MapNode, added: readonly [string, JsonValue][]): void {
  const { style } = draft;
  if (srcToken?.type === 'flow-collection') {
    addToFlow(
      draft,
      srcToken,
      added.map(([key, value]) => writeFlowMember(key, value, style)),
    );
  } else if (srcToken?.type === 'block-map') {
    const { indent } = srcToken;
    addToBlock(
      draft,
      srcToken,
      added.map(([key, value]) => writeMember(key, value, indent, style)),
    );
  }
}

/** Whether something can be added to a collection: not to the pair of `[key: value]`, which is a map without braces. */
function hasPlace(node: Node | null): boolean {
  const type = node?.srcToken?.type;
  return type === 'block-map' || type === 'block-seq' || type === 'flow-collection';
}

/** Whether it is `{}` or `[]` without even a comment, so that its style was no one's choice. */
function isBare({ tree }: Work, node: Node | null): boolean {
  if (node?.range === null || node?.range === undefined) return false;
  return /^[[{]\s*[\]}]$/.test(tree.text.slice(node.range[0], node.range[1]));
}

function leansOn({ tree, pair }: Task): Leans {
  const [start, end] = pair?.value?.range ?? [0, 0];
  const leans: Leans = (node, wanted) => {
    const target = resolve(tree, node);
    if (isAlias(node) && offsetOf(target) >= start && offsetOf(target) < end) return true;
    if (isMap(target) && isJsonObject(wanted)) {
      return (target as MapNode).items.some(({ key, value }) => {
        const inner = memberOf(wanted, keyName(tree, key) ?? '');
        return inner !== undefined && leans(value, inner);
      });
    }
    if (!isSeq<Node>(target) || !Array.isArray(wanted)) return false;
    const present = readNodeValue(tree, target);
    const pairs = present.ok ? pairItems(present.value as readonly JsonValue[], wanted) : [];
    return pairs.some(
      (from, at) => from !== undefined && leans(target.items[from] ?? null, wanted[at] ?? null),
    );
  };
  return leans;
}
