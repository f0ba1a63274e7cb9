import type { Block } from '../page.ts';

/* Blocks that are not run on their page, each for a reason. */

/** By what stands behind `not-run:`. */
export const notRun: Readonly<Record<string, string>> = {
  folders: 'a picture of folders, of which a workspace has only some',
  format: 'the form of a line, with names in the place of values',
  record: 'the bytes of a record, as a pattern',
  kill: 'the moment of a kill is chance; src/text/live/extent.test.ts holds the words',
  'slow-demo': 'waits until leases have run out; test/agents/example.test.ts runs the very command',
};

/** Another test reads these blocks off the page and holds them. */
const heldBy: readonly (readonly [page: string, language: string, test: string])[] = [
  ['docs/formats/journal.md', 'jsonl', 'src/store/file/journal/format-page.test.ts'],
  ['docs/formats/brief-v1.md', 'yaml', 'src/import/brief-v1/format-page.test.ts'],
  ['docs/formats/brief.md', 'yaml', 'test/docs/brief-pages.test.ts'],
  ['docs/formats/status.md', 'markdown', 'src/projections/status-page/format-page.test.ts'],
  ['docs/reference/checks.md', 'markdown', 'test/docs/checks-page.test.ts'],
];

export const notRunPrefix = 'not-run:';

/** The test that holds a block in this one's place. */
export function holderOf(page: string, { language }: Block): string | undefined {
  return heldBy.find(([heldPage, heldLanguage]) => heldPage === page && heldLanguage === language)?.[2];
}
