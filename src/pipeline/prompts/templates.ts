import type { PromptSpec } from '../../model/definition.ts';
import type { ProblemCode } from '../../model/failure.ts';
import { type LoadContext, templateBytesMax } from '../context.ts';
import type { CurrentFile } from '../loaded.ts';
import { checkPath } from '../paths.ts';
import { type ProblemFacts, placeAtOffset } from '../text/problems.ts';
import { findCycles } from '../units/graph.ts';
import { errorOffset, errorText, type Include, resolveInclude, TemplateSet } from './liquid.ts';

/** The prompt of a phase, and where the manifest says each of its templates. */
export interface PhasePrompt {
  readonly phase: string;
  /** Paths by role. */
  readonly templates: PromptSpec & Readonly<Record<string, string | undefined>>;
  at(role: string): string;
}

export interface ReadTemplates {
  /** Text of every template that could be read, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** By phase: its templates and everything they include, by role. */
  readonly byPhase: ReadonlyMap<string, ReadonlyMap<string, CurrentFile>>;
}

/** Reads the templates of all prompts and what they include, each once however many phases use it. */
export function readTemplates(context: LoadContext, prompts: readonly PhasePrompt[]): ReadTemplates {
  const texts = new Map<string, string>();
  const engine = new TemplateSet((path) => texts.get(path));
  const work: TemplateWork = { context, texts, engine, files: new Map() };
  const byPhase = new Map<string, Map<string, CurrentFile>>();
  for (const { phase, templates, at } of prompts) {
    const roles = new Map<string, CurrentFile>();
    byPhase.set(phase, roles);
    for (const [role, path] of Object.entries(templates)) {
      if (path === undefined) continue;
      const read = readTemplate(work, path, at(role));
      // An override that is not there overrides nothing.
      if (role === 'override' && read.isMissing) continue;
      // No valid result depends on the prompt that repairs an unusable answer.
      if (role === 'repair') {
        if (read.isMissing) context.problems.add('template-missing', at(role), { found: path });
        continue;
      }
      roles.set(role, { path, hash: read.hash });
      for (const { path, hash } of reachable(work, read)) roles.set(`include:${path}`, { path, hash });
    }
  }
  checkCircles(work);
  return { texts, byPhase };
}

interface TemplateWork {
  readonly context: LoadContext;
  readonly texts: Map<string, string>;
  readonly files: Map<string, TemplateFile>;
  readonly engine: TemplateSet;
}

interface TemplateFile extends CurrentFile {
  /** Where the manifest led to it first. */
  readonly at: string;
  readonly isMissing: boolean;
  readonly includes: readonly { readonly path: string; readonly offset: number }[];
}

function readTemplate(work: TemplateWork, path: string, at: string): TemplateFile {
  const known = work.files.get(path);
  if (known !== undefined) return known;
  const { problems, sources } = work.context;
  const source = sources.readText(path, templateBytesMax);
  const file = { path, at, isMissing: source.kind === 'missing', includes: [] };
  if (source.kind === 'text') {
    work.texts.set(path, source.text);
    const includes = listIncludes(work, path, source.text, at);
    return remember(work, { ...file, hash: source.hash, includes });
  }
  if (source.kind === 'missing') return remember(work, { ...file, hash: undefined });
  const code = source.code === 'file-too-large' ? 'template-too-large' : source.code;
  problems.add(code, at, source.facts);
  return remember(work, { ...file, hash: source.hash });
}

function remember(work: TemplateWork, file: TemplateFile): TemplateFile {
  work.files.set(file.path, file);
  return file;
}

/** Everything that a template takes in, directly and through others; each is read when it is reached. */
function reachable(work: TemplateWork, from: TemplateFile): TemplateFile[] {
  const found = new Map<string, TemplateFile>();
  const queue = [from];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const { path } of file.includes) {
      if (path === from.path || found.has(path)) continue;
      const included = readTemplate(work, path, from.at);
      found.set(path, included);
      queue.push(included);
    }
  }
  return [...found.values()];
}

function listIncludes(work: TemplateWork, path: string, text: string, at: string): TemplateFile['includes'] {
  const { problems } = work.context;
  let includes: readonly Include[];
  try {
    includes = work.engine.includes(path);
  } catch (error) {
    const place = placeAtOffset(path, text, errorOffset(error));
    problems.addAt(place, 'template-syntax', at, { detail: errorText(error) });
    return [];
  }
  return includes.flatMap((include) => {
    const found = findInclude(work.context, include.name, path);
    if (typeof found === 'string') return [{ path: found, offset: include.offset }];
    problems.addAt(placeAtOffset(path, text, include.offset), found.code, at, found.facts);
    return [];
  });
}

function findInclude(
  { sources, reader }: LoadContext,
  name: string | undefined,
  including: string,
): string | { readonly code: ProblemCode; readonly facts: ProblemFacts } {
  if (name === undefined) return { code: 'template-syntax', facts: { cause: 'include-not-literal' } };
  const wrong = checkPath(name);
  if (wrong !== undefined) return wrong;
  const isThere = (path: string) => sources.readText(path, templateBytesMax).kind !== 'missing';
  const found = resolveInclude(name, including, isThere);
  return reader.escapes(found) ? { code: 'path-through-link', facts: { found } } : found;
}

function checkCircles(work: TemplateWork): void {
  const { files, texts } = work;
  const graph = new Map(
    [...files].map(([path, file]) => [path, file.includes.map((include) => include.path)]),
  );
  for (const cycle of findCycles(graph)) {
    const [path = '', next = ''] = cycle;
    const file = files.get(path);
    const include = file?.includes.find((candidate) => candidate.path === next);
    const place = placeAtOffset(path, texts.get(path) ?? '', include?.offset ?? 0);
    work.context.problems.addAt(place, 'template-includes-itself', file?.at ?? '', { cycle });
  }
}
