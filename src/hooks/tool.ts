import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../base/json.ts';
import type { FileWrite, TextEdit, ToolUse } from './call.ts';
import { isPatch, readPatch } from './patch.ts';

/*
 * Which files a tool is about to write. Agents call their tools and the arguments differently and now and then
 * otherwise, so names are compared without case and separators, and arguments are looked for under all of their names.
 */

export function readTool(name: string, input: JsonValue | undefined, isDone: boolean): ToolUse {
  return { name, writes: writesOf(name, argumentsOf(input)), isDone };
}

function writesOf(name: string, given: JsonObject): FileWrite[] {
  const patch = texts(given, patchNames).find(isPatch);
  if (patch !== undefined) return readPatch(patch);
  if (!writingTools.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''))) return [];
  const edits = editsOf(given);
  return pathsOf(given).map((path) => ({ path, edits }));
}

/** Without case and separators: `Write` of one agent is `write_file` of another and `create` of a third. */
const writingTools = new Set([
  'write',
  'writefile',
  'create',
  'createfile',
  'edit',
  'editfile',
  'editfiles',
  'multiedit',
  'replace',
  'strreplace',
  'strreplaceeditor',
  'searchreplace',
  'replacestringinfile',
  'multireplacestringinfile',
  'inserteditintofile',
  'insert',
  'notebookedit',
  'editnotebook',
  'editnotebookfile',
  'delete',
  'deletefile',
]);

const patchNames = ['patchText', 'patch', 'input', 'command', 'text'];
const pathNames = [
  'file_path',
  'filePath',
  'notebook_path',
  'notebookPath',
  'path',
  'target_file',
  'filename',
];
const wholeNames = ['content', 'contents', 'file_text', 'fileText', 'new_source', 'newSource'];
const beforeNames = ['old_string', 'oldString', 'old_str', 'oldStr'];
const afterNames = ['new_string', 'newString', 'new_str', 'newStr'];
const listNames = ['edits', 'replacements'];
const listLengthMax = 200;

/** Some agents hand the arguments over as the text of a JSON document; a bare text can only be a patch. */
function argumentsOf(input: JsonValue | undefined): JsonObject {
  if (isJsonObject(input)) return input;
  if (typeof input !== 'string') return {};
  const parsed = parseJson(input);
  return isJsonObject(parsed) ? parsed : { input };
}

function texts(given: JsonObject, names: readonly string[]): string[] {
  return names.map((name) => given[name]).filter((value) => typeof value === 'string');
}

function pathsOf(given: JsonObject): string[] {
  const listed = Array.isArray(given.files) ? given.files.slice(0, listLengthMax) : [];
  const paths = [...texts(given, pathNames).slice(0, 1), ...listed];
  return paths.filter((path) => typeof path === 'string' && path !== '');
}

function editsOf(given: JsonObject): FileWrite['edits'] {
  const list = listNames.map((name) => given[name]).find((value) => Array.isArray(value));
  if (list !== undefined) return list.filter(isJsonObject).slice(0, listLengthMax).flatMap(editOf);
  const [whole] = texts(given, wholeNames);
  return whole === undefined ? editOf(given) : [{ before: undefined, after: whole, everywhere: false }];
}

function editOf(given: JsonObject): TextEdit[] {
  const [before] = texts(given, beforeNames);
  const [after] = texts(given, afterNames);
  if (before === undefined || after === undefined) return [];
  const everywhere = given.replace_all === true || given.replaceAll === true;
  return [{ before, after, everywhere }];
}
