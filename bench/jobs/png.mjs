// Checks PNGs beside the least that this can cost: decompressing the same image data with its length known.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { distFolder, median } from '../measure.mjs';

const { rounds } = JSON.parse(process.argv[2] ?? '{}');
const { checkPng } = await import(pathToFileURL(join(distFolder, 'checks/png.js')).href);

/** @type {Record<string, object>} */
const answers = {};
for (const [name, side, times] of [
  ['painting', 2048, 1],
  ['sprite', 64, 200],
]) {
  const { file, data, dataBytes } = makePainting(side);
  const floor = [];
  const ours = [];
  for (let round = 0; round < rounds + 1; round++) {
    floor.push(await time(times, () => inflateSync(data, { chunkSize: dataBytes + 1 })));
    ours.push(await time(times, () => checkPng(file)));
  }
  // The first round compiles.
  const [floorMs, oursMs] = [floor, ours].map((times) => median(times.slice(1)));
  answers[name] = { floorMs, oursMs, fastestMs: Math.min(...ours), fileBytes: file.length, dataBytes };
}
process.stdout.write(JSON.stringify(answers));

async function time(/** @type {number} */ times, /** @type {() => unknown} */ work) {
  const began = performance.now();
  for (let nth = 0; nth < times; nth++) {
    const outcome = await work();
    if (outcome.passed === false) throw new Error(outcome.detail);
  }
  return (performance.now() - began) / times;
}

/** Colours that run into one another, with grain: RGBA of 8 bits, filtered and cut up as libpng does. */
function makePainting(/** @type {number} */ side) {
  const rowBytes = side * 4;
  const pixels = Buffer.alloc(rowBytes * side, 255);
  let state = 1;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const light = 128 + 60 * Math.sin(x / 90) + 50 * Math.cos(y / 70);
      for (let sample = 0; sample < 3; sample++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        pixels[y * rowBytes + x * 4 + sample] = light + sample * 4 + (state >>> 30);
      }
    }
  }
  const rows = filterRows(pixels, rowBytes, side);
  const data = deflateSync(rows);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6], 8);
  const chunks = [chunk('IHDR', header)];
  for (let at = 0; at < data.length; at += 8192) chunks.push(chunk('IDAT', data.subarray(at, at + 8192)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const file = Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))]);
  return { file, data, dataBytes: rows.length };
}

/** Each row as its difference to what the pixels around it foretell: the filter that suits such pictures. */
function filterRows(
  /** @type {Buffer} */ pixels,
  /** @type {number} */ rowBytes,
  /** @type {number} */ height,
) {
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y++) {
    rows[y * (rowBytes + 1)] = 4;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x >= 4 ? pixels[at - 4] : 0;
      const above = y > 0 ? pixels[at - rowBytes] : 0;
      const corner = x >= 4 && y > 0 ? pixels[at - rowBytes - 4] : 0;
      const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
      const toCorner = Math.abs(left + above - 2 * corner);
      const nearest = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
      rows[y * (rowBytes + 1) + 1 + x] = pixels[at] - nearest;
    }
  }
  return rows;
}

function chunk(/** @type {string} */ type, /** @type {Buffer} */ content) {
  const made = Buffer.alloc(12 + content.length);
  made.writeUInt32BE(content.length, 0);
  made.write(type, 4, 'latin1');
  made.set(content, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + content.length)), 8 + content.length);
  return made;
}
