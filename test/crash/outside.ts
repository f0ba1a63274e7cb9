import { basename, dirname } from 'node:path';
import { isTempName } from '../../src/disk/write.ts';
import type { DiskCall } from '../memory/memory-disk.ts';
import { declaredPaths, ledgerPaths, root, stateFolder } from './book.ts';
import { Violation } from './scenario.ts';

/** Nothing is written but the run, the store, the heads and what the pipeline declares. */
export function demandInside({ operation, path }: DiskCall): void {
  if (ownFolders.some((folder) => path === folder || path.startsWith(`${folder}/`))) return;
  if (ownPaths.has(path)) return;
  const isFolderCall = operation === 'makeFolder' || operation === 'syncFolder';
  if (isFolderCall && foldersAbove.has(path)) return;
  if (isTempName(basename(path)) && foldersAbove.has(dirname(path))) return;
  throw new Violation(`${operation} outside of the run, the store and the declared outputs: ${path}`);
}

const ownFolders = [`${root}/.pawl`, stateFolder];
const ownPaths = new Set([...declaredPaths, ...ledgerPaths].map((path) => `${root}/${path}`));
const foldersAbove = new Set([...ownFolders, ...ownPaths].flatMap(allAbove));

function allAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...allAbove(above)];
}
