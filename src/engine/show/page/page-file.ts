import { dirname, resolve } from 'node:path';
import { fail, ok, type Result } from '../../../base/result.ts';
import { replaceFileNow } from '../../../disk/write.ts';
import { type Environment, shownFrom } from '../../open/environment.ts';
import type { RunHeading } from '../../open/find-run.ts';
import type { ReportPage } from './page.ts';

export interface PageFile {
  readonly html: string;
  /** What stands near the beginning of every page of ours. */
  readonly mark: string;
  /** A file, or a folder to put it in; undefined: the run's own. */
  readonly out: string | undefined;
}

/**
 * Puts a page where it belongs, whole or not at all, and says where that is. Only a page of ours is ever overwritten: a
 * slip in a name must not cost somebody a file.
 */
export function writePage(
  env: Environment,
  { root, folder }: Pick<ReportPage, 'root' | 'folder'>,
  { html, mark, out }: PageFile,
): Result<{ readonly path: string; readonly bytes: number }, { readonly path: string }> {
  const named = out === undefined ? `${root}/${folder}` : resolve(env.cwd, out);
  const isFolder = out === undefined || env.disk.stat(named)?.kind === 'folder';
  const file = isFolder ? `${named}/${fileName}` : named;
  const path = shownFrom(env, file);
  if (!mayReplace(env, file, mark)) return fail({ path });
  const bytes = new TextEncoder().encode(html);
  const access = out === undefined ? 'private' : 'shared';
  if (env.disk.stat(dirname(file)) === undefined) env.disk.makeFolder(dirname(file), access);
  replaceFileNow(env.disk, file, bytes, undefined, access);
  return ok({ path, bytes: bytes.length });
}

const fileName = 'report.html';
const headBytesMax = 1024;

function mayReplace({ disk }: Environment, file: string, mark: string): boolean {
  const stat = disk.stat(file);
  if (stat === undefined) return true;
  const head = stat.kind === 'file' ? disk.readRange(file, 0, headBytesMax) : undefined;
  return head !== undefined && new TextDecoder().decode(head).includes(mark);
}

/** A page was made of a run, for people to look at. */
export interface ReportAnswer {
  readonly heading: RunHeading;
  /** As it can be typed from where the command was given. */
  readonly path: string;
  readonly bytes: number;
  readonly units: { readonly shown: number; readonly leftOut: number };
  readonly pictures: { readonly shown: number; readonly leftOut: number };
}
