import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryDisk } from '../../../test/memory/memory-disk.ts';
import { hashBytes } from '../../base/hash.ts';
import { AnswerFile, answerBytesMax, readAnswer } from './answer-files.ts';

const folder = '/w/attempts/a/write/1';
const key = hashBytes('call');
const prompt = hashBytes('prompt');
const call = { model: 'p/m', finish: 'stop', ms: 12 };
const cost = { usd: 0.5, inputTokens: 3 };

function newDisk(): MemoryDisk {
  const disk = new MemoryDisk();
  // Whatever lies in the workspace before is safe.
  disk.putFile('/w/pawl.yaml', '');
  return disk;
}

async function keep(disk: MemoryDisk, pieces: readonly string[], isDurable = true): Promise<AnswerFile> {
  const file = await AnswerFile.open(disk, folder, isDurable);
  for (const piece of pieces) file.push(piece);
  await file.complete({ key, prompt, call, cost });
  return file;
}

const textOf = (disk: MemoryDisk, name: string) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(disk.read(`${folder}/${name}`) ?? new Uint8Array());
const put = (disk: MemoryDisk, name: string, text: string | Uint8Array) =>
  disk.putFile(`${folder}/${name}`, text);

describe('an answer', () => {
  it('is on disk while it arrives', async () => {
    const disk = newDisk();
    const file = await AnswerFile.open(disk, folder, true);
    file.push('Hel');
    expect(textOf(disk, 'response.txt')).toBe('Hel');
    file.push('lo');
    expect(textOf(disk, 'response.txt')).toBe('Hello');
    expect([file.text, file.bytes]).toEqual(['Hello', 5]);
    expect(disk.stat(`${folder}/answer.json`)).toBeUndefined();
    expect(readAnswer(disk, folder)).toBeUndefined();
    file.close();
    expect(disk.openFiles).toBe(0);
  });

  it('that is whole comes back with all that is known of it', async () => {
    const disk = newDisk();
    await keep(disk, ['Hel', 'lo']);
    expect(readAnswer(disk, folder)).toEqual({ key, prompt, text: 'Hello', call, cost });
    expect(disk.openFiles).toBe(0);
  });

  it('may be empty, and may have been asked without a prompt of its own', async () => {
    const disk = newDisk();
    const file = await AnswerFile.open(disk, folder, false);
    await file.complete({ key, prompt: undefined, call, cost: {} });
    expect(readAnswer(disk, folder)).toEqual({ key, prompt: undefined, text: '', call, cost: {} });
  });

  it('is the same however it was cut, between the halves of a character as well', async () => {
    const pieces = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\uD83E', '\uDD8A', '\uFEFF', '')),
      {
        maxLength: 8,
      },
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (all) => {
        const disk = newDisk();
        const file = await keep(disk, all);
        const text = all.join('');
        expect(file.text).toBe(text);
        const bytes = new TextEncoder().encode(text);
        expect(disk.read(`${folder}/response.txt`) ?? new Uint8Array()).toEqual(bytes);
        expect(file.bytes).toBe(bytes.length);
        // Half a character has no bytes: it comes back as the sign for that.
        expect(readAnswer(disk, folder)?.text).toBe(Buffer.from(text).toString());
      }),
      { numRuns: 200 },
    );
  });

  it('that begins with a mark of byte order is found again', async () => {
    const disk = newDisk();
    await keep(disk, ['\uFEFFHello']);
    expect(readAnswer(disk, folder)?.text).toBe('\uFEFFHello');
  });
});

