import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TableSpec } from '../model/definition.ts';
import { checkMarkdownTable } from './markdown-table.ts';

const spec: TableSpec = {
  section: 'Constitution Check',
  columns: [],
  rowsMin: 1,
  verdict: {
    column: 'Verdict',
    allow: ['COMPLIES', 'EXCEPTION', 'N/A'],
    justify: { when: ['EXCEPTION'], column: 'Justification' },
  },
};
/** Only asks for a table. */
const plain: TableSpec = { ...spec, verdict: undefined };

function judge(text: string, changes: Partial<TableSpec> = {}): string {
  const outcome = checkMarkdownTable({ ...spec, ...changes }, Buffer.from(text));
  return outcome.passed ? 'passed' : outcome.detail;
}

const header = '| Principle | Verdict | Justification |\n|---|---|---|';

/** An ADR whose table has these rows. */
function adr(...rows: string[]): string {
  return `# ADR 1\n\n## Constitution Check\n\n${header}\n${rows.join('\n')}\n\n## Decision\n`;
}

const at = 'section "Constitution Check": ';
const expectedVerdict = 'expected Verdict to be one of COMPLIES, EXCEPTION, N/A, found';

describe('a good table', () => {
  test('passes', () => {
    const rows = [
      '| Simplicity | COMPLIES | |',
      '| Tests first | EXCEPTION | The import has no seam for one |',
      '| Privacy | N/A | - |',
    ];
    expect(judge(adr(...rows))).toBe('passed');
    expect(judge(adr(...rows).replaceAll('\n', '\r\n'))).toBe('passed');
    expect(judge(`\uFEFF${adr(...rows)}`)).toBe('passed');
  });

  test.each([
    'complies',
    'Complies',
    '**COMPLIES**',
    '`COMPLIES`',
    '✅ COMPLIES',
    'COMPLIES ✔️',
    '**✅ complies**',
    'COMPLIES.',
    'N/A',
    'n/a',
    'COMPLIES <!-- or EXCEPTION -->',
  ])('with the verdict %j passes', (verdict) => {
    expect(judge(adr(`| Simplicity | ${verdict} | |`))).toBe('passed');
  });

  test.each([
    '# Constitution Check',
    '###### Constitution Check',
    '## CONSTITUTION CHECK',
    '## Constitution   check:',
    '## Constitution Check ##',
    '## **Constitution Check**',
    '## **Constitution Check:**',
    '## ✅ Constitution Check',
    '## 3. Constitution Check',
    '## 3.1 Constitution Check',
    '## 3) **Constitution Check**',
    '## 3 – Constitution Check',
    '## IV. Constitution Check',
    '## B) Constitution Check',
    '## §3 Constitution Check:',
    'Constitution Check\n---',
    'Constitution Check\n==================',
  ])('under %j passes', (heading) => {
    expect(judge(adr('| Simplicity | COMPLIES | |').replace('## Constitution Check', heading))).toBe(
      'passed',
    );
  });

  test.each([
    '| Principle | VERDICT | justification |\n|---|---|---|',
    '| Principle | **Verdict** | `Justification` |\n|:--|:-:|--:|',
    '| Principle | Verdict: | Justification. |\n|---|---|---|',
    '| Principle | Verdict (COMPLIES / EXCEPTION / N/A) | Justification (if EXCEPTION) |\n|---|---|---|',
    '| Principle | Verdict<br>(one of three) | ✍️ Justification |\n|---|---|---|',
    'Principle | Verdict | Justification\n--- | --- | ---',
  ])('with the header %j passes', (written) => {
    expect(judge(adr('| Simplicity | COMPLIES | |').replace(header, written))).toBe('passed');
  });

  test('may stand deeper in its section, and beside tables about something else', () => {
    const text = adr('| Simplicity | COMPLIES | |').replace(
      header,
      `| Word | Meaning |\n|---|---|\n| COMPLIES | it does |\n\n### Core\n\n${header}`,
    );
    expect(judge(text)).toBe('passed');
  });

  test('may have columns in any order', () => {
    const text = '# Constitution Check\n|Justification|Verdict|\n|-|-|\n|Legacy API|EXCEPTION|\n||COMPLIES|';
    expect(judge(text)).toBe('passed');
  });
});

