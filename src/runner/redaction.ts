import type { CallProcess } from '../base/call-process.ts';
import type { Disk } from '../disk/disk.ts';
import { replaceFileInPieces } from '../disk/write.ts';
import type { Provider } from '../model/definition.ts';
import {
  endingVariable,
  handedVariable,
  isSecretName,
  variableIn,
  withoutSecretShapes,
} from '../model/secrets.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';

/** Takes what must not be seen out of a text: the one funnel for what providers and commands say. */
export interface Redactor {
  redact(text: string): string;
  /** Only values of the environment: a text of one's own may speak of what keys look like. */
  redactValues(text: string): string;
  /** For a text that arrives in pieces: what could be the beginning of a secret is held back. */
  stream(onText: (text: string) => void): { push(piece: string): void; end(): void };
}

/** Variables that a manifest names. */
export interface NamedVariables {
  /** Their values are secret, whatever the names look like. */
  readonly secrets: readonly string[];
  /** Of these only a password within. */
  readonly addresses: readonly string[];
}

/** Shorter values are no secrets, and would be found in half of all words. */
const lengthMin = 6;
/** Where only the name of a variable says that it is one. */
const lengthMinGuessed = 8;

/** Wider than the shapes that a manifest is refused for: here a false alarm costs a few letters. */
const patterns: readonly RegExp[] = [/\bsk-[A-Za-z0-9_-]{16,}/g, /\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*/g];

const redactors = new WeakMap<NamedVariables, Redactor>();

/** The one for variables that a manifest names: made when it is first needed. */
export function redactorFor(named: NamedVariables, variables: NodeJS.ProcessEnv): Redactor {
  let redactor = redactors.get(named);
  if (redactor === undefined) {
    redactor = createRedactor(variables, named);
    redactors.set(named, redactor);
  }
  return redactor;
}

const namedOf = new WeakMap<readonly Provider[], NamedVariables>();

/** What the providers of a pipeline are reached with: the same object for the same pipeline. */
export function providerVariables({ pipeline }: Pick<LoadedPipeline, 'pipeline'>): NamedVariables {
  const { providers } = pipeline.models;
  let named = namedOf.get(providers);
  if (named === undefined) {
    named = namedByProviders(providers);
    namedOf.set(providers, named);
  }
  return named;
}

/** The one of a run. */
export function redactorOf({
  loaded,
  process,
}: {
  readonly loaded: LoadedPipeline;
  readonly process: CallProcess;
}): Redactor {
  return redactorFor(providerVariables(loaded), process.variables);
}

interface ShownWorkspace {
  readonly loaded: Pick<LoadedPipeline, 'pipeline'>;
  readonly env: { readonly process: CallProcess };
}

/** The one for what people and agents are shown of outputs and other files of a run. */
export function shownRedactor({ loaded: { pipeline }, env }: ShownWorkspace): Redactor {
  const { secrets, addresses } = namedByProviders(pipeline.models.providers);
  const phases = pipeline.stages.flatMap((stage) => stage.phases);
  const handed = phases.flatMap(({ executor }) =>
    executor.kind === 'command' ? Object.values(executor.env) : [],
  );
  const named = handed.flatMap((value) => handedVariable(value)?.name ?? []);
  return createRedactor(env.process.variables, { secrets: [...secrets, ...named], addresses });
}

/** The one of a command, for all that it was handed by name; undefined: nothing was. */
export function commandRedactor(
  declared: Readonly<Record<string, string>>,
  outside: NodeJS.ProcessEnv,
): Redactor | undefined {
  const secrets = Object.values(declared).flatMap((value) => handedVariable(value)?.name ?? []);
  if (secrets.length === 0) return undefined;
  const handed = Object.fromEntries(secrets.map((name) => [name, outside[name]]));
  return createRedactor(handed, { secrets, addresses: [] });
}

/** Knows the values of the environment that are secrets by their name, or because the manifest names them. */
export function createRedactor(
  env: NodeJS.ProcessEnv,
  named: NamedVariables = { secrets: [], addresses: [] },
): Redactor {
  const isNamed = new Set(named.secrets);
  const secrets: (readonly [string, string])[] = [];
  for (const [name, value = ''] of Object.entries(env)) {
    const isSecret = isNamed.has(name) ? value.length >= lengthMin : isGuessed(name, value);
    if (isSecret) secrets.push([name, value]);
  }
  for (const name of named.addresses) secrets.push(...addressSecrets(name, env[name] ?? ''));
  // The longest first: one may be a part of another.
  secrets.sort(([, a], [, b]) => b.length - a.length);
  const values = (text: string) => {
    let clean = text;
    for (const [name, secret] of secrets) clean = clean.replaceAll(secret, `[${name}]`);
    return clean;
  };
  return {
    redactValues: values,
    redact: (text) =>
      patterns.reduce((clean, pattern) => clean.replace(pattern, '[key]'), withoutSecretShapes(values(text))),
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

/** How much of a text cannot be the beginning of a secret. */
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

function isGuessed(name: string, value: string): boolean {
  return value.length >= lengthMinGuessed && isSecretName(name);
}

/** What providers are reached with. */
export function namedByProviders(providers: readonly Provider[]): NamedVariables {
  return {
    secrets: providers.flatMap(({ key, headers }) => [
      ...(key === undefined ? [] : [key]),
      ...Object.values(headers).flatMap((value) => endingVariable(value)?.name ?? []),
    ]),
    addresses: providers.flatMap(({ baseUrl }) => variableIn(baseUrl ?? '') ?? []),
  };
}

/** An address may hold a password, and errors like to show addresses. */
function addressSecrets(name: string, value: string): [string, string][] {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  if (address === undefined || address.password === '') return [];
  const { password } = address;
  return [value, password, decodeURIComponent(password)].map((secret) => [name, secret]);
}

/**
 * A command writes its logs itself: what it should not have said is taken out before anybody else looks. In pieces, for a
 * log may be of any size; and only where there is something to take out, for not every log is text.
 */
export function redactFile(disk: Disk, path: string, redactor: Redactor): void {
  if (holdsSecret(disk, path, redactor))
    replaceFileInPieces(disk, path, redactedPieces(disk, path, redactor));
}

function holdsSecret(disk: Disk, path: string, { redactValues }: Redactor): boolean {
  let before = '';
  for (const text of textsOf(disk, path)) {
    const seen = before + text;
    if (redactValues(seen) !== seen) return true;
    // Two pieces may have one between them.
    before = seen.slice(-secretLengthMax);
  }
  return false;
}

function* redactedPieces(disk: Disk, path: string, redactor: Redactor): Generator<Uint8Array> {
  let clean = '';
  const stream = redactor.stream((text) => {
    clean += text;
  });
  for (const text of textsOf(disk, path)) {
    stream.push(text);
    yield Buffer.from(clean);
    clean = '';
  }
  stream.end();
  yield Buffer.from(clean);
}

function* textsOf(disk: Disk, path: string): Generator<string> {
  const decoder = new TextDecoder();
  for (let offset = 0; ; offset += pieceBytes) {
    const piece = disk.readRange(path, offset, pieceBytes);
    if (piece === undefined) return;
    const isLast = piece.length < pieceBytes;
    yield decoder.decode(piece, { stream: !isLast });
    if (isLast) return;
  }
}

const pieceBytes = 1024 * 1024;
/** No variable of an environment is longer. */
const secretLengthMax = 128 * 1024;
