import * as zlib from 'node:zlib';

/** The checksum of PNG and zip: that of Node where it has one (20.15, 22.2), which is ten times as fast as ours. */
export const crc32: (bytes: Uint8Array) => number =
  typeof zlib.crc32 === 'function' ? (bytes) => zlib.crc32(bytes) : crc32ByTable;

/** The same in plain JavaScript, eight bytes at a time: table `n` holds what a byte does that `n` more follow. */
export function crc32ByTable(bytes: Uint8Array): number {
  tables ??= makeTables();
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const eights = bytes.length - (bytes.length % 8);
  let crc = -1;
  let at = 0;
  for (; at < eights; at += 8) {
    const low = crc ^ view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    crc =
      look(t7, low) ^
      look(t6, low >>> 8) ^
      look(t5, low >>> 16) ^
      look(t4, low >>> 24) ^
      look(t3, high) ^
      look(t2, high >>> 8) ^
      look(t1, high >>> 16) ^
      look(t0, high >>> 24);
  }
  for (; at < bytes.length; at++) crc = look(t0, crc ^ view.getUint8(at)) ^ (crc >>> 8);
  return ~crc >>> 0;
}

type Table = Int32Array;
type Tables = readonly [Table, Table, Table, Table, Table, Table, Table, Table];

let tables: Tables | undefined;

function look(table: Table, byte: number): number {
  return table[byte & 0xff] as number;
}

function makeTables(): Tables {
  const first = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    first[byte] = crc;
  }
  const next = (table: Table) => table.map((crc) => look(first, crc) ^ (crc >>> 8));
  const second = next(first);
  const third = next(second);
  const fourth = next(third);
  const fifth = next(fourth);
  const sixth = next(fifth);
  const seventh = next(sixth);
  return [first, second, third, fourth, fifth, sixth, seventh, next(seventh)];
}

/** Of IEEE 802.3, its bits turned round. */
const polynomial = 0xedb88320;
