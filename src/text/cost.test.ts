import { expect, test } from 'vitest';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { CostAnswer, CostRow } from '../engine/show/call-answers.ts';
import { costText } from './cost.ts';
import { plainStyle } from './style/style.ts';

const heading: RunHeading = {
  run: '20261115-1203-book-x7k2',
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'stopped',
  workspace: '.',
  createdAt: '2026-11-15T12:03:11.000Z',
  updatedAt: '2026-11-15T12:03:11.000Z',
};

const row = (name: string, more: Partial<CostRow> = {}): CostRow => ({
  name,
  calls: 1,
  spent: {},
  wasted: {},
  saved: {},
  inDoubt: { calls: 0, usd: 0 },
  ...more,
});

const write = row('write', {
  calls: 12,
  spent: { usd: 1.2345, inputTokens: 120_400, outputTokens: 38_200, cacheReadTokens: 80_000 },
  wasted: { usd: 0.1, inputTokens: 10_000, outputTokens: 100 },
  saved: { usd: 0.4, inputTokens: 40_000, outputTokens: 400 },
  inDoubt: { calls: 1, usd: 0.05 },
});
const lint = row('lint', { calls: 6, spent: { usd: 0.0004, inputTokens: 900, outputTokens: 6 } });
const pack = row('pack', { spent: { inputTokens: 500, outputTokens: 20 }, inDoubt: { calls: 2, usd: 0 } });

const answer: CostAnswer = {
  heading,
  by: 'phase',
  rows: [write, lint, pack, row('standin', { spent: { usd: 0, inputTokens: 5 } }), row('idle')],
  total: {
    ...write,
    name: 'total',
    calls: 21,
    spent: {
      usd: 1.2349,
      inputTokens: 121_805,
      outputTokens: 38_226,
      cacheReadTokens: 80_000,
      cacheWriteTokens: 1500,
    },
    inDoubt: { calls: 3, usd: 0.05 },
  },
  budgets: [
    { phase: '', limit: 'budget_usd', value: 1.2349, max: 10 },
    { phase: 'write', limit: 'budget_tokens', value: 158_600, max: 150_000 },
    { phase: 'write', limit: 'budget_time', value: 5_400_000, max: 7_200_000 },
  ],
  unpriced: ['lab/small', 'lab/\u001b[31mlarge'],
};

const text = (shown: CostAnswer) => costText(shown, plainStyle);

test('what was spent, wasted and saved, how far the budgets are, and what has no price', () => {
  expect(text(answer)).toMatchInlineSnapshot(`
    "book (book=ember) 20261115-1203-book-x7k2 stopped, 2026-11-15 12:03:11 UTC

    phase    calls  tokens in     out     spent  wasted  saved        in doubt
    write       12    120,400  38,200     $1.23   $0.10  $0.40  1, up to $0.05
    lint         6        900       6   $0.0004       -      -               -
    pack         1        500      20  no price       -      -               2
    standin      1          5       -        $0       -      -               -
    idle         1          -       -         -       -      -               -
    total       21    121,805  38,226     $1.23   $0.10  $0.40  3, up to $0.05
    of the tokens in: 80,000 from cache, 1,500 into cache

    budget of the whole run: $1.23 of $10.00 spent (12 %)
    ! budget of write: 158,600 of 150,000 tokens used (105 %)
    budget of write: 1 h 30 min of 2 h used (75 %)
    ! no price is known for lab/small and lab/large: tokens are counted, and money is not
        to set it: models.prices in the manifest, with input and output in USD per million tokens; it changes no result"
  `);
});

test('over all runs, and where no model was asked', () => {
  const [first, , header] = text({ ...answer, heading: undefined, by: 'run' }).split('\n');
  expect([first, header?.split(/ +/)[0]]).toEqual(['all runs', 'run']);
  const none = { ...answer, rows: [], total: row('total', { calls: 0 }), unpriced: [] };
  expect(
    text({ ...none, budgets: [] })
      .split('\n')
      .slice(1),
  ).toEqual(['no model was asked so far']);
  expect(text(none).split('\n').slice(1, 3)).toEqual([
    'no model was asked so far',
    'budget of the whole run: $1.23 of $10.00 spent (12 %)',
  ]);
});

test('of very many rows those that cost most, with the total of all', () => {
  const rows = Array.from({ length: 60 }, (_, at) => ({ ...lint, name: `${'u'.repeat(60)}${at}` }));
  const lines = text({ ...answer, by: 'unit', rows, budgets: [], unpriced: [] }).split('\n');
  expect(lines.filter((line) => line.startsWith(`${'u'.repeat(47)}… `))).toHaveLength(50);
  expect(lines.slice(-3, -1)).toEqual(['… and 10 more (--json lists all)', expect.stringMatching(/^total /)]);
});
