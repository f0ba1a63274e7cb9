/** A page of the project; a test looks whether it is there. */
export type Page = `docs/${string}.md`;

/** What `pawl explain` and the docs say about a code. */
export interface Explanation {
  /** What it is, and when it happens. */
  readonly what: string;
  /** What Pawl does about it. */
  readonly follows: string;
  /** What a person can do. No way is a complete command that discards or overrides anything. */
  readonly ways: readonly string[];
  /** The exit code that it causes; absent: none of its own. */
  readonly exitCode?: number;
  /** Where to read more. */
  readonly page: Page;
}

/** What one code says itself; the rest is as with the others of its family. */
interface OwnText {
  readonly what: string;
  readonly follows?: string;
  readonly ways?: readonly string[];
  /** Undefined: none, although the family has one. */
  readonly exitCode?: number | undefined;
  readonly page?: Page;
}

/**
 * One entry for each code of a union, so that a new code does not compile before it has one. `Words` are the functions
 * and texts with which messages name the code.
 */
export function makeEntries<
  Code extends string,
  Words extends Readonly<Record<Code, object>> = Readonly<Record<Code, object>>,
>(
  shared: Omit<Explanation, 'what'>,
  texts: { readonly [One in Code]: OwnText & Words[One] },
): { readonly [One in Code]: Explanation & Words[One] } {
  const entries = Object.entries<OwnText>(texts).map(([code, own]) => {
    const { exitCode, ...rest } = { ...shared, ...own };
    return [code, exitCode === undefined ? rest : { ...rest, exitCode }] as const;
  });
  return Object.fromEntries(entries) as { readonly [One in Code]: Explanation & Words[One] };
}
