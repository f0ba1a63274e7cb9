import { describe, expect, it } from 'vitest';
import { loadText } from '../../../test/fixtures/manifests.ts';
import { memoryReader } from '../../../test/fixtures/memory-reader.ts';
import { loadPipeline } from '../load.ts';

async function policies(top: string, phase: string) {
  const { pipeline } = await loadText(manifest(top, phase));
  return pipeline.stages.flatMap(({ phases }) => phases.map(({ code }) => code));
}

const manifest = (top: string, phase: string) =>
  `pawl: 1\npipeline: p\nunits: [u]\n${top}\nphases:\n  a: { run: { command: [x] }, ${phase} }\n  b: { run: { command: [x] } }\n`;

describe('how changed code is treated', () => {
  it('is left to the default where nothing is said', async () => {
    expect(await policies('', '')).toEqual([
      { onChange: undefined, files: [] },
      { onChange: undefined, files: [] },
    ]);
  });

  it('is said by the phase, and else by the pipeline, each key by itself', async () => {
    const top = 'code: { on_change: rerun, files: [./lib.py] }';
    expect(await policies(top, 'code: ask')).toEqual([
      { onChange: 'ask', files: ['lib.py'] },
      { onChange: 'rerun', files: ['lib.py'] },
    ]);
    expect(await policies('code: refuse', 'code: { files: [a.py] }')).toEqual([
      { onChange: 'refuse', files: ['a.py'] },
      { onChange: 'refuse', files: [] },
    ]);
  });

  it.each([
    ['code: sometimes', '', 'code'],
    ['code: { files: [../lib.py] }', '', 'code.files[0]'],
    ['', 'code: { files: [lib.py, /etc/passwd] }', 'phases.a.code.files[1]'],
  ])('is no %j', async (top, phase, path) => {
    const loaded = await loadPipeline(memoryReader({ 'pawl.yaml': manifest(top, phase) }), 'pawl.yaml');
    if (loaded.ok || loaded.failure.reason !== 'manifest-invalid') throw new Error('it was taken');
    expect(loaded.failure.problems.map((problem) => problem.path)).toEqual([path]);
  });
});
