import { folderOf } from '../paths.ts';

/** Modules whose imports are followed. */
const moduleEnding = /\.(?:[cm]?[jt]s|[jt]sx)$/;

export function isModulePath(path: string): boolean {
  return moduleEnding.test(path);
}

/** Paths of the workspace that a relative specifier may mean, the likeliest first; none: it leads out of the workspace. */
export function importedPaths(importer: string, specifier: string): string[] {
  const path = joinPaths(folderOf(importer), specifier);
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
