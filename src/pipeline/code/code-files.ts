import { globMatcher } from '../../base/glob.ts';
import type { Hash } from '../../base/hash.ts';
import { byCodeUnit } from '../../base/json.ts';
import type { Phase, Pipeline } from '../../model/definition.ts';
import { moduleOf, runsProgram } from '../../model/executor.ts';
import { declaredFileBytesMax, type LoadContext, readText } from '../context.ts';
import { parentFolder } from '../paths.ts';
import { fillPattern, hasFields, parsePattern, unitField } from '../pattern.ts';
import { declaredProjections } from '../projections.ts';
import { importedPaths, isModulePath, joinPaths } from './imports.ts';
import { commandWords } from './program-text.ts';

/** Of one phase. What is imported last and deepest is left out. */
const filesMax = 1000;
/** A larger file is a program that was built, or data: to read it at each command would take too long. */
const fileBytesMax = 4 * 1024 * 1024;
/** A larger module is a bundle, which has in it what it imports. */
const followedBytesMax = 512 * 1024;

/** The code of a phase: the hash of each file, by its path; undefined: there is no such file. */
export type CodeFiles = ReadonlyMap<string, Hash | undefined>;

/** What the code of every phase is looked for in. */
export interface CodeGround {
  readonly context: LoadContext;
  readonly pipeline: Pipeline;
  /** The manifest's path. */
  readonly manifest: string;
  /** By path: phases share files, and each is read once. */
  readonly read: Map<string, Promise<CodeFile | undefined>>;
}

interface CodeFile {
  readonly hash: Hash;
  readonly isText: boolean;
  /** Relative specifiers. */
  readonly imports: readonly string[];
}

/** Something that names a file: the first path that leads to one counts. */
interface Mention {
  readonly paths: readonly string[];
  /** The path that is missing where none of them leads to a file; undefined: then no file is meant. */
  readonly missing: string | undefined;
  /** A word of a command, which may name data as well. */
  readonly isWord: boolean;
}

/** The code of a phase; undefined: it is not tracked, or it is in no file. */
export async function findCode(ground: CodeGround, phase: Phase): Promise<CodeFiles | undefined> {
  const { onChange, files } = phase.code;
  if (onChange === 'ignore') return undefined;
  const module = moduleOf(phase);
  const words = runsProgram(phase) ? commandWords(phase.executor.argv) : undefined;
  if (module === undefined && words === undefined && files.length === 0) return undefined;
  const waiting: Mention[] = (words ?? []).map(({ path, isScript }) => ({
    paths: [path],
    missing: isScript && !path.startsWith('/') ? joinPaths('', path) : undefined,
    isWord: !isScript,
  }));
  if (module !== undefined) waiting.push({ paths: [module], missing: module, isWord: false });
  const found = new Map<string, Hash | undefined>();
  for (const path of files) found.set(path, hashOf(ground, path));
  await follow(ground, waiting, found);
  return new Map([...found].sort(([a], [b]) => byCodeUnit(a, b)));
}

/** Adds the files that are mentioned, and all that they import, nearest first. */
async function follow(
  ground: CodeGround,
  waiting: Mention[],
  found: Map<string, Hash | undefined>,
): Promise<void> {
  const followed = new Set<string>();
  for (const mention of waiting) {
    const path = placeOf(ground, mention);
    if (path === undefined || followed.has(path)) continue;
    followed.add(path);
    if (!found.has(path) && found.size >= filesMax) continue;
    const file = await readOnce(ground, path);
    if (file === undefined && path !== mention.missing) continue;
    if (mention.isWord && file?.isText === false) continue;
    found.set(path, file?.hash);
    for (const specifier of file?.imports ?? []) waiting.push(importOf(path, specifier));
  }
}

function importOf(importer: string, specifier: string): Mention {
  const paths = importedPaths(importer, specifier);
  const missing = paths.length === 0 ? undefined : joinPaths(parentFolder(importer), specifier);
  return { paths, missing, isWord: false };
}

