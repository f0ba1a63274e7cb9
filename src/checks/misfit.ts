import type { JsonValue } from '../base/json.ts';
import { shorten } from './text.ts';

/** A place where a value does not fit its schema (`$.scenes[2].title`), and what would. */
export interface Misfit {
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

export function misfit(path: string, expected: string, found: JsonValue | undefined): Misfit {
  return { path, expected, found: quotedText(found) };
}

export function quotedText(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value), 80);
}

export function memberPath(path: string, key: string): string {
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `${path}.${key}` : `${path}[${shorten(JSON.stringify(key))}]`;
}
