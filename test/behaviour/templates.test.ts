import { expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { has, read, workspaceWith } from '../support/workspace.ts';

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
