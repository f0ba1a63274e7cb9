import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CrashSignal, MemoryDisk } from '../../test/memory/memory-disk.ts';
import type { Disk } from './disk.ts';
import { createWhole, newTempName, replaceFile, writeAll } from './write.ts';

/** Puts the bytes at the path and answers when they are meant to be safe. */
type Put = (disk: Disk, path: string, bytes: Uint8Array) => Promise<unknown>;

const path = '/work/file';
const statesMax = 2_000;

/**
 * Puts the contents one after the other, and cuts the power before and after every call and at the end, in
 * every way there is.
 * Each disk that is left must hold one content whole: the last that was answered, or the one under way.
 */
async function brokenStates(
  put: Put,
  contents: readonly Uint8Array[],
): Promise<{ broken: string[]; states: number }> {
  const broken: string[] = [];
  let states = 0;
  const disk = new MemoryDisk();
  disk.putFile('/work/neighbour', 'untouched');
  // Before anything was put, no file is the right answer.
  let allowed: (Uint8Array | undefined)[] = [undefined];
  const inspect = (call: string) => {
    for (const state of disk.crashStates(statesMax)) {
      states += 1;
      const found = state.disk.read(path);
      const right = allowed.some((bytes) => isEqual(bytes, found));
      if (right && textOf(state.disk.read('/work/neighbour')) === 'untouched') continue;
      broken.push(`${call}: ${state.describe()}`);
    }
  };
  disk.watch((call, moment) => inspect(`${moment} #${call.number} ${call.operation}`));
  for (const bytes of contents) {
    allowed = [allowed.at(-1), bytes];
    await put(disk, path, bytes);
    allowed = [bytes];
    inspect('after the answer');
  }
  return { broken, states };
}

const content = fc.uint8Array({ minLength: 1, maxLength: 64 });
const oneAndAnother = [bytesOf('first content'), bytesOf('second, longer content'), bytesOf('3')];

describe('a file is replaced whole or not at all, whenever the power fails', () => {
  const durable: Put = (disk, target, bytes) => replaceFile(disk, target, bytes, { durable: true });

  test('in every state of a plain case', async () => {
    const { broken, states } = await brokenStates(durable, oneAndAnother);
    expect(broken).toEqual([]);
    expect(states).toBeGreaterThan(50);
  });

  test('for any contents', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 4 }), async (contents) => {
        expect((await brokenStates(durable, contents)).broken).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test('also when writes are short', async () => {
    const short: Put = (disk, target, bytes) => durable(shortWriting(disk, 3), target, bytes);
    expect((await brokenStates(short, oneAndAnother)).broken).toEqual([]);
  });
});

describe('a whole new file is there with all its bytes or not there, whenever the power fails', () => {
  test('with hard links', async () => {
    const { broken } = await brokenStates(
      (disk, target, bytes) => createWhole(disk, target, bytes),
      [bytesOf('whole')],
    );
    expect(broken).toEqual([]);
  });
});

describe('the check finds what is wrong with', () => {
  test('no sync of the file', async () => {
    const { broken } = await brokenStates(replaceWithout('sync'), oneAndAnother);
    expect(broken.length).toBeGreaterThan(0);
  });

  test('no sync of the folder', async () => {
    const { broken } = await brokenStates(replaceWithout('syncFolder'), oneAndAnother);
    expect(broken.some((state) => state.startsWith('after the answer'))).toBe(true);
    expect(broken.length).toBeGreaterThan(0);
  });

  test('a sync that is not waited for', async () => {
    const { broken } = await brokenStates(replaceWithout('waiting'), oneAndAnother);
    expect(broken.length).toBeGreaterThan(0);
  });

  test('a short write that is not noticed', async () => {
    const careless: Put = (disk, target, bytes) =>
      replaceWithout('write-all')(shortWriting(disk, 3), target, bytes);
    const { broken } = await brokenStates(careless, oneAndAnother);
    expect(broken.length).toBeGreaterThan(0);
  });

  test('writing in place', async () => {
    const inPlace: Put = async (disk, target, bytes) => {
      disk.remove(target);
      const file = disk.create(target);
      writeAll(file, bytes, target);
      await file.sync();
      file.close();
      await disk.syncFolder('/work');
    };
    expect((await brokenStates(inPlace, oneAndAnother)).broken.length).toBeGreaterThan(0);
  });

  test('nothing at all, in the same code with nothing left out', async () => {
    expect((await brokenStates(replaceWithout('nothing'), oneAndAnother)).broken).toEqual([]);
  });
});

test('a process that is killed at any call leaves the old file or the new one, and the next one goes on', async () => {
  const [before, after] = [bytesOf('before'), bytesOf('after')];
  const start = new MemoryDisk();
  start.putFile(path, before);
  const whole = start.kill();
  await replaceFile(whole, path, after, { durable: true });
  for (let number = 1; number <= whole.calls; number++) {
    for (const when of ['before', 'during', 'after'] as const) {
      const dying = start.kill();
      dying.failAt(number, { kind: 'crash', when });
      await expect(replaceFile(dying, path, after, { durable: true })).rejects.toThrow(CrashSignal);
      const next = dying.kill();
      expect([textOf(before), textOf(after)]).toContain(textOf(next.read(path)));
      await replaceFile(next, path, after, { durable: true });
      expect(next.crash().read(path)).toEqual(after);
    }
  }
});

/** `replaceFile` with one step left out. */
function replaceWithout(step: 'nothing' | 'sync' | 'syncFolder' | 'waiting' | 'write-all'): Put {
  return async (disk, target, bytes) => {
    const temp = `/work/${newTempName()}`;
    const file = disk.create(temp);
    if (step === 'write-all') file.write(bytes);
    else writeAll(file, bytes, temp);
    const syncing = step === 'sync' ? undefined : file.sync();
    if (step !== 'waiting') await syncing;
    disk.rename(temp, target);
    await syncing;
    file.close();
    if (step !== 'syncFolder') await disk.syncFolder('/work');
  };
}

/** A disk whose writes take a few bytes at a time. */
function shortWriting(disk: Disk, bytesMax: number): Disk {
  return new Proxy(disk, {
    get(target, key) {
      if (key !== 'create') {
        const member: unknown = Reflect.get(target, key);
        return typeof member === 'function' ? member.bind(target) : member;
      }
      return (name: string) => {
        const file = target.create(name);
        return { ...file, write: (bytes: Uint8Array) => file.write(bytes.subarray(0, bytesMax)) };
      };
    },
  });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

function isEqual(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
}
