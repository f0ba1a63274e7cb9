import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { OwnFile, Phase, Unit } from '../../model/definition.ts';
import { ownFileInput } from '../../model/names.ts';
import { declaredFileBytesMax, type LoadContext, type SourceFile } from '../context.ts';
import { checkPath, cleanPath, type PathProblem } from '../paths.ts';
import type { ManifestUnits } from '../schema/manifest.ts';

/** Which fields of an item say how it is handed out. */
export interface ItemFields {
  readonly needs: string;
  readonly title: string;
  readonly priority: string | undefined;
  readonly touches: readonly string[];
  readonly beside: string | undefined;
  /** The field with the path of its own file. */
  readonly file: string | undefined;
}

export function itemFields(spec: ManifestUnits): ItemFields {
  const isNamed = !Array.isArray(spec) && ('from' in spec || 'artifact' in spec);
  const { needs = 'needs', title = 'title', priority, touches = [], beside } = isNamed ? spec : usual;
  const file = !Array.isArray(spec) && 'file' in spec ? spec.file : undefined;
  return { needs, title, priority, touches: typeof touches === 'string' ? [touches] : touches, beside, file };
}

const usual: Partial<Extract<ManifestUnits, { from: string }>> = {};

interface Item extends Pick<Unit, 'title' | 'priority' | 'touches' | 'beside'> {
  /** As it stands there: not checked. */
  readonly needs: JsonValue | undefined;
  /** What results depend on. In which order and beside what the unit is worked on is no part of that. */
  readonly data: JsonObject;
}

/** What an item says of its unit. */
export function readItem(fields: ItemFields, item: JsonObject): Item {
  const data: Record<string, JsonValue> = { ...item };
  const order = [fields.needs, fields.priority, fields.beside];
  for (const field of order) if (field !== undefined) delete data[field];
  const title = item[fields.title];
  const priority = fields.priority === undefined ? undefined : rankOf(item[fields.priority]);
  const touches = fields.touches.flatMap((field) => namesIn(item[field]));
  const beside = fields.beside === undefined ? [] : namesIn(item[fields.beside]);
  return {
    needs: item[fields.needs],
    data,
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(priority !== undefined && { priority }),
    ...(touches.length > 0 && { touches }),
    ...(beside.length > 0 && { beside }),
  };
}

export function isListOfNames(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** What is not said to be more or less urgent is of medium priority. */
export const mediumPriority = 2;

const ranks = new Map([
  ['critical', 0],
  ['high', 1],
  ['medium', mediumPriority],
  ['normal', mediumPriority],
  ['low', 3],
]);

/** Lower ones come first: 1 before 2, P0 before P1, high before low. */
function rankOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  const digits = /^p?(\d{1,6})$/.exec(word)?.[1];
  return digits === undefined ? ranks.get(word) : Number(digits);
}

function namesIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return isListOfNames(value) ? value : [];
}

/** The file that a glob found a unit as. `at` is the place of the glob in the manifest. */
export function readFoundFile({ sources, problems }: LoadContext, path: string, at: string): OwnFile {
  const read = sources.hashOf(path, declaredFileBytesMax);
  if (isUnreadable(read)) problems.add(read.code, at, read.facts);
  return asOwnFile(path, read);
}

/** The file that a field of a unit names, or what is wrong with it. A missing file is no problem here but a fact. */
export function readOwnFile({ sources, reader }: LoadContext, written: string): OwnFile | PathProblem {
  const wrong = checkPath(written);
  if (wrong !== undefined) return wrong;
  const path = cleanPath(written);
  if (reader.escapes(path)) return { code: 'path-through-link', facts: { found: path } };
  const read = sources.hashOf(path, declaredFileBytesMax);
  return isUnreadable(read) ? { code: read.code, facts: read.facts } : asOwnFile(path, read);
}

/** What the id of a file's unit can be made of, and what prompts can name. A file at the top has no folder. */
export function fileFields(path: string): ReadonlyMap<string, string> {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  const folder = parts.at(-2);
  return new Map([
    ['path', path],
    ['name', name],
    ['stem', name.replace(/(?!^)\.[^.]*$/, '')],
    ...(folder === undefined ? [] : [['folder', folder] as const]),
  ]);
}

/** The phase takes the unit's own file. */
export function takesOwnFile({ inputs }: Pick<Phase, 'inputs'>): boolean {
  return inputs.some(({ kind }) => kind === 'unit-file');
}

/** `unit.file` names the unit's own file: it has no other field of that name. */
export function isFileNamed({ data, file }: Pick<Unit, 'data' | 'file'>): boolean {
  if (file === undefined) return false;
  if (!Object.hasOwn(data, ownFileInput)) return true;
  const written = data[ownFileInput];
  return typeof written === 'string' && cleanPath(written) === file.path;
}

/** A prompt asks for the text of a file that it cannot have. */
export class NoPromptText extends Error {
  readonly code: 'unit-file-too-large' | 'unit-file-not-text';
  readonly path: string;
  readonly size: number;

  constructor(code: NoPromptText['code'], path: string, size: number) {
    super(`${code}: ${path}`);
    this.name = 'NoPromptText';
    this.code = code;
    this.path = path;
    this.size = size;
  }
}

type ReadHash =
  | Exclude<SourceFile, { kind: 'text' }>
  | { readonly kind: 'hash'; readonly hash: OwnFile['hash'] };

function isUnreadable(read: ReadHash): read is Extract<ReadHash, { kind: 'unusable' }> {
  return read.kind === 'unusable' && read.code !== 'file-too-large';
}

/** Of very large files only the path counts. */
function asOwnFile(path: string, read: ReadHash): OwnFile {
  if (read.kind === 'missing') return { path, hash: undefined, isMissing: true };
  return { path, hash: read.kind === 'hash' ? read.hash : undefined };
}
