import { posix } from 'node:path';
import type { Explanation } from '../../../src/text/catalogue/entry.ts';
import { explanations } from '../../../src/text/catalogue/find.ts';
import { kindTitles, type ReasonKind } from '../../../src/text/catalogue/kinds.ts';
import { asHeading, code, mostCommon, table } from './markdown.ts';

/** The reference of reasons: what `pawl explain` says of each, by kind. Words and events have pages of their own. */
export function reasonsPage(): string {
  const kinds = (Object.keys(kindTitles) as ReasonKind[]).filter(
    (kind) => kind !== 'event' && kind !== 'word',
  );
  return [
    '# Reasons',
    '',
    'Every word that Pawl has for why something is so, as `pawl explain REASON` tells it. They are stable: scripts may go by',
    'them (`reason` and `code` of `--json`). Made from `src/text/catalogue/` by a test; run it with `UPDATE_DOCS=1` to write it',
    'anew. [Events](events.md), [words](words.md) for things and [exit codes](exit-codes.md) have pages of their own.',
    '',
    ...kinds.flatMap((kind) => section(kindTitles[kind], Object.entries(explanations[kind]))),
  ].join('\n');
}

function section(title: string, entries: readonly (readonly [string, Explanation])[]): string[] {
  const texts = entries.map(([, text]) => text);
  // What most of a kind have in common is said once, above.
  const follows = mostCommon(texts.map((text) => text.follows));
  const exitCode = onlyOne(texts.map((text) => text.exitCode));
  const pages = [...new Set(texts.map(({ page }) => page))].map(link).join(', ');
  const ends = exitCode === undefined ? '' : ` Exit code ${exitCode}.`;
  return [
    `## ${asHeading(title)}`,
    '',
    `${follows === undefined ? '' : `${follows} `}More: ${pages}.${ends}`,
    '',
    ...table([
      ['reason', 'what it is, and what follows', 'what can be done'],
      ...entries.map(([reason, text]) => [
        code(reason),
        [
          text.what,
          text.follows === follows ? '' : text.follows,
          text.exitCode === undefined || text.exitCode === exitCode ? '' : `Exit code ${text.exitCode}.`,
        ]
          .filter((words) => words !== '')
          .join(' '),
        text.ways.join('; '),
      ]),
    ]),
  ];
}

function onlyOne<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

function link(page: string): string {
  return `[${posix.basename(page, '.md')}](${posix.relative('docs/reference', page)})`;
}