describe('no table', () => {
  const good = adr('| Simplicity | COMPLIES | |');

  test.each<[string, string, string]>([
    ['an empty file', '', 'empty'],
    ['no section', good.replace('## Constitution Check', ''), 'no section "Constitution Check"'],
    ['a section of another name', good.replace('## Con', '## On Con'), 'no section "Constitution Check"'],
    ['another number', good.replace('## Con', '## 3a2 Con'), 'no section "Constitution Check"'],
    ['a heading in a fence', `~~~\n${good}\n~~~`, 'no section "Constitution Check"'],
    ['a heading in a comment', `<!--\n${good}\n-->`, 'no section "Constitution Check"'],
    ['text alone', '# Constitution Check\nAll is well.', `${at}no table`],
    ['a table before the section', `${header}\n|a|COMPLIES||\n# Constitution Check`, `${at}no table`],
    ['a table behind it', good.replace(header, `## Else\n${header}`), `${at}no table`],
    ['a table behind it, higher up', good.replace(header, `# Else\n${header}`), `${at}no table`],
    ['a table in a fence', good.replace(header, `~~~\n${header}`), `${at}no table`],
    ['a table in a comment', good.replace(header, `<!--\n${header}`), `${at}no table`],
    ['a broken one', good.replace('|---|---|---|', '|---|---|'), `${at}no table`],
    ['one without rows', adr(), `${at}a table without rows`],
    [
      'one without the columns',
      good.replace('Verdict', 'Status'),
      `${at}expected one column Verdict, found Principle, Status, Justification`,
    ],
    [
      'one with a column twice',
      good.replace('Principle', 'Verdict'),
      `${at}expected one column Verdict, found Verdict, Verdict, Justification`,
    ],
  ])('%s', (_, text, expected) => {
    expect(judge(text)).toBe(expected);
  });

  test('what is not text, or too much of it', () => {
    expect(checkMarkdownTable(spec, Uint8Array.of(0xff, 0xfe))).toMatchObject({ detail: 'not-utf8' });
    const large = `${good}${' '.repeat(4 * 1024 * 1024)}`;
    expect(judge(large)).toBe('too-large-to-check');
    expect(judge(large.slice(0, 4 * 1024 * 1024))).toBe('passed');
  });
});

