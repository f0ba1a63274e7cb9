import type { ProblemCode } from '../model/failure.ts';
import { isSafeName, namePattern } from '../model/names.ts';
import type { Reader } from './loaded.ts';
import { parsePattern } from './pattern.ts';
import type { ProblemFacts, ProblemList } from './text/problems.ts';

const pathLengthMax = 1024;
const segmentLengthMax = 255;

export interface PathProblem {
  readonly code: ProblemCode;
  readonly facts: ProblemFacts;
}

/**
 * Checks a path by its text alone: relative, inside the workspace, not in a folder that belongs to Pawl or git,
 * nothing in it that one system reads otherwise than another. `undefined`: nothing is wrong.
 */
export function checkPath(path: string): PathProblem | undefined {
  if (path.length > pathLengthMax) {
    return { code: 'out-of-range', facts: { found: path.length, maximum: pathLengthMax } };
  }
  const character = strangeCharacter(path);
  if (character !== undefined) return { code: 'path-control-character', facts: { found: character } };
  if (path.startsWith('/') || /^[A-Za-z]:/.test(cleanPath(path))) {
    return { code: 'path-absolute', facts: { found: path } };
  }
  const segments = path.split('/');
  if (segments.includes('..')) return { code: 'path-outside', facts: { found: path } };
  if (segments.at(-1) === '' || segments.at(-1) === '.') {
    return { code: 'wrong-type', facts: { expected: 'file path', found: path } };
  }
  for (const segment of segments) {
    if (segment.length > segmentLengthMax) {
      return { code: 'out-of-range', facts: { found: segment.length, maximum: segmentLengthMax } };
    }
    if (isReserved(segment)) return { code: 'path-reserved', facts: { found: segment } };
  }
  return undefined;
}

/** One spelling for one file: `./a//b` is `a/b`. */
export function cleanPath(path: string): string {
  if (!path.startsWith('.') && !path.includes('/.') && !path.includes('//')) return path;
  return path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}

/** The folder of a path; empty for a file at the top. */
export function parentFolder(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** Checks a path or a pattern of one, and gives back its one spelling. */
export function usePath(reader: Reader, problems: ProblemList, written: string, at: string): string {
  const wrong = checkPath(written);
  if (wrong !== undefined) {
    problems.add(wrong.code, at, wrong.facts);
    return cleanPath(written);
  }
  const path = cleanPath(written);
  const fixed = fixedPart(path);
  if (fixed !== '' && reader.escapes(fixed)) problems.add('path-through-link', at, { found: fixed });
  return path;
}

/** The same for a path that differs from unit to unit; whether its fields exist is asked unit by unit. */
export function usePathPattern(reader: Reader, problems: ProblemList, written: string, at: string): string {
  const parsed = parsePattern(written);
  if ('wrong' in parsed) problems.add('pattern-unknown-field', at, { found: parsed.wrong });
  return usePath(reader, problems, written, at);
}

/**
 * The part of a pattern that is the same for every unit. Only this is looked at on disk: the rest is proven when
 * a file is put there, and asking for each of fifty thousand units would cost more than all other checks.
 */
function fixedPart(pattern: string): string {
  const open = pattern.search(/[{*?]/);
  return open === -1 ? pattern : parentFolder(pattern.slice(0, open));
}

/** Control characters, characters that turn or hide text, and the backslash, which is a separator elsewhere. */
function strangeCharacter(text: string): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f && code !== 0x5c) continue;
    const isStrange =
      code <= 0x9f ||
      (code >= 0x200b && code <= 0x200f) ||
      (code >= 0x2028 && code <= 0x202e) ||
      (code >= 0x2060 && code <= 0x2069) ||
      code === 0xfeff;
    if (isStrange) return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

function isReserved(segment: string): boolean {
  const folded = segment.toLowerCase();
  if (folded === '.pawl' || folded === '.git') return true;
  // A name by its letters, and yet not a safe one: a device of some system, or one that it would cut short.
  return namePattern.test(folded) && !isSafeName(folded);
}
