import type { Provider } from '../model/definition.ts';

/** Takes what must not be seen out of a text: the one funnel for all that comes back from a provider. */
export interface Redactor {
  redact(text: string): string;
  /** Only values of the environment: a text of one's own may speak of what keys look like. */
  redactValues(text: string): string;
  /** For a text that arrives in pieces: what could be the beginning of a secret is held back. */
  stream(onText: (text: string) => void): { push(piece: string): void; end(): void };
}

/** Variables of such a name hold secrets, whether or not the manifest names them. */
const secretName = /secret|token|passw|api_?key|private_?key|credential|authorization|access_?key/i;
/** Shorter values are no secrets, and would be found in half of all words. */
const lengthMin = 8;

/** What keys look like, wherever they come from. */
const patterns: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:ghp|gho|ghs|github_pat)_[A-Za-z0-9_]{20,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*/g,
];

/** Knows the values of the environment that are secrets by their name, or because a provider of the manifest uses them. */
export function createRedactor(providers: readonly Provider[], env: NodeJS.ProcessEnv): Redactor {
  const used = new Set(providers.flatMap(namesUsed));
  const secrets: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && value.length >= lengthMin && (used.has(name) || secretName.test(name)))
      secrets.push([name, value]);
  // The longest first: one may be a part of another.
  secrets.sort(([, a], [, b]) => b.length - a.length);
  const values = (text: string) => {
    let clean = text;
    for (const [name, secret] of secrets) clean = clean.replaceAll(secret, `[${name}]`);
    return clean;
  };
  const heldMax = Math.max(0, (secrets[0]?.[1].length ?? 0) - 1);
  return {
    redactValues: values,
    redact: (text) => patterns.reduce((clean, pattern) => clean.replace(pattern, '[key]'), values(text)),
    stream(onText) {
      let held = '';
      return {
        push(piece) {
          held = values(held + piece);
          const safe = safeLength(held, heldMax, secrets);
          if (safe > 0) onText(held.slice(0, safe));
          held = held.slice(safe);
        },
        end() {
          if (held !== '') onText(held);
          held = '';
        },
      };
    },
  };
}

/** How much of a text cannot become a secret, whatever follows. */
function safeLength(text: string, heldMax: number, secrets: readonly (readonly [string, string])[]): number {
  for (let at = Math.max(0, text.length - heldMax); at < text.length; at++) {
    const rest = text.slice(at);
    if (secrets.some(([, secret]) => secret.startsWith(rest))) return at;
  }
  return text.length;
}

function namesUsed({ key, headers }: Provider): string[] {
  const written = Object.values(headers);
  const named = written.flatMap((value) => /\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1] ?? []);
  return key === undefined ? named : [key, ...named];
}
