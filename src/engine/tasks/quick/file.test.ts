import { beforeAll, describe, expect, it } from 'vitest';
import { next, nextPath, startedWorld } from '../../../../test/fixtures/claimed.ts';
import { demand, root, type TestEnvironment } from '../../../../test/fixtures/memory.ts';
import { hashBytes } from '../../../base/hash.ts';
import { MemoryDisk } from '../../../disk/memory-disk.ts';
import { sealOf } from '../../settled/seal.ts';
import { parseOffer, readNext, writeNext } from './file.ts';

let env: TestEnvironment;
let text: string;

beforeAll(async () => {
  env = await startedWorld();
  demand(await next(env, 'ann'));
  text = new TextDecoder().decode(env.disk.read(nextPath));
});

const readBack = (content: string | Uint8Array) => {
  const disk = new MemoryDisk();
  disk.putFile(nextPath, content);
  return readNext(disk, root);
};

const sealed = (...lines: string[]) => {
  const body = lines.map((line) => `${line}\n`).join('');
  return `${body}${sealOf(hashBytes(body))}`;
};

describe('what is remembered to be next', () => {
  it('is read as it was written', () => {
    const file = readBack(text);
    if (file === undefined) throw new Error('nothing was read');
    const disk = new MemoryDisk();
    disk.makeFolder(`${root}/.pawl`);
    writeNext(disk, root, file);
    expect(new TextDecoder().decode(disk.read(nextPath))).toBe(text);
    expect(file.offers.map((line) => parseOffer(line)?.task.unit)).toEqual(['t2', 't4', 't7', 't5']);
  });

  it('is nothing where there is none', () => {
    expect(readNext(new MemoryDisk(), root)).toBeUndefined();
  });

  it('is not believed when it was cut anywhere', () => {
    for (let length = 0; length < text.length; length++)
      expect(readBack(text.slice(0, length)), `${length} bytes`).toBeUndefined();
  });

  it('is not believed with another byte', () => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at++) {
      const other = Uint8Array.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      expect(readBack(other), `byte ${at}`).toBeUndefined();
    }
  });

  it.each([
    ['nothing', sealed()],
    ['no JSON', sealed('{', '{')],
    ['another format', sealed('{"pawl":"settled","version":2}', '{}')],
    ['a list', sealed('[]', '[]')],
    ['no second line', sealed('{"pawl":"next","version":2}')],
  ])('is not believed with %s in it, sealed as it should be', (_, content) => {
    expect(readBack(content)).toBeUndefined();
  });

  it('of a later version is not believed', () => {
    const [first = '', ...others] = text.trimEnd().split('\n').slice(0, -1);
    expect(readBack(sealed(first, ...others))).toBeDefined();
    expect(readBack(sealed(first.replace('"version":2', '"version":3'), ...others))).toBeUndefined();
  });

  it('has places that are none in it: then it is not believed', () => {
    const [first = '', second = '', ...others] = text.trimEnd().split('\n').slice(0, -1);
    expect(readBack(sealed(first, second.replace('"epoch":', '"epoch":-'), ...others))).toBeUndefined();
    expect(readBack(sealed(first.replace('pawl.yaml', 'a\\u0000b'), second, ...others))).toBeUndefined();
  });
});
