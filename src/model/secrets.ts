import { isJsonObject, type JsonValue } from '../base/json.ts';

export const removedSecret = '(removed)';

/** Whether what is called so holds a secret: a key of a manifest, a header, a variable of the environment. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

const secretName = /secret|token|passw|(?:api|access|private)[-_]?key|credential|authorization/i;

/** A web address without a name or password, so that it grants no access by itself. */
export function isPublicAddress(written: string): boolean {
  if (!URL.canParse(written)) return false;
  const { protocol, username, password } = new URL(written);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

/**
 * A manifest for people to see: what is called a secret or looks like one, and all texts below it, are not written into
 * files that are shared, nor into messages. A name in the environment is no secret.
 */
export function withoutSecrets(value: JsonValue, at = '', isSecret = false): JsonValue {
  if (typeof value === 'string') {
    const isKey = isSecret ? handedVariable(value) === undefined : secretShapeIn(value) !== undefined;
    return isKey ? removedSecret : value;
  }
  if (Array.isArray(value)) return value.map((item, nth) => withoutSecrets(item, `${at}/${nth}`, isSecret));
  if (!isJsonObject(value)) return value;
  const areNames = mapsOfNames.test(at);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isCalledSecret = !areNames && isSecretName(key);
      return [key, withoutSecrets(item, at === '' ? key : `${at}/${key}`, isSecret || isCalledSecret)];
    }),
  );
}

/** Maps by names that people give: a phase may be called `tokens`. */
const mapsOfNames = /^(?:inputs|(?:stages\/\d+\/)?phases(?:\/[^/]+\/(?:inputs|outputs))?)$/;

/*
 * What keys look like, whatever they are called. Each shape has a prefix of its own and a length that no ordinary word
 * has, so that a text may speak of keys without being taken for one.
 */

/** A shape, with the name that people know it by. */
interface SecretShape {
  readonly name: string;
  readonly pattern: RegExp;
}

const shapes: readonly SecretShape[] = [
  { name: 'an Anthropic key (sk-ant-…)', pattern: /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{16,}/g },
  // A name of hyphenated words has no part of this length: one with a digit is a key, one without only if it is longer.
  // Hyphens cut some long keys into short parts: those mix digits, small and capital letters, or are a UUID.
  {
    name: 'an API key (sk-…)',
    pattern:
      /(?<![A-Za-z0-9])sk-(?:(?:[A-Za-z0-9]{1,12}-){0,3}(?:(?=[A-Za-z_]*[0-9])[A-Za-z0-9_]{16,}|[A-Za-z0-9_]{24,})|(?=[A-Za-z_-]{0,60}[0-9])(?=[A-Z0-9_-]{0,60}[a-z])(?=[a-z0-9_-]{0,60}[A-Z])[A-Za-z0-9_-]{40}|(?:[a-z]{1,12}-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[A-Za-z0-9_-]*/g,
  },
  {
    name: 'a GitHub token (ghp_…)',
    pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g,
  },
  {
    name: 'an AWS access key (AKIA…)',
    pattern: /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  },
  // GitLab, Groq, Hugging Face, npm, Stripe and xAI.
  {
    name: 'an access token (glpat-…, gsk_…, hf_…, npm_…, sk_live_…, xai-…)',
    pattern:
      /(?<![A-Za-z0-9])(?:glpat-[A-Za-z0-9_-]{20,}|(?:gsk|hf|npm)_[A-Za-z0-9]{30,}|[rs]k_live_[A-Za-z0-9]{16,}|xai-[A-Za-z0-9]{40,})/g,
  },
  { name: 'a Slack token (xoxb-…)', pattern: /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { name: 'a Google key (AIza…)', pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/g },
  {
    name: 'a private key (-----BEGIN … PRIVATE KEY-----)',
    pattern:
      /-{4,5} ?BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?-{4,5}[\s\S]*?(?:-{4,5} ?END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?-{4,5}|$)/g,
  },
];

/** The name of the first shape that a text holds; undefined: it holds none. */
export function secretShapeIn(text: string): string | undefined {
  return shapes.find(({ pattern }) => text.search(pattern) !== -1)?.name;
}

/** The text with `[key]` in place of what looks like one. */
export function withoutSecretShapes(text: string): string {
  return shapes.reduce((clean, { pattern }) => clean.replace(pattern, '[key]'), text);
}

/** The name in `$NAME`: how a manifest names what only the environment holds. Undefined: it is any other text. */
export function variableIn(written: string): string | undefined {
  const reference = endingVariable(written);
  return reference?.before === '' ? reference.name : undefined;
}

/** What a program is handed from the environment. */
export interface HandedVariable {
  readonly name: string;
  /** It may be left unset. */
  readonly isOptional: boolean;
}

/** The same in the environment of a program, where `$NAME?` is one that may be missing. */
export function handedVariable(written: string): HandedVariable | undefined {
  const isOptional = written.endsWith('?');
  const name = variableIn(isOptional ? written.slice(0, -1) : written);
  return name === undefined ? undefined : { name, isOptional };
}

/** A text that ends in a variable, as a header does: `Bearer $NAME`. */
export interface EndingVariable {
  readonly before: string;
  readonly name: string;
}

/** Undefined: it ends in none. */
export function endingVariable(written: string): EndingVariable | undefined {
  const [, before, name] = ending.exec(written) ?? [];
  return before === undefined || name === undefined ? undefined : { before, name };
}

const ending = /^(.*)\$([A-Za-z_][A-Za-z0-9_]{0,127})$/s;
