import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksum, hashBytes, hashJson, parseHash, shortHash } from './hash.ts';

const ofAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('hashBytes', () => {
  it('is the SHA-256 of the bytes, in one spelling', () => {
    expect(hashBytes('abc')).toBe(`sha256:${ofAbc}`);
    expect(hashBytes(new Uint8Array([0x61, 0x62, 0x63]))).toBe(`sha256:${ofAbc}`);
    expect(hashBytes('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('takes a text as UTF-8', () => {
    expect(hashBytes('€')).toBe(hashBytes(Buffer.from('€', 'utf8')));
  });
});

describe('hashJson', () => {
  it('does not depend on the order of keys, at any depth', () => {
    expect(hashJson({ a: { b: 1, c: 2 }, d: 3 })).toBe(hashJson({ d: 3, a: { c: 2, b: 1 } }));
    expect(hashJson({ a: { b: 1, c: 2 } })).not.toBe(hashJson({ a: { b: 1, c: 3 } }));
  });
});

describe('parseHash', () => {
  it.each([
    `sha256:${ofAbc}`,
    ofAbc,
    ofAbc.toUpperCase(),
    `SHA256:${ofAbc.toUpperCase()}`,
    `  sha256:${ofAbc}\n`,
  ])('reads the spelling %j', (text) => {
    expect(parseHash(text)).toBe(`sha256:${ofAbc}`);
  });

  it.each([
    '',
    'sha256:',
    ofAbc.slice(0, 63),
    `${ofAbc}0`,
    `sha256:${ofAbc.slice(0, 12)}`,
    `sha512:${ofAbc}`,
    `sha256:${ofAbc.slice(0, 63)}g`,
    `sha256-${ofAbc}`,
    `sha256:${ofAbc} sha256:${ofAbc}`,
  ])('cannot verify with %j', (text) => {
    expect(parseHash(text)).toBeUndefined();
  });

  it('reads whatever was written', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(parseHash(hashBytes(bytes))).toBe(hashBytes(bytes));
      }),
    );
  });
});

describe('shortHash', () => {
  it('shows eight digits', () => {
    expect(shortHash(`sha256:${ofAbc}`)).toBe('sha256:ba7816bf');
  });
});

describe('checksum', () => {
  it('is twelve characters of the hash', () => {
    expect(checksum('abc')).toBe('ungWv48Bz-pB');
    expect(checksum(Buffer.from('abc'))).toBe(checksum('abc'));
  });
});
