import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import {
  commaAfter,
  endOfBlanks,
  endOfRemarks,
  firstDeeperThan,
  holdsComment,
  indentAt,
  lineBreakBefore,
  splice,
  startOfSpace,
  startsLine,
} from './json-trivia.ts';
import { type AgentTrouble, placeIn } from './trouble.ts';

/*
 * Settings that people write: JSON, often with comments, commas too many and a style of its own. An edit here is the
 * fewest bytes that say it, in the style of what is around it; everything else stays as it is, byte for byte.
 */

export type JsonPath = readonly (string | number)[];

/** The text of a settings file, understood. */
export interface Settings {
  readonly path: string;
  readonly text: string;
  /** Undefined where the text says nothing at all. */
  readonly root: Node | undefined;
}

/** Settings have to be an object, or nothing. */
export function parseSettings(path: string, text: string): Result<Settings, AgentTrouble> {
  const unreadable = (offset: number, problem: string) =>
    fail({ reason: 'settings-unreadable', problem, place: placeIn(path, text, offset) } as const);
  const tooDeep = firstDeeperThan(text, depthMax);
  if (tooDeep !== undefined) return unreadable(tooDeep, 'too-deep');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) return unreadable(error.offset, kebab(printParseErrorCode(error.error)));
  if (root !== undefined && root.type !== 'object')
    return fail(unexpected({ path, text, root }, [], 'object'));
  return ok({ path, text, root });
}

/** What stands there, as a value; undefined where nothing does. */
export function valueAt({ root }: Settings, path: JsonPath): JsonValue | undefined {
  const node = root && nodeAt(root, path);
  return node && (getNodeValue(node) as JsonValue);
}

/**
 * The text with one more property of an object, or one more item at the end of an array (any number as the last key);
 * what has to be above it is made.
 */
export function inserted(settings: Settings, path: JsonPath, value: JsonValue): Result<string, AgentTrouble> {
  const { text, root } = settings;
  const style = styleOf(text);
  if (root === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : style.eol;
    return ok(`${text}${gap}${print(nested(path, value), style, '')}${style.eol}`);
  }
  let container = root;
  for (const [depth, key] of path.entries()) {
    const expected = typeof key === 'number' ? 'array' : 'object';
    if (container.type !== expected) return fail(unexpected(settings, path.slice(0, depth), expected));
    const next = depth === path.length - 1 ? undefined : childOf(container, key);
    if (next === undefined)
      return ok(append(text, container, key, nested(path.slice(depth + 1), value), style));
    container = next;
  }
  return ok(text);
}

/** The text with another value in the place of the one that is there. */
export function replaced({ text, root }: Settings, path: JsonPath, value: JsonValue): string {
  const node = root && nodeAt(root, path);
  if (node === undefined) return text;
  const isOneLine = !text.slice(node.offset, end(node)).includes('\n');
  const printed = isOneLine ? printInline(value) : print(value, styleOf(text), indentAt(text, node.offset));
  return splice(text, node.offset, end(node), printed);
}

/** The text without what stands there, and without what is left empty by that, up to the whole. */
export function removed({ text, root }: Settings, path: JsonPath): string {
  const node = root && nodeAt(root, path);
  return node === undefined ? text : removeNode(text, node);
}

const depthMax = 100;

function unexpected(settings: Settings, path: JsonPath, expected: 'object' | 'array'): AgentTrouble {
  const offset = (settings.root && nodeAt(settings.root, path))?.offset ?? 0;
  const place = placeIn(settings.path, settings.text, offset);
  return { reason: 'settings-unexpected', key: path.join('.'), expected, place };
}

const kebab = (name: string) => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

function nodeAt(root: Node, path: JsonPath): Node | undefined {
  let node: Node | undefined = root;
  for (const key of path) node = node && childOf(node, key);
  return node;
}

/** Of a key that is there twice the last one counts, as for every reader of JSON. */
function childOf(node: Node, key: string | number): Node | undefined {
  if (typeof key === 'number') return node.type === 'array' ? node.children?.[key] : undefined;
  if (node.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** The value under the keys of a path, none of which is there yet. */
function nested(path: JsonPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>(
    (inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }),
    value,
  );
}

interface Style {
  readonly eol: string;
  readonly unit: string;
}

/** As the file does it: by its first line break and its first indented line. */
function styleOf(text: string): Style {
  return { eol: /\r?\n/.exec(text)?.[0] ?? '\n', unit: /^[ \t]+(?=[^\s*])/m.exec(text)?.[0] ?? '  ' };
}

function append(text: string, container: Node, key: string | number, value: JsonValue, style: Style): string {
  const last = container.children?.at(-1);
  const label = typeof key === 'number' ? '' : `${JSON.stringify(key)}: `;
  const outer = indentAt(text, container.offset);
  const line = (indent: string) => `${style.eol}${indent}${label}${print(value, style, indent)}`;
  const open = container.offset + 1;
  const close = end(container) - 1;
  if (last === undefined) {
    const above = lineBreakBefore(text, close);
    return above >= open
      ? splice(text, above, above, line(`${outer}${style.unit}`))
      : splice(text, close, close, `${line(`${outer}${style.unit}`)}${style.eol}${outer}`);
  }
  const comma = commaAfter(text, end(last));
  const after = comma === undefined ? end(last) : comma + 1;
  const isOneLine = !text.slice(open, close).includes('\n');
  const at = isOneLine ? after : endOfRemarks(text, after);
  const inner = startsLine(text, last.offset) ? indentAt(text, last.offset) : `${outer}${style.unit}`;
  const printed = isOneLine ? ` ${label}${printInline(value)}` : line(inner);
  // Who puts a comma behind the last one, too, finds one there afterwards.
  return comma === undefined
    ? splice(splice(text, at, at, printed), after, after, ',')
    : splice(text, at, at, `${printed},`);
}

/** What `append` has put there goes without a trace. */
function removeNode(text: string, node: Node): string {
  // The value of a property goes with its name.
  const child = node.parent?.type === 'property' ? node.parent : node;
  const container = child.parent;
  if (container === undefined) return splice(text, child.offset, end(child), '{}');
  const open = container.offset + 1;
  const isLast = child === container.children?.at(-1);
  const previous = container.children?.[container.children.indexOf(child) - 1];
  if (isLast && previous === undefined) {
    const hasRemarks =
      holdsComment(text, open, child.offset) || holdsComment(text, end(child), end(container) - 1);
    if (!hasRemarks) return removeNode(text, container);
  }
  const comma = commaAfter(text, end(child));
  const from = startOfSpace(text, child.offset, open);
  const to = comma === undefined ? end(child) : comma + 1;
  const without = splice(text, from, from === child.offset ? endOfBlanks(text, to) : to, '');
  // Behind the last one there is no comma of its own: the one before it was there for its sake.
  const separator =
    comma === undefined && previous !== undefined ? commaAfter(text, end(previous)) : undefined;
  return separator === undefined ? without : splice(without, separator, separator + 1, '');
}

const end = (node: Node) => node.offset + node.length;

function print(value: JsonValue, { eol, unit }: Style, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function printInline(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printInline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${printInline(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
