import type { Box, Way } from './block.ts';
import type { Sizes } from './sizes.ts';

/** A way as it is drawn: the text of an SVG path. */
export interface Route {
  readonly way: Way;
  readonly path: string;
}

/**
 * The lines of a picture. They leave a box below and enter the next one above, several of them side by side. In a layer of
 * several rows they use the gaps between the columns, and between strips the gutter.
 */
export function routesOf(ways: readonly Way[], sizes: Sizes): Route[] {
  const leaving = portsOf(ways, ({ from }) => from, nextX, sizes);
  const entering = portsOf(ways, ({ to }) => to, lastX, sizes);
  return ways.map((way) => {
    const start = way.from.left + sizes.boxWidth / 2 + (leaving.get(way) ?? 0);
    const end = way.to.left + sizes.boxWidth / 2 + (entering.get(way) ?? 0);
    const isFar = way.from.strip !== way.to.strip;
    return { way, path: isFar ? gutterPath(way, start, end, sizes) : curvedPath(way, start, end, sizes) };
  });
}

/** How far from the middle of its box each line begins or ends, so that many lines do not meet in one point. */
function portsOf(
  ways: readonly Way[],
  boxOf: (way: Way) => Box,
  directionOf: (way: Way) => number,
  { boxWidth, kind }: Sizes,
): Map<Way, number> {
  const waysOf = new Map<Box, Way[]>();
  if (kind === 'chips') return new Map();
  for (const way of ways) {
    const box = boxOf(way);
    const others = waysOf.get(box);
    if (others === undefined) waysOf.set(box, [way]);
    else others.push(way);
  }
  const ports = new Map<Way, number>();
  for (const some of waysOf.values()) {
    const gap = Math.min(portGap, (boxWidth - 2 * portMargin) / some.length);
    some.sort((a, b) => directionOf(a) - directionOf(b));
    some.forEach((way, at) => {
      ports.set(way, (at - (some.length - 1) / 2) * gap);
    });
  }
  return ports;
}

const portGap = 22;
const portMargin = 24;

/** Where a line goes next after it left its box. In another strip: to the right of all others. */
function nextX({ from, to, via }: Way): number {
  return from.strip === to.strip ? (via[0]?.x ?? to.left) : Number.MAX_SAFE_INTEGER;
}

function lastX({ from, to, via }: Way): number {
  return from.strip === to.strip ? (via.at(-1)?.x ?? from.left) : Number.MIN_SAFE_INTEGER;
}

function curvedPath({ from, to, via }: Way, start: number, end: number, sizes: Sizes): string {
  const { boxWidth, boxHeight, gapX } = sizes;
  const parts: string[] = [];
  const channel = Math.round(gapX / 3);
  const bottom = from.top + boxHeight;
  let [x, y] = [start, bottom];
  if (bottom === from.layerBottom) parts.push(`M${at(x, y)}`);
  else {
    const middle = from.top + boxHeight / 2;
    x = from.left + boxWidth + channel;
    y = from.layerBottom;
    parts.push(`M${at(x - channel, middle)}Q${at(x, middle)} ${at(x, middle + channel)}V${number(y)}`);
  }
  for (const passage of via) {
    parts.push(curve(x, y, passage.x, passage.top), `V${number(passage.bottom)}`);
    [x, y] = [passage.x, passage.bottom];
  }
  if (to.top === to.layerTop) parts.push(curve(x, y, end, to.top));
  else {
    const middle = to.top + boxHeight / 2;
    const side = to.left - channel;
    parts.push(curve(x, y, side, to.layerTop), `V${number(middle - channel)}`);
    parts.push(`Q${at(side, middle)} ${at(to.left, middle)}`);
  }
  return parts.join('');
}

/** Down, over to the gutter before the strip of the other box, up, and into it from above. */
function gutterPath({ from, to }: Way, start: number, end: number, sizes: Sizes): string {
  const { boxHeight, gapX, gapY } = sizes;
  const below = Math.max(from.top + boxHeight, from.layerBottom) + gapY / 3;
  const above = to.layerTop - gapY / 3;
  const gutter = to.stripLeft - gapX;
  const corner = Math.min(gapY / 3, gapX / 2);
  return [
    `M${at(start, from.top + boxHeight)}V${number(below - corner)}`,
    `Q${at(start, below)} ${at(start + corner, below)}H${number(gutter - corner)}`,
    `Q${at(gutter, below)} ${at(gutter, below - corner)}V${number(above + corner)}`,
    `Q${at(gutter, above)} ${at(gutter + corner, above)}H${number(end - corner)}`,
    `Q${at(end, above)} ${at(end, above + corner)}V${number(to.top)}`,
  ].join('');
}

/** From one point down to another, upright at both ends. */
function curve(x: number, y: number, toX: number, toY: number): string {
  if (Math.abs(x - toX) < 1) return `L${at(toX, toY)}`;
  const middle = (y + toY) / 2;
  return `C${at(x, middle)} ${at(toX, middle)} ${at(toX, toY)}`;
}

function at(x: number, y: number): string {
  return `${number(x)} ${number(y)}`;
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}