describe('a verdict that is none', () => {
  test.each([
    'COMPLIES / EXCEPTION / N/A',
    'COMPLIES/EXCEPTION/N/A',
    'COMPLIES, EXCEPTION',
    'COMPLIES EXCEPTION',
    '~~COMPLIES~~ EXCEPTION',
    '~~COMPLIES~~',
    'TBD',
    'todo',
    '?',
    '-',
    '<verdict>',
    '[COMPLIES]',
    '[ ] COMPLIES',
    '☐ COMPLIES',
    'COMPLIES?',
    'NOT COMPLIES',
    'PARTIALLY COMPLIES',
    'COMPLIES (mostly)',
    '✅',
    'FAILS',
  ])('%j', (verdict) => {
    expect(judge(adr(`| Simplicity | ${verdict} | because |`))).toBe(
      `${at}row 1 (Simplicity): ${expectedVerdict} ${JSON.stringify(verdict)}`,
    );
  });

  test.each(['', '   ', '<!-- COMPLIES -->'])('%j', (verdict) => {
    expect(judge(adr(`| Simplicity |${verdict}| because |`))).toBe(
      `${at}row 1 (Simplicity): ${expectedVerdict} nothing`,
    );
  });

  test('a bar between two', () => {
    expect(judge(adr('| Simplicity | COMPLIES\\|EXCEPTION | |'))).toBe(
      `${at}row 1 (Simplicity): ${expectedVerdict} "COMPLIES|EXCEPTION"`,
    );
    expect(judge(adr('| Simplicity | COMPLIES|EXCEPTION | |'))).toBe(
      `${at}row 1 (Simplicity): expected 3 cells, found 4`,
    );
  });

  test('a row that ends before it', () => {
    expect(judge(adr('| Simplicity |'))).toBe(`${at}row 1 (Simplicity): ${expectedVerdict} nothing`);
  });

  test('a template as it was', () => {
    const rows = ['| <principle> | <verdict> | <why> |', '| | | |', '| [P] | COMPLIES / EXCEPTION / N/A | |'];
    expect(judge(adr(...rows))).toBe(
      `${at}row 1 (<principle>): nothing is filled in; row 2: nothing is filled in; ` +
        `row 3 ([P]): ${expectedVerdict} "COMPLIES / EXCEPTION / N/A"`,
    );
  });

  test('in the second table of the section, or in a second section of that name', () => {
    const bad = adr('| Privacy | TBD | |');
    const expected = `${at}row 2 (Privacy): ${expectedVerdict} "TBD"`;
    const good = adr('| Simplicity | COMPLIES | |');
    expect(judge(good.replace('## Decision', `### More\n\n${header}\n| Privacy | TBD | |`))).toBe(expected);
    expect(judge(`${good}${bad}`)).toBe(expected);
  });

  test('signs may be verdicts, and a cell has one of them', () => {
    const verdict = { column: 'Verdict', allow: ['✅', '❌'], justify: undefined };
    expect(judge(adr('| a | ✅ | |', '| b | **❌** | |'), { verdict })).toBe('passed');
    expect(judge(adr('| a | ✅ ❌ | |'), { verdict })).toContain('found "✅ ❌"');
    expect(judge(adr('| a | | |'), { verdict })).toContain('found nothing');
  });
});

describe('a verdict that has to be justified', () => {
  test.each([
    '-',
    '—',
    'n/a',
    'N/A',
    'none',
    'None.',
    'TBD',
    'todo',
    '...',
    '<why>',
    '[justify]',
    'EXCEPTION',
    '✅',
  ])('and is not: %j', (reason) => {
    expect(judge(adr(`| Simplicity | **Exception** | ${reason} |`))).toBe(
      `${at}row 1 (Simplicity): expected Justification for **Exception**, found ${JSON.stringify(reason)}`,
    );
  });

  test.each([
    '| Simplicity | EXCEPTION | |',
    '| Simplicity | EXCEPTION |',
    '| Simplicity | EXCEPTION | &nbsp; |',
  ])('and has no word: %j', (row) => {
    expect(judge(adr(row))).toMatch(/: row 1 \(Simplicity\): expected Justification for EXCEPTION, found /);
  });

  test('in one row, does not hang on the others', () => {
    const rows = ['| a | EXCEPTION | Legacy API |', '| b | EXCEPTION | |', '| c | COMPLIES | |'];
    expect(judge(adr(...rows))).toBe(`${at}row 2 (b): expected Justification for EXCEPTION, found nothing`);
  });
});

