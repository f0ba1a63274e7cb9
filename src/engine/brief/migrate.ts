import { dirname, relative, resolve } from 'node:path';
import { hashBytes } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { replaceTheirFile } from '../../disk/write.ts';
import { migrateSection } from '../../import/brief-v1/migrate.ts';
import type { Failure } from '../../model/failure.ts';
import { rewriteSection } from '../../projections/brief/yaml/remove.ts';
import { sectionKey } from '../../projections/brief/yaml/render.ts';
import { readSection } from '../../projections/brief/yaml/section.ts';
import type { SectionTrouble } from '../../projections/brief/yaml/trouble.ts';
import { keepOriginal } from '../../projections/brief-file/import.ts';
import { diffLines } from '../observe/text-diff.ts';
import { type Environment, shownFrom } from '../open/environment.ts';
import { workspaceAround } from '../open/locate.ts';
import type { MigrateAnswer } from './answers.ts';

export interface MigrateRequest {
  readonly file: string;
  /** Otherwise it is only said what would be written. */
  readonly write?: boolean | undefined;
}

/**
 * Turns a document of version 1 into version 2, in the file that it stands in. Shown first; written only when asked, and
 * after the file is kept as it was.
 */
export async function migrateBrief(
  env: Environment,
  { file, write = false }: MigrateRequest,
): Promise<Result<MigrateAnswer, Failure>> {
  const { disk, cwd } = env;
  const path = resolve(cwd, file);
  const shown = shownFrom(env, path) || file;
  if (disk.stat(path)?.kind !== 'file')
    return fail({ reason: 'document-unreadable', path: shown, problem: 'not-a-file' });
  const bytes = disk.read(path, fileBytesMax);
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const section = readSection(before, sectionKey);
  if (!section.ok) return fail(unreadable(shown, section.failure));
  if (section.value === undefined)
    return fail({ reason: 'document-unreadable', path: shown, problem: 'no-section' });
  const {
    from,
    section: migrated,
    changes,
    contradictions,
    warnings,
    kept,
    problems,
  } = migrateSection(section.value);
  const gone = Object.keys(section.value).filter((key) => !Object.hasOwn(migrated, key));
  const after = rewriteSection(before, sectionKey, migrated, gone);
  if (!after.ok) return fail(unreadable(shown, after.failure));
  const isChanged = after.value !== before;
  let backup: string | undefined;
  if (write && isChanged) {
    const root = workspaceAround(disk, dirname(path));
    const place = await keepOriginal(disk, root, relative(root, path), bytes ?? new Uint8Array());
    if (typeof place !== 'string') throw place;
    backup = shownFrom(env, `${root}/${place}`);
    replaceTheirFile(disk, path, new TextEncoder().encode(after.value), dirname(path));
  }
  const side = (text: string) => ({ path: shown, hash: hashBytes(text) });
  return ok({
    path: shown,
    from,
    changes,
    contradictions,
    warnings,
    kept,
    problems,
    diff: isChanged
      ? {
          title: shown,
          before: side(before),
          after: side(after.value),
          lines: diffLines(before, after.value),
        }
      : undefined,
    isWritten: backup !== undefined,
    ...(backup !== undefined && { backup }),
  });
}

const fileBytesMax = 1024 * 1024;

function unreadable(path: string, { reason, facts }: SectionTrouble): Failure {
  return { reason: 'document-unreadable', path, problem: reason, ...facts };
}
