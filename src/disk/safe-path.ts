import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fail, ok, type Result } from '../base/result.ts';
import { type Disk, DiskError } from './disk.ts';

/** Why a path may not be written to. */
export type PathFailureReason =
  /** It does not start at the workspace. */
  | 'path-absolute'
  /** It leads out of the workspace, or is the workspace itself. */
  | 'path-outside'
  /** It leads into a folder of Git or of the engine. */
  | 'path-reserved'
  | 'path-control-character'
  /** A symbolic link on the way leads out of the workspace, into a reserved folder or nowhere. */
  | 'path-through-link';

export interface PathFailure {
  readonly reason: PathFailureReason;
  readonly path: string;
}

/**
 * Answers whether a declared path lies inside the root: by its letters, then by where its folder really is.
 * Gives the absolute path. A checker remembers folders that it found good, so make one per invocation. The
 * last part of the path may be a link: a promotion replaces it and does not follow it.
 */
export function createInsideCheck(disk: Disk, root: string): (path: string) => Result<string, PathFailure> {
  const realRoot = disk.realpath(root);
  if (realRoot === undefined) throw new DiskError('ENOENT', 'realpath', root);
  const goodFolders = new Set<string>([resolve(root)]);
  /** The same as they were written, and where they are: most outputs lie in a folder with many others. */
  const asWritten = new Map<string, string>();

  return function checkInside(path) {
    const cut = path.lastIndexOf('/');
    const known =
      cut > 0 && plainName.test(path.slice(cut + 1)) ? asWritten.get(path.slice(0, cut)) : undefined;
    if (known !== undefined) return ok(`${known}${path.slice(cut)}`);
    const reason = lexicalProblem(path);
    if (reason !== undefined) return fail({ reason, path });
    const target = resolve(root, path);
    const folder = dirname(target);
    if (goodFolders.has(folder)) {
      if (cut > 0) asWritten.set(path.slice(0, cut), folder);
      return ok(target);
    }
    const real = realOfLongestExisting(disk, folder);
    if (real === undefined || !isGoodInside(realRoot, real.path)) {
      return fail({ reason: 'path-through-link', path });
    }
    // A folder that is not there yet could still be made as a link to anywhere.
    if (real.whole) goodFolders.add(folder);
    return ok(target);
  };
}

/** Nothing in it that could lead anywhere, on any system. */
const plainName = /^[a-z0-9][a-z0-9._-]*[a-z0-9]$/i;

function lexicalProblem(path: string): PathFailureReason | undefined {
  if (hasControlCharacter(path)) return 'path-control-character';
  // A backslash and a drive letter mean something on one system only, and there they lead outside.
  if (isAbsolute(path) || /^(?:[a-z]:|\\)/i.test(path)) return 'path-absolute';
  const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..')) return 'path-outside';
  return parts.some(isReserved) ? 'path-reserved' : undefined;
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return true;
  }
  return false;
}

/** Some file systems ignore case, and dots and spaces at the end of a name. */
function isReserved(part: string): boolean {
  return reservedNames.has(part.toLowerCase().replace(/[. ]+$/, ''));
}

const reservedNames = new Set(['.git', '.pawl']);

function realOfLongestExisting(disk: Disk, folder: string): { path: string; whole: boolean } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const real = disk.realpath(at);
    if (real !== undefined) return { path: real, whole: at === folder };
    // A link that leads nowhere today may lead somewhere tomorrow.
    if (disk.stat(at) !== undefined) return undefined;
  }
}

function isGoodInside(realRoot: string, real: string): boolean {
  const inside = relative(realRoot, real);
  if (inside === '') return true;
  const parts = inside.split(sep);
  return parts[0] !== '..' && !isAbsolute(inside) && !parts.some(isReserved);
}
