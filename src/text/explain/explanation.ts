/** A page of the project; a test looks whether it is there. */
export type Page = `docs/${string}.md`;

/** What somebody wants to know who meets a reason. */
export interface Explanation {
  /** What it is, and when it happens. */
  readonly what: string;
  /** What Pawl does about it. */
  readonly follows: string;
  /** What a person can do. None of them is a whole command that discards or overrides anything. */
  readonly ways: readonly string[];
  /** What the command ends with because of it; absent: it ends with none of its own. */
  readonly exitCode?: number;
  /** Where to read more. */
  readonly page: Page;
}

/** A text for each member of a union: a new member does not compile before it is explained, nor does any other word. */
export type Explanations<Reason extends string> = Readonly<Record<Reason, Explanation>>;

/** What one reason says itself; the rest is as with the others of its kind. */
interface OwnText {
  readonly what: string;
  readonly follows?: string;
  readonly ways?: readonly string[];
  /** Undefined: none, whatever the others have. */
  readonly exitCode?: number | undefined;
  readonly page?: Page;
}

/** Texts of one kind, which have much in common. */
export function explained<Reason extends string>(
  shared: Omit<Explanation, 'what'>,
  texts: Readonly<Record<Reason, OwnText>>,
): Explanations<Reason> {
  const entries = Object.entries<OwnText>(texts).map(([reason, own]) => {
    const { exitCode, ...rest } = { ...shared, ...own };
    return [reason, exitCode === undefined ? rest : { ...rest, exitCode }] as const;
  });
  return Object.fromEntries(entries) as Explanations<Reason>;
}
