import { describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { type Hash, hashBytes } from '../../../base/hash.ts';
import { FileContent } from './file-content.ts';
import { surveyContent } from './unused-objects.ts';

const folder = '/store';
const text = (size: number, letter: string) => Buffer.from(letter.repeat(size));

/** Two packs: one of `a` and `b`, one of `c`; and the large `d`. */
async function filledStore(): Promise<{ disk: MemoryDisk; hashes: Record<'a' | 'b' | 'c' | 'd', Hash> }> {
  const disk = new MemoryDisk({ now: () => 1000 });
  const put = async (...contents: Uint8Array[]) => {
    const store = new FileContent(disk, folder, { durable: true });
    for (const bytes of contents) store.put(bytes);
    await store.close();
  };
  await put(text(10, 'a'), text(20, 'b'));
  await put(text(30, 'c'), text(70_000, 'd'));
  const hashes = { a: text(10, 'a'), b: text(20, 'b'), c: text(30, 'c'), d: text(70_000, 'd') };
  const entries = Object.entries(hashes).map(([name, bytes]) => [name, hashBytes(bytes)]);
  return { disk, hashes: Object.fromEntries(entries) };
}

function survey(disk: MemoryDisk, named: readonly Hash[], bornBeforeMs = 2000) {
  return surveyContent(disk, folder, (hash) => named.includes(hash), bornBeforeMs);
}

const kinds = ({ unused }: ReturnType<typeof surveyContent>) => unused.map(({ kind }) => kind).toSorted();

describe('what nobody names in a store', () => {
  it('is nothing where all is named', async () => {
    const { disk, hashes } = await filledStore();
    expect(survey(disk, Object.values(hashes))).toEqual({
      unused: [],
      partly: { packs: 0, objects: 0, bytes: 0 },
      young: { files: 0, bytes: 0 },
    });
  });

  it('is a whole pack, or told of a pack that stays', async () => {
    const { disk, hashes } = await filledStore();
    const found = survey(disk, [hashes.a, hashes.d]);
    expect(kinds(found)).toEqual(['leftover', 'pack']);
    expect(found.partly).toEqual({ packs: 1, objects: 1, bytes: 20 });
  });

  it('is found without an index, behind one and with one that is wrong', async () => {
    const { disk, hashes } = await filledStore();
    const indexes = (disk.list(`${folder}/packs`) ?? []).filter((name) => name.endsWith('.idx'));
    for (const name of indexes) disk.remove(`${folder}/packs/${name}`);
    expect(survey(disk, [hashes.a, hashes.d]).partly).toMatchObject({ objects: 1 });
    for (const name of indexes) disk.putFile(`${folder}/packs/${name}`, 'pawl-index 1 0 0 synced\nwrong');
    expect(survey(disk, [hashes.a, hashes.d]).partly).toMatchObject({ objects: 1 });
  });

  it('counts what was written behind an index', async () => {
    const { disk, hashes } = await filledStore();
    const more = text(5, 'e');
    const record = Buffer.from(`${hashBytes(more).slice('sha256:'.length)} 5\n${more}\n`);
    const [pack = ''] = (disk.list(`${folder}/packs`) ?? []).filter((name) => name.endsWith('.pack'));
    const path = `${folder}/packs/${pack}`;
    disk.putFile(path, Buffer.concat([disk.read(path) ?? record, record]));
    const named = [hashBytes(more), hashes.d];
    // One of the packs is kept by what stands behind its index alone.
    expect(kinds(survey(disk, named))).toEqual(['leftover', 'pack']);
    expect(survey(disk, named).partly.packs).toBe(1);
  });

  it('is never a pack that cannot be read', async () => {
    const { disk } = await filledStore();
    disk.failWhen(({ operation, path }) =>
      operation === 'read' && path.endsWith('.pack') ? { kind: 'error', code: 'EIO' } : undefined,
    );
    for (const name of disk.list(`${folder}/packs`) ?? [])
      if (name.endsWith('.idx')) disk.remove(`${folder}/packs/${name}`);
    expect(kinds(survey(disk, []))).toEqual(['object']);
  });

  it('is left alone while it is young', async () => {
    const { disk } = await filledStore();
    expect(survey(disk, [], 1000)).toMatchObject({ unused: [], young: { files: 3 } });
    expect(kinds(survey(disk, [], 1001))).toEqual(['leftover', 'leftover', 'object', 'pack', 'pack']);
  });

  it('is nothing in a folder that is not there', () => {
    expect(survey(new MemoryDisk(), []).unused).toEqual([]);
  });
});
