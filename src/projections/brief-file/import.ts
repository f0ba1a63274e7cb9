import { hashBytes } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { makeFolderDurable, replaceFile } from '../../disk/write.ts';
import type { BriefImported, EventBody } from '../../model/event.ts';
import type { Notice } from '../../model/reason.ts';
import { sectionNames } from '../brief/document.ts';
import { hasWanted } from '../brief/yaml/wanted.ts';
import type { BriefState } from './state-file.ts';

export type ImportNotice = Extract<Notice, { readonly code: 'brief-imported' }>;

/** Keeps a file of others as it was, durably. Gives its place, relative to the workspace: outside of what gc removes. */
export async function keepOriginal(
  disk: Disk,
  root: string,
  path: string,
  bytes: Uint8Array,
): Promise<string | DiskError> {
  try {
    return await keepBytes(disk, root, path, bytes);
  } catch (error) {
    if (error instanceof DiskError) return error;
    throw error;
  }
}

async function keepBytes(disk: Disk, root: string, path: string, bytes: Uint8Array): Promise<string> {
  const folder = `${root}/${backupsFolder}`;
  const name = `${hashBytes(bytes).slice('sha256:'.length).slice(0, hashLength)}-${path.replaceAll('/', '__')}`;
  await makeFolderDurable(disk, folder);
  // The name is made from the bytes, so a copy that is there and whole is this one.
  const there = disk.stat(`${folder}/${name}`);
  if (there?.kind !== 'file' || there.size !== bytes.length)
    await replaceFile(disk, `${folder}/${name}`, bytes, { durable: true });
  return `${backupsFolder}/${name}`;
}

const backupsFolder = '.pawl/backups';
const hashLength = 12;

/** Whether a section says only what was written last, at another place. */
export function isCopyOf(section: JsonObject, { brief }: BriefState): boolean {
  const own = Object.fromEntries(sectionNames.map((name) => [name, section[name] ?? null]));
  return hasWanted(own, brief as unknown as JsonObject);
}

/** What was taken over: the parts that people wrote, by the events that they became, and the history. */
export function importNotice(
  { path, backup, history }: BriefImported,
  said: readonly EventBody[],
): ImportNotice {
  const authored = new Set<string>();
  for (const event of said) {
    if (event.type === 'brief_authored') {
      if (event.nextStep !== undefined) authored.add('next_step');
      if (event.files !== undefined) authored.add('files_to_read');
      if (event.patterns !== undefined) authored.add('recurring_patterns');
    }
    if (event.type === 'decision_recorded') authored.add('decision_log');
    if (event.type === 'summary_recorded') authored.add('agent_summaries');
  }
  return { code: 'brief-imported', path, authored: [...authored], history: Object.keys(history), backup };
}
