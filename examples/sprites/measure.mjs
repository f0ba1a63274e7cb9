// What the audit measures. Every measure looks at the pixels alone and gives a score from 0 to 1 with what it saw.

/**
 * @typedef {import('./png.mjs').Picture} Picture
 * @typedef {{ score: number, seen: string }} Measured
 * @typedef {{ candidate: Picture, anchor: Picture, before: Picture }} Compared
 */

/** By name. `before` is the frame before, or the anchor where there is none. @type {Readonly<Record<string, (compared: Compared) => Measured>>} */
export const measures = { size, alpha, identity, feet, neighbour };

/** A colour counts as another one from this distance on; black and white are 1 apart. */
const colourDistanceMax = 0.25;
/** So many pixels below or above the ground line are as bad as it gets. */
const groundErrorMax = 6;
/** Two frames that share this part of their silhouette are as close as any. */
const overlapFull = 0.9;
/** Two frames that share no more than this have nothing to do with each other. */
const overlapNone = 0.5;

/** The canvas is the anchor's. @param {Compared} compared @returns {Measured} */
function size({ candidate, anchor }) {
  const ratio = (/** @type {number} */ a, /** @type {number} */ b) => Math.min(a, b) / Math.max(a, b);
  return {
    score: ratio(candidate.width, anchor.width) * ratio(candidate.height, anchor.height),
    seen: `${candidate.width} x ${candidate.height} pixels in place of ${anchor.width} x ${anchor.height}`,
  };
}

/** A clear border, no holes, no half-clear pixels, and about as much figure as the anchor has. @param {Compared} compared @returns {Measured} */
function alpha({ candidate, anchor }) {
  const { width, height } = candidate;
  const isOnBorder = (/** @type {number} */ x, /** @type {number} */ y) =>
    x === 0 || y === 0 || x === width - 1 || y === height - 1;
  const counted = { border: 0, half: 0, full: 0 };
  eachPixel(candidate, (x, y, value) => {
    if (value > 0 && isOnBorder(x, y)) counted.border++;
    if (value > 0 && value < 255) counted.half++;
    if (value > 0) counted.full++;
  });
  const holes = holePixels(candidate);
  const full = opaquePixels(anchor);
  const coverage = full === 0 ? 0 : counted.full / full;
  const faults =
    holes / 24 + counted.border / 16 + counted.half / 64 + Math.max(0, Math.abs(coverage - 1) - 0.25) * 2;
  return {
    score: clamp(1 - faults),
    seen: `${holes} pixels of holes, ${counted.border} on the border, ${counted.half} half clear, ${percent(coverage)} of the anchor covered`,
  };
}

/** The anchor's colours, each about as often as there. @param {Compared} compared @returns {Measured} */
function identity({ candidate, anchor }) {
  const wanted = colourShares(anchor);
  const found = colourShares(candidate);
  if (wanted.size === 0 || found.size === 0) return { score: 0, seen: 'nothing to see' };
  /** @type {Map<number, number>} */
  const matched = new Map();
  let distance = 0;
  for (const [colour, share] of found) {
    const near = nearest(colour, wanted.keys());
    distance += share * Math.min(1, near.distance / colourDistanceMax);
    matched.set(near.colour, (matched.get(near.colour) ?? 0) + share);
  }
  let overlap = 0;
  for (const [colour, share] of wanted) overlap += Math.min(share, matched.get(colour) ?? 0);
  return {
    score: clamp(1 - distance) * (0.7 + 0.3 * overlap),
    seen: `colours ${percent(distance)} away from the anchor's, ${percent(overlap)} of them as often`,
  };
}

/** The lowest pixels stand on the anchor's ground line. @param {Compared} compared @returns {Measured} */
function feet({ candidate, anchor }) {
  const error = groundOf(candidate) - groundOf(anchor);
  const where = error > 0 ? 'above' : 'below';
  return {
    score: clamp(1 - Math.abs(error) / groundErrorMax),
    seen: error === 0 ? 'on the ground line' : `${Math.abs(error)} pixels ${where} the ground line`,
  };
}

