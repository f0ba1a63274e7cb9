import jsTokens from 'js-tokens';
import { parentFolder } from '../paths.ts';

/**
 * The relative specifiers that a module of JavaScript or TypeScript names as a literal: of `import`, `export … from`,
 * `import()` and `require()`. Each once, in the order of the text. The text is never run, and need not be valid.
 */
export function relativeSpecifiers(text: string, options: { readonly jsx: boolean }): string[] {
  const found = new Set<string>();
  /** The tokens before, the nearest first. */
  let before: readonly string[] = [];
  /** The argument of a call, until the next token shows that nothing is added to it. */
  let argument: string | undefined;
  for (const { type, value } of jsTokens(upToLastQuoted(text), options)) {
    if (type === 'WhiteSpace' || type === 'LineTerminatorSequence' || type.endsWith('Comment')) continue;
    if (argument !== undefined && (value === ')' || value === ',')) found.add(argument);
    argument = undefined;
    if (type === 'StringLiteral' || type === 'NoSubstitutionTemplate') {
      const specifier = relativeIn(value);
      const place = placeAfter(before);
      if (place === 'clause' && specifier !== undefined) found.add(specifier);
      if (place === 'argument') argument = specifier;
    }
    before = [value, ...before.slice(0, 2)];
  }
  return [...found];
}

/** Of a string: the end of a clause such as `import x from`, or the first argument of `import` or `require`. */
function placeAfter([last = '', second = '', third = '']: readonly string[]):
  | 'clause'
  | 'argument'
  | undefined {
  // A member of that name is something else.
  if ((last === 'from' || last === 'import') && second !== '.') return 'clause';
  const isCall = last === '(' && (second === 'import' || second === 'require') && third !== '.';
  return isCall ? 'argument' : undefined;
}

/** Undefined: it names no file beside the module. What follows `?` or `#` belongs to the loader. */
function relativeIn(literal: string): string | undefined {
  const [path = ''] = literal.slice(1, -1).split(/[?#]/);
  return /^\.\.?(?:\/|$)/.test(path) && !path.includes('\\') ? path : undefined;
}

/** What may be a relative specifier, where it is in no comment and in no other text. */
const quoted = /(['"`])\.\.?(?:\/[^'"`\n]*|[?#][^'"`\n]*)?\1/g;

/** Imports stand at the top of most modules, so the text behind the last one is not read. */
function upToLastQuoted(text: string): string {
  let end = 0;
  for (const match of text.matchAll(quoted)) end = match.index + match[0].length;
  return end === 0 ? '' : text.slice(0, end + roomForNextToken);
}

/** The token behind an argument decides whether it is the whole argument. */
const roomForNextToken = 200;

/** Modules whose imports are followed. */
const moduleEnding = /\.(?:[cm]?[jt]s|[jt]sx)$/;

export function isModulePath(path: string): boolean {
  return moduleEnding.test(path);
}

/** Paths of the workspace that a relative specifier may mean, the likeliest first; none: it leads out of the workspace. */
export function importedPaths(importer: string, specifier: string): string[] {
  const path = joinPaths(parentFolder(importer), specifier);
  if (path === undefined) return [];
  const endings = typescript.test(importer) ? [...endingsOfTypescript, ...endingsOfScript] : allEndings;
  const isFolder = /(?:^|\/)\.{0,2}$/.test(specifier);
  const ofFolder = endings.map((ending) => `${path === '' ? '' : `${path}/`}index${ending}`);
  if (isFolder || path === '') return ofFolder;
  return [...asWritten(importer, path), ...endings.map((ending) => `${path}${ending}`), ...ofFolder];
}

/** One spelling of a path below a folder of the workspace; undefined: it leads out. */
export function joinPaths(folder: string, path: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

const typescript = /\.(?:[cm]?ts|tsx)$/;
const endingsOfTypescript = ['.ts', '.tsx', '.mts', '.cts'];
const endingsOfScript = ['.js', '.mjs', '.cjs', '.json', '.jsx'];
const allEndings = [...endingsOfScript, ...endingsOfTypescript];

/** TypeScript names a module by the file that it is compiled to, which often is not there. */
function asWritten(importer: string, path: string): string[] {
  const [, stem, kind = ''] = /^(.*)\.([cm]?)jsx?$/.exec(path) ?? [];
  if (stem === undefined || !typescript.test(importer)) return [path];
  return [`${stem}.${kind}ts`, ...(kind === '' ? [`${stem}.tsx`] : []), path];
}
