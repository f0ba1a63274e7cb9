import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { blanks } from '../../../base/plain.ts';

/** How values are written into a text. */
export interface YamlStyle {
  readonly newline: string;
  /** How many spaces a map or a list stands to the right of the key above it. */
  readonly step: number;
  /** Quotes strings and keys inside braces and brackets, so that a JSON file stays one. */
  readonly quotesFlow: boolean;
}

/** A file of our own, or a part of one: `key:` with the value below it. The same value gives the same text. */
export function renderSection(key: string, value: JsonObject): string {
  return `${writeMember(key, value, 0, ownStyle)}\n`;
}

/** `key: value` in block style. The first line is not indented; it stands at column `indent`. */
export function writeMember(key: string, value: JsonValue, indent: number, style: YamlStyle): string {
  const name = writeKey(key, indent, style);
  if (!isNested(value)) return `${name} ${writeFlow(value, style)}`;
  const inner = indent + style.step;
  return `${name}${style.newline}${' '.repeat(inner)}${writeBlock(value, inner, style)}`;
}

/** A map or a list that is not empty, in block style. The first line is not indented; it stands at column `indent`. */
export function writeBlock(value: JsonValue, indent: number, style: YamlStyle): string {
  const lines = Array.isArray(value)
    ? value.map((item) => writeItem(item, indent, style))
    : definedMembers(value as JsonObject).map(([key, member]) => writeMember(key, member, indent, style));
  return lines.join(`${style.newline}${' '.repeat(indent)}`);
}

/** `- value` in block style. The first line is not indented; it stands at column `indent`. */
export function writeItem(value: JsonValue, indent: number, style: YamlStyle): string {
  return `- ${isNested(value) ? writeBlock(value, indent + 2, style) : writeFlow(value, style)}`;
}

/** Any value on one line, as it may stand inside braces and brackets and out of them. */
export function writeFlow(value: JsonValue, style: YamlStyle): string {
  if (typeof value === 'string') return style.quotesFlow ? quote(value, 'json') : writeString(value);
  if (typeof value === 'number') return writeNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeFlow(item, style)).join(', ')}]`;
  return `{${definedMembers(value as JsonObject)
    .map(([key, member]) => writeFlowMember(key, member, style))
    .join(', ')}}`;
}

/** `key: value` inside braces. */
export function writeFlowMember(key: string, value: JsonValue, style: YamlStyle): string {
  return `${writeFlow(key, style)}: ${writeFlow(value, style)}`;
}

/** Whether block style needs lines of its own for it. */
export function isNested(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.values(value).some((member) => member !== undefined);
}

/** The keys and values of an object; a key without a value is none. */
export function definedMembers(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

const ownStyle: YamlStyle = { newline: '\n', step: 2, quotesFlow: false };

/** A parser gives up on a key that runs longer than this before its colon, unless it is marked as one. */
const plainKeyLengthMax = 1000;

function writeKey(key: string, indent: number, style: YamlStyle): string {
  const text = writeString(key);
  if (text.length <= plainKeyLengthMax) return `${text}:`;
  return `? ${text}${style.newline}${' '.repeat(indent)}:`;
}

/** A word that reads as itself wherever it stands and whichever version of YAML reads it. */
const word = /^[A-Za-z][A-Za-z0-9_./-]*$/;
/** Readers of YAML 1.1 take each of them for something else than a string; one takes `e0` and `e-0` for numbers. */
const takenWord = /^(?:null|true|false|yes|no|on|off|y|n|e-?\d+)$/i;

function writeString(text: string): string {
  return word.test(text) && !takenWord.test(text) ? text : quote(text, 'yaml');
}

/**
 * What JSON lets stand in a string and YAML does not, or takes for the end of a line; and what a reader cannot see or
 * sees in another order than it stands in.
 */
const unprintable = new RegExp(`[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\ufffe\\uffff${blanks}]`, 'gu');

function quote(text: string, language: 'yaml' | 'json'): string {
  return JSON.stringify(text).replace(unprintable, (character) => escapeCode(character, language));
}

function escapeCode(character: string, language: 'yaml' | 'json'): string {
  // YAML has one escape for what takes two code units, and not every reader of it puts two together.
  if (character.length > 1 && language === 'yaml') return `\\U${hex(character.codePointAt(0) ?? 0, 8)}`;
  return Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join(
    '',
  );
}

function hex(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Error('a section has no NaN or Infinity');
  // YAML 1.1 wants a point before an exponent.
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

/** The top-level key of the document, in our own file and in files of others. */
export const sectionKey = 'resumption';

/** The document as a file of the run. */
export function renderOwnDocument(brief: JsonObject): Uint8Array {
  return new TextEncoder().encode(`${header}${renderSection(sectionKey, brief)}`);
}

const header = [
  '# Where this run stands, written by Pawl from its journal at every step. What is derived is set right again when it is',
  '# edited; next_step, files_to_read, decisions, summaries and recurring patterns are taken in.',
  '',
].join('\n');
