import { isMap } from 'yaml';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { applyYamlEdits, type YamlDraft } from './edits.ts';
import { sectionAdditions, sectionChanges, type Task } from './plan.ts';
import type { YamlStyle } from './render.ts';
import { newlineAt } from './source.ts';
import {
  findPair,
  type MapNode,
  offsetOf,
  type PairNode,
  parseTree,
  readNodeValue,
  type Tree,
} from './tree.ts';
import { type SectionTrouble, troubleAt } from './trouble.ts';
import { findFault } from './verify.ts';
import { hasWanted } from './wanted.ts';

/**
 * The plain value of a top-level key of a YAML file; undefined where it is absent or null, or the file is empty.
 * Whatever JSON has no word for is a string; a merge key is a key like any other.
 */
export function readSection(text: string, key: string): Result<JsonObject | undefined, SectionTrouble> {
  const opened = openSection(text, key);
  return opened.ok ? ok(opened.value.present) : opened;
}

/**
 * Sets the wanted values in the section of a top-level key. The file belongs to others, so other values stay, equal
 * values keep their bytes, and so does everything outside the section. The result is parsed again and compared.
 */
export function patchSection(text: string, key: string, wanted: JsonObject): Result<string, SectionTrouble> {
  const opened = openSection(text, key);
  if (!opened.ok) return opened;
  const task: Task = { ...opened.value, key, wanted };
  if (task.present !== undefined && hasWanted(task.present, wanted)) return ok(text);

  const style = styleOf(task);
  let fault = 'edits-overlap';
  for (const change of task.pair === undefined ? sectionAdditions : sectionChanges) {
    const draft: YamlDraft = { text, style, edits: [] };
    change(draft, task);
    const changed = applyYamlEdits(draft);
    if (changed === undefined) continue;
    const found = findFault(task, changed);
    if (found === undefined) return ok(changed);
    fault = found;
  }
  const offset = offsetOf(task.pair?.key ?? null);
  return fail(troubleAt(text, offset, 'cannot-patch', { detail: fault }));
}

interface OpenSection {
  readonly tree: Tree;
  readonly pair: PairNode | undefined;
  readonly present: JsonObject | undefined;
}

function openSection(text: string, key: string): Result<OpenSection, SectionTrouble> {
  const tree = parseTree(text);
  if (!tree.ok) return tree;
  const found = findPair(tree.value, key);
  if (!found.ok) return found;
  const pair = found.value;
  const value = readNodeValue(tree.value, pair?.value ?? null);
  if (!value.ok) return value;
  if (value.value === null) return ok({ tree: tree.value, pair, present: undefined });
  if (isJsonObject(value.value)) return ok({ tree: tree.value, pair, present: value.value });
  return fail(troubleAt(text, offsetOf(pair?.value ?? null), 'not-a-map'));
}

const stepUsual = 2;
const stepMax = 8;

function styleOf({ tree, pair }: Task): YamlStyle {
  const [root, section] = [
    tree.root?.srcToken,
    isMap(pair?.value) ? (pair.value as MapNode).srcToken : undefined,
  ];
  const step = section?.type === 'block-map' ? section.indent - (root?.indent ?? 0) : stepUsual;
  return {
    newline: newlineAt(tree.text, offsetOf(pair?.key ?? null)),
    step: Math.max(1, Math.min(step, stepMax)),
    quotesFlow: root?.type === 'flow-collection' && isQuoted(tree),
  };
}

function isQuoted({ text, root }: Tree): boolean {
  return text[offsetOf(root?.items[0]?.key ?? null)] === '"';
}