/** How much of their silhouettes two frames share when both stand on the ground. @param {Compared} compared @returns {Measured} */
function neighbour({ candidate, before }) {
  const up = groundOf(candidate) - groundOf(before);
  const right = Math.round((candidate.width - before.width) / 2);
  const down = candidate.height - before.height - up;
  let both = 0;
  eachPixel(candidate, (x, y, value) => {
    if (value > 0 && alphaAt(before, x - right, y - down) > 0) both++;
  });
  const either = opaquePixels(candidate) + opaquePixels(before) - both;
  const overlap = either === 0 ? 0 : both / either;
  return {
    score: clamp((overlap - overlapNone) / (overlapFull - overlapNone)),
    seen: `${percent(overlap)} of the silhouette shared with the frame before`,
  };
}

/** Clear pixels that no way leads to from the border. @param {Picture} picture */
function holePixels(picture) {
  const { width, height } = picture;
  const isReached = new Uint8Array(width * height);
  /** @type {[number, number][]} */
  const waiting = [];
  const reach = (/** @type {number} */ x, /** @type {number} */ y) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    if (isReached[y * width + x] === 1 || alphaAt(picture, x, y) > 0) return;
    isReached[y * width + x] = 1;
    waiting.push([x, y]);
  };
  for (let x = 0; x < width; x++) for (const y of [0, height - 1]) reach(x, y);
  for (let y = 0; y < height; y++) for (const x of [0, width - 1]) reach(x, y);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [x, y] = next;
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) reach(x + dx, y + dy);
  }
  let holes = 0;
  eachPixel(picture, (x, y, value) => {
    if (value === 0 && isReached[y * width + x] === 0) holes++;
  });
  return holes;
}

/** By colour, its share of all that is to be seen. @param {Picture} picture @returns {Map<number, number>} */
function colourShares(picture) {
  const total = opaquePixels(picture);
  /** @type {Map<number, number>} */
  const shares = new Map();
  eachPixel(picture, (x, y, value) => {
    if (value === 0) return;
    const at = (y * picture.width + x) * 4;
    const [red = 0, green = 0, blue = 0] = picture.pixels.subarray(at, at + 3);
    const colour = (red << 16) | (green << 8) | blue;
    shares.set(colour, (shares.get(colour) ?? 0) + 1 / total);
  });
  return shares;
}

/** @param {number} colour @param {Iterable<number>} others */
function nearest(colour, others) {
  let best = { colour, distance: Number.POSITIVE_INFINITY };
  for (const other of others) {
    const distance = colourDistance(colour, other);
    if (distance < best.distance) best = { colour: other, distance };
  }
  return best;
}

/** From 0 to 1, weighted about as an eye does: it tells greens best, and reds better where there is much red. @param {number} a @param {number} b */
function colourDistance(a, b) {
  const redMean = ((a >> 16) + (b >> 16)) / 2 / 256;
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 0xff) - ((b >> 8) & 0xff);
  const blue = (a & 0xff) - (b & 0xff);
  return Math.sqrt((2 + redMean) * red * red + 4 * green * green + (3 - redMean) * blue * blue) / 765;
}

/** How many rows are clear below the figure. @param {Picture} picture */
function groundOf(picture) {
  const { width, height } = picture;
  for (let y = height - 1; y >= 0; y--) {
    for (let x = 0; x < width; x++) if (alphaAt(picture, x, y) > 0) return height - 1 - y;
  }
  return height;
}

/** @param {Picture} picture */
function opaquePixels(picture) {
  let count = 0;
  eachPixel(picture, (_x, _y, value) => {
    if (value > 0) count++;
  });
  return count;
}

/** @param {Picture} picture @param {(x: number, y: number, alpha: number) => void} look */
function eachPixel({ width, height, pixels }, look) {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) look(x, y, pixels[(y * width + x) * 4 + 3] ?? 0);
  }
}

/** Outside of the canvas all is clear. @param {Picture} picture @param {number} x @param {number} y */
function alphaAt({ width, height, pixels }, x, y) {
  if (x < 0 || y < 0 || x >= width || y >= height) return 0;
  return pixels[(y * width + x) * 4 + 3] ?? 0;
}

/** @param {number} value */
function clamp(value) {
  return Math.min(1, Math.max(0, value));
}

/** @param {number} share */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}
