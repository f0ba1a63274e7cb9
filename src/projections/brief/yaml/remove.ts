import { type CST, isMap } from 'yaml';
import { canonicalJson, isJsonObject, type JsonObject } from '../../../base/json.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { applyYamlEdits, type YamlDraft, type YamlEdit } from './edits.ts';
import { flowParts } from './flow.ts';
import { patchSection } from './section.ts';
import { beginsLine, lineEnd, lineEndBefore, solidEnd, spaceStart } from './source.ts';
import { findPair, keyName, type MapNode, offsetOf, type PairNode, parseTree, readFile } from './tree.ts';
import { type SectionTrouble, troubleAt } from './trouble.ts';

/**
 * Sets the wanted values and removes the named members of a section. Only this function removes what others wrote, and
 * only the members it was asked for. Comments stay, also the one behind a removed member.
 */
export function rewriteSection(
  text: string,
  key: string,
  wanted: JsonObject,
  names: readonly string[],
): Result<string, SectionTrouble> {
  // What is left of the file is compared with what it said before, so all of it has to mean one thing.
  const said = readText(text);
  if (!said.ok) return said;
  // First what is new: a map that would be left empty says something else.
  const patched = patchSection(text, key, wanted);
  if (!patched.ok || names.length === 0) return patched;
  const removed = removeMembers(patched.value, key, new Set(names));
  if (!removed.ok) return removed;
  // Read again, as everything that is written into a file of others: nothing else may say something else now.
  const [before, after] = [readText(patched.value), readText(removed.value)];
  const section = before.ok ? before.value[key] : undefined;
  if (!before.ok || !after.ok || !isJsonObject(section))
    return fail(troubleAt(text, 0, 'cannot-patch', { detail: 'unreadable-after-removal' }));
  const left = Object.entries(section).filter(([name]) => !names.includes(name));
  const expected = { ...before.value, [key]: Object.fromEntries(left) };
  return canonicalJson(after.value) === canonicalJson(expected)
    ? removed
    : fail(troubleAt(text, 0, 'cannot-patch', { detail: 'others-differ' }));
}

function readText(text: string): Result<JsonObject, SectionTrouble> {
  const tree = parseTree(text);
  return tree.ok ? readFile(tree.value) : tree;
}

function removeMembers(
  text: string,
  key: string,
  names: ReadonlySet<string>,
): Result<string, SectionTrouble> {
  const tree = parseTree(text);
  if (!tree.ok) return tree;
  const pair = findPair(tree.value, key);
  if (!pair.ok) return pair;
  const section = pair.value?.value;
  const token = isMap(section) ? (section as MapNode).srcToken : undefined;
  // An alias: what it stands for is another part of the file.
  if (!isMap(section) || token === undefined)
    return fail(troubleAt(text, offsetOf(pair.value?.key ?? null), 'cannot-patch', { detail: 'not-a-map' }));
  const members = section.items as PairNode[];
  const goes = ({ key: name }: PairNode) => names.has(keyName(tree.value, name) ?? '');
  const edits =
    token.type === 'flow-collection'
      ? removalsInFlow(text, token, members.map(goes))
      : members.filter(goes).map((member) => removalOf(text, member));
  const draft: YamlDraft = { text, style: { newline: '\n', step: 2, quotesFlow: false }, edits };
  return ok(applyYamlEdits(draft) ?? text);
}

/** Whole lines; of the last one, what stands behind the value stays on a line of its own. */
function removalOf(text: string, { key, srcToken }: PairNode): YamlEdit {
  const start = spaceStart(text, offsetOf(key));
  const parts = [srcToken?.value, ...[...(srcToken?.sep ?? [])].reverse(), srcToken?.key];
  const solid = parts.map((part) => solidEnd(part)).find((end) => end !== undefined) ?? start;
  const end = lineEnd(text, solid);
  const behind = text.slice(solid, end).trim();
  if (behind.startsWith('#')) return { start, end, text: `${text.slice(start, offsetOf(key))}${behind}` };
  const isLast = end >= text.length;
  const after = isLast ? end : text.indexOf('\n', end) + 1;
  return { start, end: after, text: '' };
}

/** Each with its comma; and where the last one goes, with the comma that stood before it, which JSON does not let stand. */
function removalsInFlow(text: string, token: CST.FlowCollection, goes: readonly boolean[]): YamlEdit[] {
  const pieces = flowParts(token)?.pieces ?? [];
  const edits: YamlEdit[] = [];
  pieces.forEach(({ start, end, comma }, at) => {
    if (!goes[at]) return;
    if (comma !== undefined) edits.push(...removalsUpTo(text, start, end, comma));
    else edits.push(goes[at - 1] ? spaceBehind(text, start, end) : spaceBefore(text, start, end));
  });
  const last = pieces.findLast((_, at) => !goes[at]);
  const isEndGone = goes.at(-1) === true && pieces.at(-1)?.comma === undefined;
  if (isEndGone && last?.comma !== undefined)
    edits.push({ start: last.comma, end: last.comma + 1, text: '' });
  return edits;
}

function removalsUpTo(text: string, start: number, end: number, comma: number): YamlEdit[] {
  // Before the comma may stand a comment, which stays.
  if (text.slice(end, comma).trim() === '') return [spaceBehind(text, start, comma + 1)];
  return [spaceBehind(text, start, end), { start: comma, end: comma + 1, text: '' }];
}

/** Whole lines where nothing else stands on them, or else with the space behind, which a comment needs before it. */
function spaceBehind(text: string, start: number, end: number): YamlEdit {
  const stop = end + (/^[ \t]*/.exec(text.slice(end, lineEnd(text, end)))?.[0].length ?? 0);
  if (text[stop] === '#' && !beginsLine(text, start)) return { start, end, text: '' };
  const isEnd = stop === text.length || text[stop] === '\n' || text[stop] === '\r';
  return {
    start: isEnd && beginsLine(text, start) ? lineEndBefore(text, start) : start,
    end: stop,
    text: '',
  };
}

function spaceBefore(text: string, start: number, end: number): YamlEdit {
  return beginsLine(text, start)
    ? spaceBehind(text, start, end)
    : { start: spaceStart(text, start), end, text: '' };
}
