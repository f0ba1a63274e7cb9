import { type Hash, hashBytes } from '../base/hash.ts';
import type { DeclaredFile } from '../model/definition.ts';
import { isSafeName } from '../model/names.ts';
import type { Reader } from './loaded.ts';
import type { parseDataFile } from './text/document.ts';
import type { ProblemFacts, ProblemList } from './text/problems.ts';

export const manifestBytesMax = 1024 * 1024;
export const templateBytesMax = 1024 * 1024;
export const schemaBytesMax = 1024 * 1024;
/** A file that lists units: 100,000 of them with a dozen fields each. */
export const unitsFileBytesMax = 64 * 1024 * 1024;
export const declaredFileBytesMax = 256 * 1024 * 1024;

/** What came of reading a file. */
export type SourceFile =
  | { readonly kind: 'text'; readonly text: string; readonly hash: Hash }
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'unusable';
      readonly code: 'file-too-large' | 'file-unreadable' | 'not-utf8';
      readonly facts: ProblemFacts;
      /** Known even for bytes that are no text. */
      readonly hash: Hash | undefined;
    };

/** The workspace's files, each read once per load, so that one load sees one version of each. */
export interface SourceFiles {
  readText(path: string, bytesMax: number): SourceFile;
  /** For files whose bytes only their reader needs. */
  hashOf(
    path: string,
    bytesMax: number,
  ): Exclude<SourceFile, { kind: 'text' }> | { kind: 'hash'; hash: Hash };
  /** Whether a file of this path was asked for. */
  hasRead(path: string): boolean;
}

export function createSources(reader: Reader): SourceFiles {
  const texts = new Map<string, SourceFile>();
  const hashes = new Map<string, ReturnType<SourceFiles['hashOf']>>();
  return {
    readText: (path, bytesMax) => remember(texts, path, () => readText(reader, path, bytesMax)),
    hashOf: (path, bytesMax) =>
      remember(hashes, path, () => {
        const read = readBytes(reader, path, bytesMax);
        return read instanceof Uint8Array ? { kind: 'hash', hash: hashBytes(read) } : read;
      }),
    hasRead: (path) => texts.has(path) || hashes.has(path),
  };
}

/** Reads a file as UTF-8. A byte order mark is dropped; UTF-16 and binary files are not text. */
export function readText(reader: Reader, path: string, bytesMax: number): SourceFile {
  const bytes = readBytes(reader, path, bytesMax);
  if (!(bytes instanceof Uint8Array)) return bytes;
  const hash = hashBytes(bytes);
  const text = textOrProblem(bytes);
  if (text === undefined) return { kind: 'unusable', code: 'not-utf8', facts: { found: path }, hash };
  return { kind: 'text', text, hash };
}

function readBytes(
  reader: Reader,
  path: string,
  bytesMax: number,
): Uint8Array | Exclude<SourceFile, { kind: 'text' }> {
  try {
    const read = reader.read(path, bytesMax);
    if (read === undefined) return { kind: 'missing' };
    if (read !== 'too-large') return read;
    const facts = { found: path, limit: bytesMax };
    return { kind: 'unusable', code: 'file-too-large', facts, hash: undefined };
  } catch (error) {
    const facts = { found: path, cause: errorCode(error) };
    return { kind: 'unusable', code: 'file-unreadable', facts, hash: undefined };
  }
}

/** Undefined: it is no text in UTF-8. */
export function textOrProblem(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 without a mark is valid UTF-8 full of NULs.
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : String(error);
}

function remember<T>(known: Map<string, T>, key: string, make: () => T): T {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = make();
  known.set(key, value);
  return value;
}

/** An artifact that was made, as text. */
export interface ArtifactText {
  readonly path: string;
  readonly text: string;
}

/** What every step of a load looks at. */
export interface LoadContext {
  readonly reader: Reader;
  readonly sources: SourceFiles;
  readonly problems: ProblemList;
  /** Declared files, by name. */
  readonly files: ReadonlyMap<string, DeclaredFile>;
  /** Artifacts of the run, by `PHASE.OUTPUT`: what units of a later stage may be listed in. */
  readonly artifacts: ReadonlyMap<string, ArtifactText>;
  /** Phases whose function was given in code. */
  readonly functions: ReadonlySet<string>;
  /** Reads a JSON or YAML file. Only there for a manifest that names one: the parser takes long to load. */
  readonly parseData: typeof parseDataFile | undefined;
}

/** A reference such as `outline.scenes.first`: a known name, which may itself hold dots, and what follows it. */
export function splitReference(
  text: string,
  isKnown: (name: string) => boolean,
): { readonly name: string; readonly rest: string } | undefined {
  if (isKnown(text)) return { name: text, rest: '' };
  for (let dot = text.lastIndexOf('.'); dot > 0; dot = text.lastIndexOf('.', dot - 1)) {
    const name = text.slice(0, dot);
    if (isKnown(name)) return { name, rest: text.slice(dot + 1) };
  }
  return undefined;
}

/** The shape has settled that it is a name; whether some system would choke on it is asked here. */
export function checkName(context: LoadContext, name: string, at: string): void {
  if (!isSafeName(name)) context.problems.add('reserved-name', at, { found: name }, 'key');
}
