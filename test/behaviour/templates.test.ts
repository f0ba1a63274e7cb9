import { expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { has, read, workspaceWith, write } from '../support/workspace.ts';

const manifest = `pawl: 1
pipeline: loops
units: [{ id: long, rounds: 5000 }, { id: endless, rounds: 300000 }, { id: huge, rounds: 90000000 }]
phases:
  fill:
    prompt: loop.md
    run: { command: [sh, -c, 'cp "$PAWL_PROMPT" "$PAWL_OUTPUT_TEXT"'] }
    outputs: { text: "out/{unit}.txt" }
`;

it('a template may loop for long, and is stopped long before a person would', async () => {
  const work = workspaceWith(manifest, {
    'loop.md': '{% for nth in (1..unit.rounds) %}{% if nth > 0 %}{{ nth }},{% endif %}{% endfor %}',
  });
  const run = await pawl(work, 'run');
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('endless/fill failed: the prompt could not be put together (loop.md:1:34)');
  expect(run.stdout).toContain('template render limit exceeded');
  // Such a list is not even made.
  expect(run.stdout).toContain('more than 5000000 items at once: memory alloc limit exceeded');
  expect(has(work, 'out/huge.txt')).toBe(false);
  expect(has(work, 'out/endless.txt')).toBe(false);
  expect(read(work, 'out/long.txt')).toContain(',4999,5000,');
});

it('a filter and a long condition are stopped as well, though no step is counted in between', async () => {
  const contains = Array.from({ length: 4000 }, () => 'all contains 0').join(' or ');
  const phase = (name: string) => `  ${name}: { prompt: ${name}.md, needs: [], run: { command: ["true"] } }`;
  const work = workspaceWith(
    ['pawl: 1', 'pipeline: long', 'units: [a]', 'phases:', phase('filter'), phase('condition')].join('\n'),
    {
      'filter.md': '{% assign all = (1..200000) %}{{ all | where_exp: "one", "all contains 0" | size }}',
      'condition.md': `{% assign all = (1..200000) %}{% if ${contains} %}{% endif %}`,
    },
  );
  const run = await pawl(work, 'run');
  expect(run.code).toBe(1);
  expect(run.stdout.match(/template render limit exceeded/g)).toHaveLength(2);
});

it('a template of very many tags is refused, and one with very many variables is looked through at once', async () => {
  const work = workspaceWith(
    'pawl: 1\npipeline: wide\nunits: [a]\nphases:\n  fill: { prompt: wide.md, run: { command: ["true"] } }\n',
    { 'wide.md': '{{ unit.id }}'.repeat(75_000) },
  );
  const refused = await pawl(work, 'plan');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('wide.md:1:1: ');
  expect(refused.stderr).toContain('more than 20000 tags');
  // With its place, which Liquid alone finds by counting all that stands before, for each variable.
  write(work, 'wide.md', `\n{% if ${'unit.id or '.repeat(90_000)} true %}{% endif %}\n {{ nowhere }}`);
  const unknown = await pawl(work, 'plan');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('wide.md:3:5: ');
  expect(unknown.stderr).toContain('there is no variable nowhere');
});
