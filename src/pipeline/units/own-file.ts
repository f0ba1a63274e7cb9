import type { OwnFile, Phase, Unit } from '../../model/definition.ts';
import { ownFileInput } from '../../model/own-file.ts';
import { checkPath, cleanPath, type PathProblem } from '../paths.ts';
import type { LoadContext } from '../prompts/context.ts';
import { declaredFileBytesMax, type SourceFile } from './sources.ts';

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
