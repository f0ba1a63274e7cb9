/** Numbers that look random and are the same again from the same seed: a failing case can be replayed. */
export interface Random {
  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number;
  bytes(length: number): Uint8Array;
}

export function seededRandom(seed: number): Random {
  let state = seed | 0;
  // A Weyl sequence through a mixer: neighbouring seeds give unrelated numbers.
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  return {
    below: (limit) => next() % limit,
    bytes: (length) => {
      const words = new Uint32Array(Math.ceil(length / 4));
      for (let index = 0; index < words.length; index++) words[index] = next();
      return new Uint8Array(words.buffer, 0, length);
    },
  };
}
