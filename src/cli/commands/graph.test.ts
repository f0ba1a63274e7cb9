import { expect, test } from 'vitest';
import type { Face } from '../face.ts';
import { formatOf, graphCommand } from './graph.ts';

test.each([
  [undefined, undefined, 'text'],
  ['svg', undefined, 'svg'],
  ['text', undefined, 'text'],
  [undefined, 'a/graph.svg', 'svg'],
  [undefined, 'Graph.SVG', 'svg'],
  [undefined, 'graph.mmd', 'mermaid'],
  [undefined, 'graph.json', 'json'],
  ['mermaid', 'README.md', 'mermaid'],
  ['json', 'folder', 'json'],
])('--format %s and -o %s mean %s', (format, out, meant) => {
  expect(formatOf(format, out)).toEqual({ ok: true, value: meant });
});

test('what is no format, or none for a file, is refused', () => {
  expect(formatOf('png', undefined)).toMatchObject({ failure: { reason: 'bad-value', found: 'png' } });
  expect(formatOf('text', 'graph.txt')).toMatchObject({ failure: { reason: 'bad-value', found: 'text' } });
  expect(formatOf(undefined, 'graph.txt')).toMatchObject({
    failure: { reason: 'usage', problem: { code: 'needs-flag', flag: '--out', with: '--format' } },
  });
});

test('a picture on stdout and a JSON document on stdout exclude each other', async () => {
  const call = { command: 'graph', arguments: [], options: { format: 'svg' } };
  expect(await graphCommand.perform(call, { json: true } as Face)).toMatchObject({
    failure: { reason: 'usage', problem: { code: 'flags-exclude', flags: ['--format svg', '--json'] } },
  });
});
