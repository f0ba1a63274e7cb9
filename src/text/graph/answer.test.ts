import { expect, it } from 'vitest';
import { orchard } from '../../../test/fixtures/graph.ts';
import { plainStyle } from '../style/style.ts';
import { graphDocument, graphMark, graphOutput } from './answer.ts';
import { graphText } from './text.ts';

const answer = { ...orchard(), file: undefined };

it('is shown as it was asked for', () => {
  const output = (as: 'text' | 'mermaid' | 'svg' | 'json') => graphOutput(answer, as, plainStyle);
  expect(output('text')).toBe(graphText(answer, plainStyle));
  expect(output('svg')).toContain('<svg ');
  expect(output('mermaid')).toContain('flowchart TD');
  expect(JSON.parse(output('json'))).toMatchObject({
    ok: true,
    command: 'graph',
    exitCode: 0,
    tasks: { total: 13 },
    stages: [{ name: 'plan' }, { name: 'tasks' }, { name: 'cleanup', isOpen: true }],
  });
});

it('is a line where it went into a file', () => {
  const file = { path: 'a/graph.svg', bytes: 2048 };
  expect(graphOutput({ ...answer, file }, 'svg', plainStyle)).toBe('✓ a/graph.svg: 13 tasks, 2 KB');
});

it.each(['mermaid', 'svg', 'json'] as const)('as %s has its mark near the beginning', (as) => {
  expect(graphDocument(answer, as).slice(0, 1000)).toContain(graphMark(as));
});
