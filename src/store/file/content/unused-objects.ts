import { join } from 'node:path';
import type { Hash } from '../../../base/hash.ts';
import type { Disk } from '../../../disk/disk.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { isTempName } from '../../../disk/write.ts';
import type { ContentSurvey, UnusedContent } from '../../content.ts';
import { listEntries, parseIndexFile } from './pack-index.ts';
import { type PackEntry, scanPack } from './pack-record.ts';
import { indexPath } from './pack-writer.ts';

/**
 * Looks at every file of a store; changes nothing. A file that cannot be read or that the store did not make counts as
 * needed. Only sound while no process puts anything, because an object that is found in place is not written again and stays as old.
 */
export function surveyContent(
  disk: Disk,
  folder: string,
  isNamed: (hash: Hash) => boolean,
  bornBeforeMs: number,
): ContentSurvey {
  const survey: Draft = {
    unused: [],
    partly: { packs: 0, objects: 0, bytes: 0 },
    young: { files: 0, bytes: 0 },
    bornBeforeMs,
  };
  for (const name of disk.list(folder) ?? []) {
    const path = join(folder, name);
    if (isTempName(name)) note(survey, disk, path, 'leftover');
    else if (name === 'packs') surveyPacks(survey, disk, path, isNamed);
    else if (shardName.test(name)) surveyShard(survey, disk, path, name, isNamed);
  }
  const { unused, partly, young } = survey;
  return { unused, partly, young };
}

const shardName = /^[0-9a-f]{2}$/;
const objectName = /^[0-9a-f]{62}$/;
const packName = /^[a-z0-9]{1,64}\.pack$/;
const indexName = /^[a-z0-9]{1,64}\.idx$/;
const indexBytesMax = 64 * 1024 * 1024;

interface Draft extends ContentSurvey {
  readonly unused: UnusedContent[];
  readonly partly: { packs: number; objects: number; bytes: number };
  readonly young: { files: number; bytes: number };
  readonly bornBeforeMs: number;
}

function surveyShard(
  survey: Draft,
  disk: Disk,
  folder: string,
  shard: string,
  isNamed: (hash: Hash) => boolean,
): void {
  if (disk.stat(folder)?.kind !== 'folder') return;
  for (const name of disk.list(folder) ?? []) {
    if (objectName.test(name) && !isNamed(`sha256:${shard}${name}`))
      note(survey, disk, join(folder, name), 'object');
  }
}

function surveyPacks(survey: Draft, disk: Disk, folder: string, isNamed: (hash: Hash) => boolean): void {
  if (disk.stat(folder)?.kind !== 'folder') return;
  const names = disk.list(folder) ?? [];
  const packs = new Set(names.filter((name) => packName.test(name)));
  for (const name of names) {
    const path = join(folder, name);
    if (packs.has(name)) surveyPack(survey, disk, path, isNamed);
    else if (isTempName(name)) note(survey, disk, path, 'leftover');
    // What a crash between the removal of a pack and that of its index leaves.
    else if (indexName.test(name) && !packs.has(name.replace(/\.idx$/, '.pack')))
      note(survey, disk, path, 'leftover');
  }
}

function surveyPack(survey: Draft, disk: Disk, path: string, isNamed: (hash: Hash) => boolean): void {
  const stat = disk.stat(path);
  const entries = stat?.kind === 'file' ? entriesIn(disk, path, stat.size) : undefined;
  if (entries === undefined) return;
  const unnamed = entries.filter(({ hash }) => !isNamed(hash));
  if (unnamed.length === entries.length) {
    if (note(survey, disk, path, 'pack')) note(survey, disk, indexPath(path), 'leftover');
  } else if (unnamed.length > 0) {
    survey.partly.packs += 1;
    survey.partly.objects += unnamed.length;
    survey.partly.bytes += unnamed.reduce((sum, { size }) => sum + size, 0);
  }
}

/** Undefined: what is in it cannot be read. */
function entriesIn(disk: Disk, path: string, packBytes: number): PackEntry[] | undefined {
  try {
    const bytes = disk.read(indexPath(path), indexBytesMax);
    const file = bytes && parseIndexFile(bytes);
    if (file === undefined || file.packLength > packBytes) return scanPack(disk, path, 0).entries;
    return [...listEntries(file.index), ...scanPack(disk, path, file.packLength).entries];
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** False: it stays, for it is too young, or no file. */
function note(survey: Draft, disk: Disk, path: string, kind: UnusedContent['kind']): boolean {
  const stat = disk.stat(path);
  if (stat?.kind !== 'file') return false;
  if (stat.mtimeMs < survey.bornBeforeMs) {
    survey.unused.push({ path, bytes: stat.size, kind });
    return true;
  }
  survey.young.files += 1;
  survey.young.bytes += stat.size;
  return false;
}