describe('an answer after a crash', () => {
  it('is whole or not there, at whatever call the process died', async () => {
    const whole = newDisk();
    await keep(whole, ['Hel', 'lo']);
    let found = 0;
    for (let number = 1; number <= whole.calls; number++) {
      const when = number % 2 === 0 ? 'after' : 'during';
      const disk = newDisk();
      disk.failAt(number, { kind: 'crash', when });
      await keep(disk, ['Hel', 'lo']).catch(() => undefined);
      const left = readAnswer(disk.kill(), folder);
      if (left !== undefined) {
        expect(left.text).toBe('Hello');
        found += 1;
      }
    }
    expect(found).toBeGreaterThan(0);
  });

  it('is whole or not there when the power fails: the bytes are safe before what vouches for them', async () => {
    const disk = newDisk();
    const states: (string | undefined)[] = [];
    disk.watch((_, moment) => {
      if (moment === 'after')
        for (const state of disk.crashStates(50)) states.push(readAnswer(state.disk, folder)?.text);
    });
    await keep(disk, ['Hel', 'lo']);
    expect(new Set(states)).toEqual(new Set([undefined, 'Hello']));
    const [last] = disk.crashStates(1);
    expect(last && readAnswer(last.disk, folder)?.text).toBe('Hello');
  });
});

describe('what an attempt has left is no answer', () => {
  async function changed(change: (disk: MemoryDisk, said: Record<string, unknown>) => void) {
    const disk = newDisk();
    await keep(disk, ['Hello']);
    const said = JSON.parse(textOf(disk, 'answer.json')) as Record<string, unknown>;
    change(disk, said);
    return readAnswer(disk, folder);
  }
  const saying = (more: Record<string, unknown>) =>
    changed((disk, said) => put(disk, 'answer.json', JSON.stringify({ ...said, ...more })));

  it('where nothing was said of it, or nothing lies there', () => {
    expect(readAnswer(newDisk(), folder)).toBeUndefined();
    const disk = newDisk();
    put(disk, 'response.txt', 'Hello');
    expect(readAnswer(disk, folder)).toBeUndefined();
  });

  it('where its text is torn, longer, another one or gone', async () => {
    for (const text of ['Hell', 'Hello!', 'hello', ''])
      expect(await changed((disk) => put(disk, 'response.txt', text))).toBeUndefined();
    expect(await changed((disk) => disk.remove(`${folder}/response.txt`))).toBeUndefined();
  });

  it('where its bytes are no text any more', async () => {
    const disk = newDisk();
    await keep(disk, ['\uFFFD']);
    put(disk, 'response.txt', new Uint8Array([0xff]));
    expect(readAnswer(disk, folder)).toBeUndefined();
  });

  it('where what was said of it cannot be read', async () => {
    for (const text of ['', '{', 'null', '[]', '"x"', '{}'])
      expect(await changed((disk) => put(disk, 'answer.json', text))).toBeUndefined();
    expect(await changed((disk) => put(disk, 'answer.json', new Uint8Array([0xff, 0xfe])))).toBeUndefined();
    expect(await changed((disk) => put(disk, 'answer.json', ' '.repeat(64 * 1024 + 1)))).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['another version', { version: 2 }],
    ['no key', { key: 'x' }],
    ['no hash', { hash: 7 }],
    ['another hash', { hash: hashBytes('other') }],
    ['no call', { call: undefined }],
    ['a call without a model', { call: { ms: 1 } }],
    ['a call without a time', { call: { model: 'p/m' } }],
    ['no cost', { cost: [] }],
    ['a cost that is no number', { cost: { usd: 'much' } }],
  ])('where it says %s', async (_, more) => {
    expect(await saying(more)).toBeUndefined();
  });

  it('but one without a prompt, or with one that is none, is still one', async () => {
    expect(await saying({ prompt: undefined })).toMatchObject({ text: 'Hello', prompt: undefined });
    expect(await saying({ prompt: 'x' })).toMatchObject({ text: 'Hello', prompt: undefined });
  });

  it('where it is larger than any answer may be', async () => {
    const disk = newDisk();
    const text = 'x'.repeat(answerBytesMax + 1);
    await keep(disk, [text], false);
    expect(readAnswer(disk, folder)).toBeUndefined();
  });
});
