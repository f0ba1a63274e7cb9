import { describe, expect, it } from 'vitest';
import { book, bookFiles } from '../../../test/fixtures/pipelines.ts';
import { definePipeline, type PipelineDefinition } from '../../pipeline/define.ts';
import { buildPipeline } from '../../pipeline/load.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import { memoryReader } from '../../pipeline/memory-reader.ts';
import { hashPipeline } from './pipeline-hash.ts';

async function load(definition: PipelineDefinition, files: Record<string, string> = bookFiles) {
  const { manifest, functions } = definePipeline(definition);
  const source = { file: '', locate: () => undefined, functions };
  const loaded = await buildPipeline(memoryReader(files), manifest, source);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return loaded.value;
}

describe('the hash of a pipeline', () => {
  it('is the same each time', async () => {
    expect(hashPipeline(await load(book()))).toBe(hashPipeline(await load(book())));
  });

  it('is another when anything is', async () => {
    const plain = await load(book());
    const state = { path: 'state.json', initial: 'seed.json', cascade: 'rerun' } as const;
    const others: LoadedPipeline[] = [
      await load(book({ pipeline: 'other' })),
      await load(book({ identity: { book: 'x' } })),
      await load(book({ state })),
      await load(book({ units: { list: ['s1', 's2'], order: 'chain' } })),
      await load(book({ units: { list: [{ id: 's1', x: 1 }, 's2', 's3'], order: 'chain' } })),
      await load(book({ layout: { ledger: 'ledger/{unit}.json' } })),
      await load(book({}, { params: { strict: true } })),
      await load(book(), { ...bookFiles, 'write.md': 'Sing.' }),
      await load(book(), { ...bookFiles, 'voice.md': ' Loudly.' }),
      await load(book(), { ...bookFiles, 'book/write.md': 'Sing.' }),
      { ...plain, unitData: new Map([['s1', 'sha256:0']]) },
    ];
    const hashes = [plain, ...others].map(hashPipeline);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('tells where one stage ends and the next begins', async () => {
    const stagesOf = (first: number, second: number) => {
      const phases = (name: string) => ({
        [name]: { run: { command: ['true'] }, outputs: { o: `${name}/{unit}` } },
      });
      return load({
        pawl: 1,
        pipeline: 'p',
        stages: [
          { name: 'one', units: { count: first, id: 'u{index}' }, phases: phases('a') },
          { name: 'two', units: { count: second, start: first, id: 'u{index}' }, phases: phases('b') },
        ],
      });
    };
    const lengths = [1, 255, 256, 257, 511];
    const hashes = await Promise.all(
      lengths.map(async (first) => hashPipeline(await stagesOf(first, 512 - first))),
    );
    expect(new Set(hashes).size).toBe(lengths.length);
  });

  it('is not made of what cannot be compared', async () => {
    const loaded = await load(book());
    const odd = { ...loaded, pipeline: { ...loaded.pipeline, later: () => 1 } };
    expect(() => hashPipeline(odd)).toThrow('a pipeline is data');
  });
});
