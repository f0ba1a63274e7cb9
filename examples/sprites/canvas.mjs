// Shapes and a brush. A shape answers whether a point is inside; points are in pixels, x to the right of the middle of
// the picture, y above the floor.

/**
 * @typedef {import('./png.mjs').Picture} Picture
 * @typedef {import('./pose.mjs').Offset} Point
 * @typedef {string} Colour written as `#rrggbb`
 * @typedef {[Colour, Colour, Colour]} Ramp from dark to light
 * @typedef {(x: number, y: number) => boolean} Shape
 * @typedef {(x: number, y: number) => Colour} Shade
 * @typedef {{ picture: Picture, floor: number }} Canvas `floor`: the first row below the ground
 */

/**
 * Fills a shape; its rim becomes a line one pixel wide.
 * @param {Canvas} canvas @param {Shape} shape @param {Shade} shade @param {Colour} line
 */
export function paint({ picture, floor }, shape, shade, line) {
  const { width, height } = picture;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const x = column + 0.5 - width / 2;
      const y = floor - row - 0.5;
      if (!shape(x, y)) continue;
      const isInner = shape(x - 1, y) && shape(x + 1, y) && shape(x, y - 1) && shape(x, y + 1);
      put(picture, column, row, isInner ? shade(x, y) : line);
    }
  }
}

/**
 * A block of whole pixels; `x` and `y` are its left and lower side.
 * @param {Canvas} canvas @param {number} x @param {number} y @param {number} width @param {number} height
 * @param {Colour} colour
 */
export function fill({ picture, floor }, x, y, width, height, colour) {
  for (let up = 0; up < height; up++) {
    for (let right = 0; right < width; right++) {
      put(picture, x + right + Math.floor(picture.width / 2), floor - 1 - y - up, colour);
    }
  }
}

/** @param {Ramp} colours @param {number} light from 0 to 1 */
export function ramp(colours, light) {
  return light < 0.4 ? colours[0] : light < 0.8 ? colours[1] : colours[2];
}

/** @param {number} x @param {number} y @param {number} rx @param {number} ry @returns {Shape} */
export function ellipse(x, y, rx, ry) {
  return (px, py) => ((px - x) / rx) ** 2 + ((py - y) / ry) ** 2 < 1;
}

/** Stands on `y`. @param {number} x @param {number} y @param {number} width @param {number} height @returns {Shape} */
export function box(x, y, width, height) {
  return (px, py) => Math.abs(px - x) < width / 2 && py > y && py < y + height;
}

/** A line as thick as a brush. @param {Point} from @param {Point} to @param {number} radius @returns {Shape} */
export function capsule(from, to, radius) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const square = dx * dx + dy * dy;
  return (x, y) => {
    const along = Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / square));
    return Math.hypot(x - from.x - along * dx, y - from.y - along * dy) < radius;
  };
}

/** @param {Shape[]} shapes @returns {Shape} */
export function union(...shapes) {
  return (x, y) => shapes.some((shape) => shape(x, y));
}

/** @param {Picture} picture @param {number} column @param {number} row @param {Colour} colour */
function put({ width, height, pixels }, column, row, colour) {
  if (column < 0 || row < 0 || column >= width || row >= height) return;
  const rgb = Number.parseInt(colour.slice(1), 16);
  pixels.set([rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff, 0xff], (row * width + column) * 4);
}
