import { describe, expect, test } from 'vitest';
import { CrashSignal, MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { type Hash, hashBytes } from '../../../base/hash.ts';
import { FileContent } from './file-content.ts';
import { packedBytesMax } from './object-name.ts';

const folder = '/work/.pawl/objects';
const statesPerCrash = 24;

/** What a resolved flush promised. */
type Acknowledged = Map<Hash, Uint8Array>;

function small(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function large(seed: number): Uint8Array {
  return new Uint8Array(packedBytesMax + 1 + seed).fill(seed);
}

/** Two large objects that lie in one folder. */
function neighbours(): [Uint8Array, Uint8Array] {
  const byFolder = new Map<string, Uint8Array>();
  for (let seed = 0; ; seed++) {
    const bytes = large(seed);
    const name = hashBytes(bytes).slice(7, 9);
    const other = byFolder.get(name);
    if (other !== undefined) return [other, bytes];
    byFolder.set(name, bytes);
  }
}

function newDisk(): MemoryDisk {
  const disk = new MemoryDisk();
  disk.putFile('/work/pawl.yaml', '');
  return disk;
}

async function putAll(
  store: FileContent,
  objects: readonly Uint8Array[],
  acknowledged: Acknowledged,
): Promise<void> {
  for (const bytes of objects) store.put(bytes);
  await store.flush();
  for (const bytes of objects) acknowledged.set(hashBytes(bytes), bytes);
}

const scenarios: Record<string, (disk: MemoryDisk, acknowledged: Acknowledged) => Promise<void>> = {
  'one store': async (disk, acknowledged) => {
    const store = new FileContent(disk, folder, { durable: true });
    await putAll(store, [small('one'), small('two')], acknowledged);
    await putAll(store, [small('three'), large(1)], acknowledged);
    await putAll(store, [large(2), large(3)], acknowledged);
    await store.close();
  },

  'a file that is streamed in': async (disk, acknowledged) => {
    const store = new FileContent(disk, folder, { durable: true });
    disk.putFile('/work/output', large(4));
    const stored = await store.putFile('/work/output');
    await store.flush();
    if (stored !== undefined) acknowledged.set(stored.hash, large(4));
  },

  'large objects in one folder, one after the other': async (disk, acknowledged) => {
    const store = new FileContent(disk, folder, { durable: true });
    for (const bytes of neighbours()) await putAll(store, [bytes], acknowledged);
  },

  'a store after another one': async (disk, acknowledged) => {
    const first = new FileContent(disk, folder, { durable: true });
    await putAll(first, [small('one'), large(1)], acknowledged);
    await first.close();
    const second = new FileContent(disk, folder, { durable: true });
    await putAll(second, [small('one'), large(1), small('new')], acknowledged);
    await second.close();
  },

  'bytes that another process wrote and did not sync': async (disk, acknowledged) => {
    const slow = new FileContent(disk, folder, { durable: true });
    slow.put(small('same'));
    slow.put(large(1));
    void slow.flush().catch(() => undefined);
    await Promise.resolve();
    const store = new FileContent(disk, folder, { durable: true });
    await putAll(store, [small('same'), large(1)], acknowledged);
  },

  'bytes of a store that promised less': async (disk, acknowledged) => {
    const careless = new FileContent(disk, folder, { durable: false });
    careless.put(small('same'));
    careless.put(large(1));
    await careless.close();
    const store = new FileContent(disk, folder, { durable: true });
    await putAll(store, [small('same'), large(1)], acknowledged);
  },
};

function expectAll(disk: MemoryDisk, acknowledged: Acknowledged, where: string): void {
  const store = new FileContent(disk, folder, { durable: true });
  for (const [hash, bytes] of acknowledged) {
    const found = store.get(hash);
    if (!(found instanceof Uint8Array) || Buffer.compare(found, bytes) !== 0) {
      expect.fail(`${where}: ${bytes.length} bytes are ${found instanceof Uint8Array ? 'others' : found}`);
    }
  }
}

describe.each(Object.keys(scenarios))('%s', (name) => {
  const run = scenarios[name];
  if (run === undefined) throw new Error(name);

  test('a power cut at any call loses nothing that a flush answered for', async () => {
    const whole = newDisk();
    const everything: Acknowledged = new Map();
    await run(whole, everything);
    expect(everything.size).toBeGreaterThan(0);
    for (const state of whole.crashStates(statesPerCrash))
      expectAll(state.disk, everything, state.describe());

    for (let call = 1; call <= whole.calls; call++) {
      for (const when of ['before', 'during', 'after'] as const) {
        const disk = newDisk();
        const acknowledged: Acknowledged = new Map();
        disk.failAt(call, { kind: 'crash', when });
        await run(disk, acknowledged).catch((error: unknown) => {
          if (!(error instanceof CrashSignal)) throw error;
        });
        expectAll(disk.kill(), acknowledged, `killed ${when} call ${call}`);
        for (const state of disk.crashStates(statesPerCrash)) {
          expectAll(state.disk, acknowledged, `power cut ${when} call ${call}: ${state.describe()}`);
        }
      }
    }
  });

  // When the sync of another process fails, the kernel drops what no later sync of ours can bring back.
  test.skipIf(name.includes('another process'))(
    'an error at any call is told by a flush, or nothing was lost by it',
    async () => {
      const whole = newDisk();
      await run(whole, new Map());
      for (let call = 1; call <= whole.calls; call++) {
        const disk = newDisk();
        const acknowledged: Acknowledged = new Map();
        disk.failAt(call, { kind: 'error', code: 'EIO' });
        await run(disk, acknowledged).catch((error: unknown) => expect(error).toMatchObject({ code: 'EIO' }));
        for (const state of disk.crashStates(statesPerCrash)) {
          expectAll(state.disk, acknowledged, `error at call ${call}: ${state.describe()}`);
        }
      }
    },
  );
});
