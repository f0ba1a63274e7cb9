import { vocabulary } from '../../../src/text/catalogue/vocabulary.ts';
import { table } from './markdown.ts';

/** The words, as `pawl explain WORD` tells them. */
export function wordsPage(): string {
  return [
    '# Words',
    '',
    'One word for one thing, in code, files, messages and docs; `pawl explain WORD` says the same. Made from',
    '`src/text/catalogue/vocabulary.ts` by a test; run it with `UPDATE_DOCS=1` to write it anew. Words for why something is',
    'so are [reasons](reasons.md).',
    '',
    ...table([['word', 'meaning'], ...Object.entries(vocabulary).map(([word, { what }]) => [word, what])]),
  ].join('\n');
}
