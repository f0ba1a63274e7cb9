/**
 * @typedef {{ shownMs: number, rows: import('./terminal.mjs').Screen['rows'] }} Frame
 * A screen, and how long it stands.
 */

/** The screens without repetitions. While they are too many, the one that stood shortest goes into the one before it. */
export function framesOf(
  /** @type {readonly import('./terminal.mjs').Screen[]} */ screens,
  /** @type {{ framesMax: number, lastShownMs: number }} */ { framesMax, lastShownMs },
) {
  const changes = screens.filter((screen, at) => !isSame(screen, screens[at - 1]));
  /** @type {Frame[]} */
  const frames = changes.map(({ atMs, rows }, at) => {
    const untilMs = changes[at + 1]?.atMs ?? atMs + lastShownMs;
    return { rows, shownMs: untilMs - atMs };
  });
  while (frames.length > framesMax) {
    const times = frames.slice(1).map(({ shownMs }) => shownMs);
    const shortest = times.indexOf(Math.min(...times)) + 1;
    const [gone] = frames.splice(shortest, 1);
    const before = frames[shortest - 1];
    if (before !== undefined) before.shownMs += gone?.shownMs ?? 0;
  }
  return frames;
}

function isSame(
  /** @type {import('./terminal.mjs').Screen} */ screen,
  /** @type {import('./terminal.mjs').Screen | undefined} */ before,
) {
  return JSON.stringify(screen.rows) === JSON.stringify(before?.rows);
}
