import { hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from './json.ts';

/** `sha256:` and 64 lower-case hex digits. The one spelling that is ever written. */
export type Hash = `sha256:${string}`;

export function hashBytes(bytes: Uint8Array | string): Hash {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}

export function hashJson(value: JsonValue): Hash {
  return hashBytes(canonicalJson(value));
}

/** Reads a full hash in any spelling (bare, upper case). A shortened one cannot verify anything: undefined. */
export function parseHash(text: string): Hash | undefined {
  const match = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(text.trim());
  return match?.[1] === undefined ? undefined : `sha256:${match[1].toLowerCase()}`;
}

/** Exactly as it is ever written. */
export function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}

/** The hash as its 32 bytes. */
export function hashToBytes(hash: Hash): Buffer {
  return Buffer.from(hash.slice('sha256:'.length), 'hex');
}

/** For people only: enough to tell two hashes apart on one line. Never compared. */
export function shortHash(hash: string): string {
  return hash.slice(0, 'sha256:'.length + 8);
}

/** 72 bits of SHA-256 as 12 characters: finds damage in a journal line. Not a signature. */
export function checksum(text: string | Uint8Array): string {
  return hash('sha256', text, 'base64url').slice(0, 12);
}
