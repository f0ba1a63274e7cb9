import type { Ledger } from '../ledger/ledger.ts';
import type { Provider } from '../model/definition.ts';
import type { Lookout } from './context.ts';

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

const redactors = new WeakMap<Ledger, Redactor>();

/** The one of a run: made when it is first needed. */
export function redactorOf({ ledger, loaded }: Pick<Lookout, 'ledger' | 'loaded'>): Redactor {
  let redactor = redactors.get(ledger);
  if (redactor === undefined) {
    redactor = createRedactor(loaded.pipeline.models.providers, process.env);
    redactors.set(ledger, redactor);
  }
  return redactor;
}

/** Knows the values of the environment that are secrets by their name, or because a provider of the manifest uses them. */
export function createRedactor(providers: readonly Provider[], env: NodeJS.ProcessEnv): Redactor {
  const used = new Set(providers.flatMap(namesUsed));
  const secrets: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && value.length >= lengthMin && (used.has(name) || secretName.test(name)))
      secrets.push([name, value]);
  for (const name of providers.flatMap(addressNames)) secrets.push(...addressSecrets(name, env[name] ?? ''));
  // The longest first: one may be a part of another.
  secrets.sort(([, a], [, b]) => b.length - a.length);
  const values = (text: string) => {
    let clean = text;
    for (const [name, secret] of secrets) clean = clean.replaceAll(secret, `[${name}]`);
    return clean;
  };
  return {
    redactValues: values,
    redact: (text) => patterns.reduce((clean, pattern) => clean.replace(pattern, '[key]'), values(text)),
    stream(onText) {
      let held = '';
      return {
        push(piece) {
          held += piece;
          const safe = safeLength(held, secrets);
          if (safe > 0) onText(values(held.slice(0, safe)));
          held = held.slice(safe);
        },
        end() {
          if (held !== '') onText(values(held));
          held = '';
        },
      };
    },
  };
}

/** How much of a text cannot become a part of a secret, whatever follows. */
function safeLength(text: string, secrets: readonly (readonly [string, string])[]): number {
  const longest = secrets[0]?.[1].length ?? 0;
  let safe = text.length;
  for (let at = Math.max(0, text.length - longest + 1); at < safe; at++) {
    const rest = text.slice(at);
    if (secrets.some(([, secret]) => secret.length > rest.length && secret.startsWith(rest))) safe = at;
  }
  // Nor may a shorter one be cut in two.
  for (let isCut = true; isCut; ) {
    isCut = false;
    for (const [, secret] of secrets) {
      const at = text.indexOf(secret, Math.max(0, safe - secret.length + 1));
      if (at === -1 || at >= safe || at + secret.length <= safe) continue;
      safe = at;
      isCut = true;
    }
  }
  return safe;
}

function namesUsed({ key, headers }: Provider): string[] {
  const written = Object.values(headers);
  const named = written.flatMap((value) => /\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1] ?? []);
  return key === undefined ? named : [key, ...named];
}

function addressNames({ baseUrl }: Provider): string[] {
  return /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(baseUrl ?? '')?.slice(1) ?? [];
}

/** An address may hold a password, and errors like to show addresses. */
function addressSecrets(name: string, value: string): [string, string][] {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  if (address === undefined || address.password === '') return [];
  const { password } = address;
  return [value, password, decodeURIComponent(password)].map((secret) => [name, secret]);
}
