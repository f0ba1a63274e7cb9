import { dirname, relative } from 'node:path';
import { globMatcher } from '../../../base/glob.ts';
import type { Disk } from '../../../disk/disk.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { keptFolder } from '../../../model/run-folder.ts';
import { type DoctorFinding, good, warning } from './finding.ts';
import type { Site } from './ground.ts';

/** Whether git leaves alone what Pawl keeps; read from git's own files, for looking starts no program. */
export function checkGitIgnore({ env, machine, root }: Site): DoctorFinding[] {
  const top = repositoryOf(env.disk, root);
  if (top === undefined) return [];
  const path = relative(top, `${root}/${keptFolder}`);
  const facts = { path: `${keptFolder}/`, file: '.gitignore' };
  // Whatever makes the folder puts a list in it first.
  if (env.disk.stat(`${root}/${keptFolder}`) === undefined) return [good('git-ignore', facts)];
  const lists = ignoreLists(env.disk, top, path, userList(machine.variables));
  return [isIgnored(lists, path) ? good('git-ignore', facts) : warning('git-ignore', facts)];
}

/** What one file of patterns says, and the folder that they are for, relative to the repository. */
export interface IgnoreList {
  readonly folder: string;
  readonly text: string;
}

/**
 * Whether a folder is left out, by lists of which later ones go before earlier ones: `gitignore(5)`. What lies in a
 * folder that is left out is, too; so it is enough when all of its content is.
 */
export function isIgnored(lists: readonly IgnoreList[], path: string): boolean {
  const rules = lists.flatMap(rulesIn);
  const parts = path.split('/');
  const folders = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  return [...folders, `${path}/x`].some((one) => {
    const last = rules.findLast(({ matches }) => matches(one));
    return last !== undefined && !last.isNegated;
  });
}

interface Rule {
  readonly isNegated: boolean;
  matches(path: string): boolean;
}

function rulesIn({ folder, text }: IgnoreList): Rule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const written = line.replace(/^\uFEFF/, '').trimEnd();
    if (written === '' || written.startsWith('#')) return [];
    const isNegated = written.startsWith('!');
    const pattern = (isNegated ? written.slice(1) : written).replace(/\/$/, '');
    // With a slash in it, a pattern is for this folder; without one, for every folder below.
    const isAnchored = pattern.includes('/');
    const glob = globMatcher(isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`);
    const prefix = folder === '' ? '' : `${folder}/`;
    return [
      {
        isNegated,
        matches: (path: string) => path.startsWith(prefix) && glob(path.slice(prefix.length)),
      },
    ];
  });
}

function repositoryOf(disk: Disk, root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (disk.stat(`${folder}/.git`) !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Where git looks for patterns that are for all repositories of a user, when nothing else is said. */
function userList({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string | undefined {
  const base = XDG_CONFIG_HOME || (HOME && `${HOME}/.config`);
  return base ? `${base}/git/ignore` : undefined;
}

function ignoreLists(disk: Disk, top: string, path: string, user: string | undefined): IgnoreList[] {
  const parts = path.split('/');
  const own = ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))];
  const files = [
    ...(user === undefined ? [] : [{ folder: '', file: user }]),
    { folder: '', file: `${top}/.git/info/exclude` },
    ...own.map((folder) => ({ folder, file: `${top}/${folder === '' ? '' : `${folder}/`}.gitignore` })),
  ];
  return files.flatMap(({ folder, file }) => {
    const text = readText(disk, file);
    return text === undefined ? [] : [{ folder, text }];
  });
}

const listBytesMax = 1024 * 1024;

function readText(disk: Disk, path: string): string | undefined {
  try {
    const bytes = disk.read(path, listBytesMax);
    return bytes && new TextDecoder().decode(bytes);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
