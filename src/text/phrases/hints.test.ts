import { expect, test } from 'vitest';
import { hint } from './hints.ts';

test('a hint can be typed as it stands', () => {
  expect([
    hint('run', undefined),
    hint('run', '.'),
    hint('run', 'examples/book'),
    hint('logs', 'examples/book', 'ch001/write'),
    hint('status', "it's here"),
    hint('help', 'examples/book'),
    hint('cost', 'examples/book'),
  ]).toEqual([
    'pawl run',
    'pawl run',
    'pawl run examples/book',
    'pawl logs ch001/write -C examples/book',
    "pawl status 'it'\\''s here'",
    'pawl help',
    'pawl cost -C examples/book',
  ]);
});
