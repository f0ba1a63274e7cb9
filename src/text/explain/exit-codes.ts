import type { Explanation } from '../catalogue/entry.ts';
import { exitCodeRows } from '../catalogue/exit-codes.ts';

/** By number: whoever has only that from a script or a log. */
export const exitCodeMeanings: Readonly<Record<string, Explanation>> = Object.fromEntries(
  exitCodeRows.map(({ code, means, example }) => [
    code,
    {
      what: sentence(means),
      follows: `For example: ${example}.`,
      ways: [],
      page: 'docs/reference/exit-codes.md',
    },
  ]),
);

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
