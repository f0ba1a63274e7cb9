import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileThread } from './file-thread.ts';
import { nodeDisk } from './node-disk.ts';

let folder: string;
let thread: FileThread;

const text = (bytes: string) => new TextEncoder().encode(bytes);
const at = (name: string | number) => join(folder, String(name));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-thread-'));
  thread = new FileThread(0);
});

afterEach(async () => {
  await thread.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks until it is there: nothing says when. */
async function started(): Promise<FileThread> {
  while (thread.move(at('nothing'), at('nowhere')) === undefined) await new Promise(setImmediate);
  return thread;
}

/** Enough at once for them to be passed on. */
function createAll(names: readonly string[], bytes = text('bytes')) {
  return Promise.all(names.map((name) => thread.create(at(name), bytes)));
}

const many = Array.from({ length: 50 }, (_, number) => `file ${number}`);

describe('a thread for files', () => {
  it('takes nothing on before so many files were asked for', async () => {
    const reluctant = new FileThread(3);
    for (let time = 0; time < 3; time++) expect(reluctant.create(at(time), text('x'))).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
    await reluctant.close();
  });

  it('makes files as the disk would', async () => {
    await started();
    const contents = many.map((name, number) => text(name.repeat(number * 40)));
    const made = await Promise.all(
      many.map((name, number) => thread.create(at(name), contents[number] ?? text(''))),
    );
    for (const [number, name] of many.entries()) {
      expect(Buffer.compare(readFileSync(at(name)), contents[number] ?? text(''))).toBe(0);
      expect(made[number]).toEqual(nodeDisk.stat(at(name)));
    }
  });

  it('lets others read them as the umask says, as the disk does for outputs', async () => {
    await started();
    await createAll(many);
    nodeDisk.create(at('by the disk'), 'shared').close();
    const modes = [...many, 'by the disk'].map((name) => statSync(at(name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o666 & ~process.umask()]));
  });

  it('has copied the bytes before it answers: their owner may use them for something else', async () => {
    await started();
    const bytes = text('before');
    const made = createAll(many, bytes);
    bytes.fill(0);
    await made;
    expect(new Set(many.map((name) => readFileSync(at(name), 'utf8')))).toEqual(new Set(['before']));
  });

  it('leaves a file alone whose name is taken, and says so; the others are made', async () => {
    writeFileSync(at('file 7'), 'mine');
    await started();
    const made = await createAll(many);
    expect(made.map((stat) => stat === undefined).indexOf(true)).toBe(7);
    expect(made.filter((stat) => stat === undefined)).toHaveLength(1);
    expect(readFileSync(at('file 7'), 'utf8')).toBe('mine');
  });

  it('makes no folders', async () => {
    await started();
    expect(await createAll(many.map((name) => `sub/${name}`))).toEqual(many.map(() => undefined));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('moves to where nothing stands, and never over anything', async () => {
    for (const name of many) writeFileSync(at(name), name);
    mkdirSync(at('to'));
    writeFileSync(at('to/file 3'), 'mine');
    mkdirSync(at('to/file 4'));
    await started();
    const moved = await Promise.all(many.map((name) => thread.move(at(name), at(`to/${name}`))));
    expect(moved).toEqual(many.map((_, number) => number !== 3 && number !== 4));
    expect(readFileSync(at('to/file 3'), 'utf8')).toBe('mine');
    expect(readFileSync(at('file 3'), 'utf8')).toBe('file 3');
    expect(readFileSync(at('to/file 5'), 'utf8')).toBe('file 5');
    expect(readdirSync(folder).toSorted()).toEqual(['file 3', 'file 4', 'to']);
  });

  it('leaves the few of a turn, and what is large, to those who asked', async () => {
    await started();
    expect(await thread.create(at('alone'), text('x'))).toBeUndefined();
    expect(thread.create(at('large'), new Uint8Array(65_537))).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('answers all that it has not done when somebody else ends it', async () => {
    const seen: Worker[] = [];
    const see = (worker: Worker) => seen.push(worker);
    process.once('worker', see);
    await started();
    const asked = many.map((name) => thread.create(at(name), text('x')));
    await seen[0]?.terminate();
    expect((await Promise.all(asked)).every((stat) => stat === undefined || stat.size === 1)).toBe(true);
    expect(thread.create(at('later'), text('x'))).toBeUndefined();
  });

  it('answers all that it has not done when it is closed, and takes on nothing more', async () => {
    await started();
    const asked = many.map((name) => thread.create(at(name), text('x')));
    await thread.close();
    expect((await Promise.all(asked)).every((stat) => stat === undefined || stat.size === 1)).toBe(true);
    expect(thread.create(at('later'), text('x'))).toBeUndefined();
    expect(thread.move(at('later'), at('latest'))).toBeUndefined();
  });
});
