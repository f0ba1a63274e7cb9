import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../../test/fixtures/memory-reader.ts';
import type { OutputCheck } from '../../model/definition.ts';
import { loadPipeline } from '../load.ts';

/** A manifest whose one output has this check. */
async function load(check: string, output = 'out/{unit}.png') {
  const manifest = `
pawl: 1
pipeline: frames
units: [a]
phases: { draw: { run: { command: [draw] }, outputs: { frame: { path: "${output}", check: ${check} } } } }
`;
  return await loadPipeline(memoryReader({ 'pawl.yaml': manifest, 's.json': '{}' }), 'pawl.yaml');
}

async function checkOf(check: string): Promise<OutputCheck | undefined> {
  const loaded = await load(check);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return loaded.value.pipeline.stages[0]?.phases[0]?.outputs[0]?.check;
}

async function problemsOf(check: string, output?: string) {
  const loaded = await load(check, output);
  if (loaded.ok || loaded.failure.reason !== 'manifest-invalid') return [];
  return loaded.failure.problems.map(({ code, path, facts }) => ({ code, path, facts }));
}

const at = 'phases.draw.outputs.frame';

describe('a check', () => {
  it.each<[string, OutputCheck]>([
    ['png', { kind: 'png' }],
    ['{ png: {} }', { kind: 'png' }],
    ['{ png: { width: 64, height: 32 } }', { kind: 'png', width: 64, height: 32 }],
    ['image', { kind: 'image' }],
    [
      '{ markdown-table: Constitution Check }',
      {
        kind: 'markdown-table',
        table: { section: 'Constitution Check', columns: [], rowsMin: 1, verdict: undefined },
      },
    ],
    [
      '{ markdown-table: { section: S, columns: [A, B], rows: 3, verdict: V, allow: [Y, N] } }',
      {
        kind: 'markdown-table',
        table: {
          section: 'S',
          columns: ['A', 'B'],
          rowsMin: 3,
          verdict: { column: 'V', allow: ['Y', 'N'], justify: undefined },
        },
      },
    ],
    [
      '{ markdown-table: { section: S, verdict: V, allow: [Y, N], justify: { when: [N], in: W } } }',
      {
        kind: 'markdown-table',
        table: {
          section: 'S',
          columns: [],
          rowsMin: 1,
          verdict: { column: 'V', allow: ['Y', 'N'], justify: { when: ['N'], column: 'W' } },
        },
      },
    ],
    [
      '{ function: ./tools/checks.js#isGood }',
      { kind: 'function', module: 'tools/checks.js', name: 'isGood' },
    ],
  ])('%s', async (written, expected) => {
    expect(await checkOf(written)).toEqual(expected);
  });

  it.each<[string, object]>([
    [
      '{ function: checks.js }',
      { code: 'wrong-type', path: `${at}.check.function`, facts: { found: 'checks.js' } },
    ],
    ['{ function: ../checks.js#isGood }', { code: 'path-outside', path: `${at}.check.function` }],
    [
      '{ png: { widht: 64 } }',
      { code: 'unknown-key', path: `${at}.check.png.widht`, facts: { suggestion: 'width' } },
    ],
    ['{ png: { width: 0 } }', { code: 'out-of-range', path: `${at}.check.png.width` }],
    [
      '{ markdown-table: { columns: [A] } }',
      { code: 'missing-key', path: `${at}.check.markdown-table.section` },
    ],
    ['{ markdown-table: " " }', { code: 'wrong-type', path: `${at}.check.markdown-table` }],
    [
      '{ markdown-table: { section: S, colums: [A] } }',
      { code: 'unknown-key', path: `${at}.check.markdown-table.colums`, facts: { suggestion: 'columns' } },
    ],
    [
      '{ markdown-table: { section: S, rows: 0 } }',
      { code: 'out-of-range', path: `${at}.check.markdown-table.rows` },
    ],
    [
      '{ markdown-table: { section: S, verdict: V } }',
      { code: 'missing-key', path: `${at}.check.markdown-table.allow` },
    ],
    [
      '{ markdown-table: { section: S, allow: [Y] } }',
      { code: 'missing-key', path: `${at}.check.markdown-table.verdict` },
    ],
    [
      '{ markdown-table: { section: S, verdict: V, allow: [COMPLIES], justify: { when: [COMPILES], in: W } } }',
      {
        code: 'not-one-of',
        path: `${at}.check.markdown-table.justify.when[0]`,
        facts: { found: 'COMPILES', valid: ['COMPLIES'], suggestion: 'COMPLIES' },
      },
    ],
    [
      '{ markdown-table: { section: S, verdict: V, allow: [Y], justify: { when: [Y] } } }',
      { code: 'missing-key', path: `${at}.check.markdown-table.justify.in` },
    ],
    [
      '{ markdown-table: { section: S, verdict: V, allow: [Y], justify: { when: [Y], in: W, section: T } } }',
      { code: 'missing-key', path: `${at}.check.markdown-table.justify.for` },
    ],
    ['imgae', { code: 'not-one-of', path: `${at}.check`, facts: { suggestion: 'image' } }],
  ])('%s is refused', async (written, problem) => {
    expect(await problemsOf(written)).toMatchObject([problem]);
  });

  it.each([
    ['{ function: checks.js#isGood }', 'checks.js'],
    ['{ json-schema: s.json }', 's.json'],
  ])('%s: no output may lie where it is', async (written, output) => {
    expect(await problemsOf(written, output)).toMatchObject([
      { code: 'duplicate-output', path: at, facts: { other: 'draw.outputs.frame.check' } },
    ]);
  });

  it('is part of the definition: another one makes another definition', async () => {
    const definitionOf = async (written: string) => {
      const loaded = await load(written);
      return loaded.ok ? loaded.value.statics.get('draw')?.definition : undefined;
    };
    const written = [
      ...['png', 'image', '{ png: { width: 1 } }', '{ function: a.js#b }', '{ function: a.js#c }'],
      ...['{ markdown-table: A }', '{ markdown-table: { section: A, rows: 2 } }'],
    ];
    const definitions = await Promise.all(written.map(definitionOf));
    expect(new Set(definitions).size).toBe(written.length);
  });
});
