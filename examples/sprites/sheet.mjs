// Packs frames into one picture, and writes down where each of them is.
import { blankPicture } from './png.mjs';

/**
 * @typedef {import('./png.mjs').Picture} Picture
 * @typedef {{ name: string, picture: Picture }} Frame
 */

/**
 * All frames in rows, each in a cell as large as the largest of them. The atlas has the hash format of TexturePacker,
 * which most game engines read; `duration` is in milliseconds.
 * @param {readonly Frame[]} frames @param {{ columns: number, frameMs: number, image: string }} options
 */
export function packSheet(frames, { columns, frameMs, image }) {
  const cell = {
    w: Math.max(...frames.map(({ picture }) => picture.width)),
    h: Math.max(...frames.map(({ picture }) => picture.height)),
  };
  const across = Math.min(columns, frames.length);
  const sheet = blankPicture(cell.w * across, cell.h * Math.ceil(frames.length / across));
  const placed = frames.map(({ name, picture }, nth) => {
    const at = { x: (nth % across) * cell.w, y: Math.floor(nth / across) * cell.h };
    copy(picture, sheet, at);
    const size = { w: picture.width, h: picture.height };
    const entry = {
      frame: { ...at, ...size },
      rotated: false,
      trimmed: false,
      spriteSourceSize: { x: 0, y: 0, ...size },
      sourceSize: size,
      duration: frameMs,
    };
    return /** @type {const} */ ([name, entry]);
  });
  const meta = { image, format: 'RGBA8888', size: { w: sheet.width, h: sheet.height }, scale: '1' };
  return { sheet, atlas: { frames: Object.fromEntries(placed), meta } };
}

/** @param {Picture} from @param {Picture} to @param {{ x: number, y: number }} at */
function copy(from, to, at) {
  for (let y = 0; y < from.height; y++) {
    const row = from.pixels.subarray(y * from.width * 4, (y + 1) * from.width * 4);
    to.pixels.set(row, ((at.y + y) * to.width + at.x) * 4);
  }
}