describe('a table without verdicts', () => {
  test.each<[string, Partial<TableSpec>, string]>([
    ['| a | b | c |', plain, 'passed'],
    ['| a | | |', plain, 'passed'],
    ['| | | |', plain, `${at}row 1: nothing is filled in`],
    ['| <p> | TBD | ... |', plain, `${at}row 1 (<p>): nothing is filled in`],
    ['| a | b | |', { ...plain, columns: ['Principle', 'verdict'] }, 'passed'],
    ['| a | - | |', { ...plain, columns: ['Verdict'] }, 'passed'],
    [
      '| a | b | |',
      { ...plain, columns: ['Justification', 'Principle'] },
      `${at}row 1 (a): expected Justification to be filled in, found nothing`,
    ],
    [
      '| [p] | b | |',
      { ...plain, columns: ['Principle'] },
      `${at}row 1 ([p]): expected Principle to be filled in, found "[p]"`,
    ],
    ['| a | b | c |', { ...plain, rowsMin: 3 }, `${at}expected at least 3 rows, found 1`],
    [
      '| a | b | c |\n| | | |\n| | | |',
      { ...plain, rowsMin: 3 },
      `${at}row 2: nothing is filled in; row 3: nothing is filled in`,
    ],
  ])('%j with %j', (row, changes, expected) => {
    expect(judge(adr(row), changes)).toBe(expected);
  });
});

test('columns beside verdicts are filled in; a justification is only where one is needed', () => {
  const columns = ['Principle', 'Verdict', 'Justification'];
  expect(judge(adr('| a | COMPLIES | |'), { columns })).toBe('passed');
  expect(judge(adr('| | COMPLIES | |'), { columns })).toBe(
    `${at}row 1: expected Principle to be filled in, found nothing`,
  );
  expect(judge(adr('| | MAYBE | |'), { columns })).toBe(
    `${at}row 1: expected Principle to be filled in, found nothing; row 1: ${expectedVerdict} "MAYBE"`,
  );
});

test('a number in the name of the section is part of it', () => {
  const text = adr('| a | COMPLIES | |').replace('## Constitution Check', '## 2023 Review');
  expect(judge(text, { section: '2023 Review' })).toBe('passed');
  expect(judge(text, { section: 'Review' })).toBe('passed');
  expect(judge(text, { section: '2024 Review' })).toBe('no section "2024 Review"');
});

test('the detail is short, however much is wrong', () => {
  const long = 'x'.repeat(10_000);
  const rows = Array.from({ length: 1000 }, () => `| ${long.slice(0, 500)} | ${long} | |`).slice(0, 100);
  const detail = judge(adr(...rows));
  expect(detail).toMatch(/; and 95 more$/);
  expect(detail.length).toBeLessThan(1500);
});

const piece = fc.constantFrom(
  ...[
    '# Constitution Check\n',
    '## 1. constitution check\n',
    '## x\n',
    `${header}\n`,
    '|COMPLIES',
    '|EXCEPTION|',
  ],
  ...[
    '|',
    '\\',
    '\n',
    '\r\n',
    '```\n',
    '<!--',
    '-->',
    '*',
    '_',
    '`',
    '[',
    ']',
    '<',
    '>',
    '(',
    '✅',
    '\ufe0f',
    'a',
  ],
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
);

test('any text gets an answer', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(judge(text)).not.toBe('');
    }),
  );
});

test('no text behind a template lets it through', () => {
  const template = adr('| Simplicity | COMPLIES / EXCEPTION / N/A | |');
  fc.assert(
    fc.property(anyText, (text) => {
      expect(judge(`${template}${text}`)).toContain('row 1 (Simplicity)');
    }),
  );
});

describe('the time grows with the text, and with nothing else', () => {
  const pieces = [
    '|',
    '||\n',
    '*',
    '`',
    '<!--',
    '<!-- \n',
    '#',
    '\n',
    '[',
    '<',
    ' ',
    '<br ',
    '1.',
    '✅',
    '\\|',
  ];
  test.each([...pieces, '|Verdict|Justification|\n|-|-|\n', 'a\n-\n', '```\n', '|(', '<pre\n', '> '])(
    '%j',
    (one) => {
      // Doubling the work at every piece, or looking through the rest at each, would take hours.
      const text = `# Constitution Check\n|Verdict|Justification|\n|-|-|\n${one.repeat(1_000_000 / one.length)}`;
      expect(judge(text)).not.toBe('');
      expect(judge(`# ${one.repeat(1_000_000 / one.length)}`)).not.toBe('passed');
    },
  );
});
