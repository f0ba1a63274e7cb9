import type { Unit } from '../model/definition.ts';

/** What is asked of a unit to tell what it may be worked on beside. */
export type Toucher = Pick<Unit, 'id' | 'touches' | 'beside'>;

/** Units with a live claim that touch what this one touches. */
export function conflictsOf(unit: Toucher, claimed: readonly Toucher[]): string[] {
  if (unit.touches === undefined) return [];
  return claimed.filter((other) => other.id !== unit.id && doConflict(unit, other)).map(({ id }) => id);
}

/** Answers which of many units conflict with one: the same as `conflictsOf`, without comparing it with each of them. */
export function conflictIndex(units: readonly Toucher[]): (unit: Toucher) => string[] {
  const at = new Map<string, Toucher[]>();
  const below = new Map<string, Toucher[]>();
  const touching = units.filter(({ touches }) => touches !== undefined && touches.length > 0);
  for (const unit of touching) {
    for (const root of rootsOf(unit)) {
      add(at, root, unit);
      for (const folder of foldersAbove(root)) add(below, folder, unit);
    }
  }
  return (unit) => {
    const near = new Set<Toucher>();
    for (const root of rootsOf(unit)) {
      if (root === '') for (const other of touching) near.add(other);
      for (const there of ['', root, ...foldersAbove(root)])
        for (const other of at.get(there) ?? []) near.add(other);
      for (const other of below.get(root) ?? []) near.add(other);
    }
    return near.size === 0
      ? []
      : conflictsOf(
          unit,
          touching.filter((other) => near.has(other)),
        );
  };
}

function add(lists: Map<string, Toucher[]>, key: string, unit: Toucher): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [unit]);
  else list.push(unit);
}

function doConflict(a: Toucher, b: Toucher): boolean {
  if (a.beside?.includes(b.id) || b.beside?.includes(a.id)) return false;
  return a.touches?.some((path) => b.touches?.some((other) => doOverlap(path, other))) ?? false;
}

/** The same path, or a folder and something in it: `src/` and `src/a.ts`, `src/**` and `src/a.ts`. */
function doOverlap(a: string, b: string): boolean {
  const [one, two] = [rootOf(a), rootOf(b)];
  return one === two || two.startsWith(`${one}/`) || one.startsWith(`${two}/`) || one === '' || two === '';
}

function rootsOf({ touches = [] }: Toucher): Set<string> {
  return new Set(touches.map(rootOf));
}

/** The part of a path before the first wildcard. */
function rootOf(path: string): string {
  const wildcard = path.search(/[*?[{]/);
  const fixed = wildcard === -1 ? path : path.slice(0, path.lastIndexOf('/', wildcard) + 1);
  return normalised(fixed);
}

/** However it is written: `./src//a.ts`, `src/b/../a.ts`. */
function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1))
    folders.push(path.slice(0, cut));
  return folders;
}
