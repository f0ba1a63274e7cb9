import { exitCodeRows } from '../../../src/text/catalogue/exit-codes.ts';
import { table } from './markdown.ts';

/** The reference of exit codes, from the table that help and the commands themselves read. */
export function exitCodesPage(): string {
  return [
    '# Exit codes',
    '',
    'Made from `src/text/catalogue/exit-codes.ts` by a test; run it with `UPDATE_DOCS=1` to write it anew. `pawl help',
    'exit-codes` prints the same. With `--json` the number is `exitCode`, and `reason` says why: [reasons](reasons.md).',
    '',
    ...table([
      ['code', 'means', 'for example'],
      ...exitCodeRows.map(({ code, means, example }) => [String(code), means, example]),
    ]),
  ].join('\n');
}
