import { describe, expect, it } from 'vitest';
import { type MemoryFile, memoryReader } from '../../../test/fixtures/memory-reader.ts';
import { hashBytes, hashJson } from '../../base/hash.ts';
import { loadPipeline } from '../load.ts';
import type { LoadedPipeline } from '../loaded.ts';

const phases = 'phases: { a: { run: { command: [x] }, outputs: { o: "out/{unit}.md" } } }\n';

async function load(units: string, files: Record<string, MemoryFile> = {}): Promise<LoadedPipeline> {
  const manifest = `pawl: 1\npipeline: p\ninputs: { o: ${Object.keys(files)[0] ?? 'o.yaml'} }\nunits: ${units}\n${phases}`;
  const result = await loadPipeline(memoryReader({ 'pawl.yaml': manifest, ...files }), 'pawl.yaml');
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

async function unitsOf(units: string, files: Record<string, MemoryFile> = {}) {
  const { pipeline } = await load(units, files);
  return pipeline.stages[0]?.units;
}

describe('units', () => {
  it('are names', async () => {
    const { pipeline, unitData } = await load('[a, b]');
    expect(pipeline.stages[0]).toMatchObject({ name: 'main', order: 'free' });
    expect(pipeline.stages[0]?.units).toEqual([
      { id: 'a', data: {}, needs: [] },
      { id: 'b', data: {}, needs: [] },
    ]);
    expect(unitData.size).toBe(0);
  });

  it('are maps with fields and needs', async () => {
    const { pipeline, unitData } = await load('[{ id: a, title: x, needs: [b] }, b]');
    expect(pipeline.stages[0]?.units).toEqual([
      { id: 'a', data: { id: 'a', title: 'x' }, needs: ['b'], title: 'x' },
      { id: 'b', data: {}, needs: [] },
    ]);
    expect([...unitData]).toEqual([['a', hashJson({ title: 'x', id: 'a' })]]);
  });

  it('are a list in a map, with an order', async () => {
    const { pipeline } = await load('{ list: [a, b], order: chain }');
    expect(pipeline.stages[0]).toMatchObject({ order: 'chain', units: [{ id: 'a' }, { id: 'b' }] });
  });

  it('are counted', async () => {
    expect(await unitsOf('{ count: 2 }')).toEqual([
      { id: '0', data: {}, needs: [], index: 0 },
      { id: '1', data: {}, needs: [], index: 1 },
    ]);
    const ids = (await unitsOf('{ count: 3, start: 9, id: "frame_{index:04}" }'))?.map(({ id }) => id);
    expect(ids).toEqual(['frame_0009', 'frame_0010', 'frame_0011']);
  });

  it('come from a list in a YAML file', async () => {
    const file =
      'title: x\nbook:\n  scenes:\n    - { chapter: 1, scene: 2, needs: [] }\n    - { chapter: 1, scene: 3 }\n';
    expect(
      await unitsOf('{ from: o.book.scenes, id: "ch{chapter:03}_sc{scene:03}" }', { 'o.yaml': file }),
    ).toEqual([
      { id: 'ch001_sc002', data: { chapter: 1, scene: 2 }, needs: [] },
      { id: 'ch001_sc003', data: { chapter: 1, scene: 3 }, needs: [] },
    ]);
  });

  it('come from a list in a JSON file, named by themselves', async () => {
    const file = '["a", {"id": "b", "needs": ["a"]}]';
    expect(await unitsOf('{ from: o, order: chain }', { 'o.json': file })).toEqual([
      { id: 'a', data: {}, needs: [] },
      { id: 'b', data: { id: 'b' }, needs: ['a'] },
    ]);
  });

  it('are files', async () => {
    const files = { 'src/b.txt': 'b', 'src/a.tar.txt': '', 'src/no.md': '', 'src/sub/c.txt': '' };
    const [a, b] = ['', 'b'].map((text) => hashBytes(Buffer.from(text)));
    expect(await unitsOf('{ glob: "src/*.txt" }', { 'o.yaml': '', ...files })).toEqual([
      {
        id: 'a.tar',
        data: { path: 'src/a.tar.txt', hash: a },
        needs: [],
        file: { path: 'src/a.tar.txt', hash: a },
      },
      { id: 'b', data: { path: 'src/b.txt', hash: b }, needs: [], file: { path: 'src/b.txt', hash: b } },
    ]);
    const names = await unitsOf('{ glob: "src/**/*.txt", id: "f-{name}" }', { 'o.yaml': '', ...files });
    expect(names?.map(({ id }) => id)).toEqual(['f-a.tar.txt', 'f-b.txt', 'f-c.txt']);
    const specs = { 'specs/login/spec.md': '', 'specs/deep/er/spec.md': '', 'specs/logout/spec.md': '' };
    const folders = await unitsOf('{ glob: "specs/*/spec.md", id: "{folder}" }', { 'o.yaml': '', ...specs });
    expect(folders?.map(({ id }) => id)).toEqual(['login', 'logout']);
  });

  it('name their file in a field', async () => {
    const list = '- { id: a, path: ./src/a.txt }\n- { id: b, path: src/gone.txt }\n';
    const hash = hashBytes(Buffer.from('a'));
    const { pipeline, unitFiles, fileTakers } = await load('{ from: o, file: path }', {
      'o.yaml': list,
      'src/a.txt': 'a',
    });
    expect(pipeline.stages[0]?.units.map(({ file }) => file)).toEqual([
      { path: 'src/a.txt', hash },
      { path: 'src/gone.txt', hash: undefined, isMissing: true },
    ]);
    expect(unitFiles.get('a')?.hash).toBe(hash);
    expect([...fileTakers]).toEqual(['a']);
    for (const [wrong, code] of [
      ['- a', 'missing-key'],
      ['- { id: a, path: 7 }', 'wrong-type'],
      ['- { id: a, path: ../x }', 'path-outside'],
    ] as const)
      await expect(load('{ from: o, file: path }', { 'o.yaml': wrong })).rejects.toThrow(code);
  });

  it('have their file as a part of its own, and as one with the fields for older results', async () => {
    const { unitData, unitDataWithFile } = await load('{ glob: "src/*.txt" }', {
      'o.yaml': '',
      'src/a.txt': 'a',
    });
    const hash = hashBytes(Buffer.from('a'));
    expect(unitData.get('a')).toBe(hashJson({ path: 'src/a.txt' }));
    expect(unitDataWithFile.get('a')).toBe(hashJson({ path: 'src/a.txt', hash }));
  });

  it('are fifty thousand without trouble, and with trouble at the very end', async () => {
    const many = Array.from({ length: 50_000 }, (_, at) => ({
      id: `u${at}`,
      n: at,
      needs: at === 0 ? [] : [`u${at - 1}`],
    }));
    const { pipeline, unitData } = await load('{ from: o }', { 'o.json': JSON.stringify(many) });
    expect(pipeline.stages[0]?.units).toHaveLength(50_000);
    expect(unitData.size).toBe(50_000);
    many.push({ id: 'u7', n: 7, needs: ['nobody'] });
    await expect(load('{ from: o }', { 'o.json': JSON.stringify(many) })).rejects.toThrow(
      /duplicate-unit.*\[50000\].*unknown-unit-need/,
    );
  });
});