/** Where the file lies that is meant, or would lie; undefined: outside of the workspace, or it is no code. */
function placeOf({ context, pipeline, manifest }: CodeGround, mention: Mention): string | undefined {
  for (const path of mention.paths) {
    const target = context.reader.follow(path);
    if (target === 'none') continue;
    if (target === 'outside' || isInstalled(target.file)) return undefined;
    if (mention.isWord && isOther(target.file)) return undefined;
    return target.file;
  }
  return mention.missing === undefined || isInstalled(mention.missing) ? undefined : mention.missing;

  function isOther(path: string): boolean {
    return isNamedOtherwise(context, pipeline, manifest, path);
  }
}

/** Packages and what tools keep for themselves are not the pipeline's code. */
function isInstalled(path: string): boolean {
  return path.split('/').some((name) => name === 'node_modules' || name === '.pawl' || name === '.git');
}

function readOnce({ context, read }: CodeGround, path: string): Promise<CodeFile | undefined> {
  let reading = read.get(path);
  if (reading === undefined) {
    reading = readCode(context, path);
    read.set(path, reading);
  }
  return reading;
}

async function readCode({ reader }: LoadContext, path: string): Promise<CodeFile | undefined> {
  const source = readText(reader, path, fileBytesMax);
  if (source.kind === 'missing' || source.hash === undefined) return undefined;
  if (source.kind === 'unusable') return { hash: source.hash, isText: false, imports: [] };
  const { text, hash } = source;
  const isFollowed = isModulePath(path) && text.length <= followedBytesMax && mayImport.test(text);
  if (!isFollowed) return { hash, isText: true, imports: [] };
  // Most scripts import nothing beside them: only the others pay for the lexer.
  const { relativeSpecifiers } = await import('./imports.ts');
  return { hash, isText: true, imports: relativeSpecifiers(text, { jsx: /x$/.test(path) }) };
}

const mayImport = /['"`]\.\.?[/'"`?#]/;

function hashOf({ context }: CodeGround, path: string): Hash | undefined {
  const read = context.sources.hashOf(path, declaredFileBytesMax);
  return read.kind === 'missing' ? undefined : read.hash;
}

/**
 * Whether the pipeline names a file as something else than code: it reads it, and compares it as what it is, or it
 * writes it. `manifest`: the path of the manifest.
 */
function isNamedOtherwise(
  { files, sources }: Pick<LoadContext, 'files' | 'sources'>,
  pipeline: Pipeline,
  manifest: string,
  path: string,
): boolean {
  const phases = pipeline.stages.flatMap((stage) => stage.phases);
  if (phases.some(({ code }) => code.files.includes(path))) return false;
  if (path === manifest || sources.hasRead(path)) return true;
  if ([...files.values()].some((file) => file.path === path)) return true;
  const { state, layout, stages } = pipeline;
  if (state?.initial === path) return true;
  const units = stages.flatMap((stage) => stage.units);
  const written = [
    ...phases.flatMap(({ outputs }) => outputs.map((output) => output.path)),
    ...declaredProjections(layout, state).map((file) => (file.scope === 'run' ? file.path : file.pattern)),
  ];
  return written.some((pattern) => isMadeFrom(pattern, units, path));
}

/** Whether a pattern gives this path for one of the units. A field that only a run fills in may hold anything. */
function isMadeFrom(text: string, units: Pipeline['stages'][number]['units'], path: string): boolean {
  const parsed = parsePattern(text);
  if (!('pattern' in parsed)) return false;
  const { pattern } = parsed;
  if (!hasFields(pattern) && !text.includes('{')) return text === path;
  const glob = pattern.map((part) => (typeof part === 'string' ? part : '*')).join('');
  if (!globMatcher(glob)(path)) return false;
  if (text.includes('{attempt}')) return true;
  return units.some((unit) => {
    const filled = fillPattern(pattern, (field) => unitField(unit, field, 1));
    return typeof filled !== 'string' || filled === path;
  });
}
