import { runJob } from '../measure.mjs';

/** What it costs to prove a PNG, beside decompressing its image data and nothing else. */
export function measurePng(/** @type {{ rounds: number }} */ { rounds }) {
  /** @type {PngJob} */
  const { painting, sprite } = runJob('png.mjs', { rounds });
  const megabytes = painting.fileBytes / 1_000_000;
  // By the fastest round: whatever else the machine does slows the floor as well, but not what this is compared with.
  const msPer = (/** @type {number} */ bytes) => painting.fastestMs / (bytes / 1_000_000);
  const perMegabyte = (/** @type {string} */ what, /** @type {number} */ bytes) => ({
    figure: `png check, a MB of ${what} (${Math.round(1000 / msPer(bytes))} MB/s)`,
    ours: msPer(bytes),
    unit: 'ms',
  });
  return [
    compare(`png check, ${megabytes.toFixed(1)} MB, beside inflating its data`, 1.4, 'ms', painting, 1),
    { ...perMegabyte('pixels', painting.dataBytes), target: msPerMegabyteMax },
    // Inflating alone is hardly faster than this on a slow machine: there it depends on the picture.
    perMegabyte('file', painting.fileBytes),
    compare(`png check, ${(sprite.fileBytes / 1000).toFixed(1)} KB, beside the same`, 2, 'µs', sprite, 1000),
  ];
}

/** 200 MB/s. */
const msPerMegabyteMax = 5;

function compare(
  /** @type {string} */ figure,
  /** @type {number} */ target,
  /** @type {string} */ unit,
  /** @type {Timing} */ { floorMs, oursMs },
  /** @type {number} */ perMs,
) {
  return { figure, target, floor: floorMs * perMs, ours: oursMs * perMs, ratio: oursMs / floorMs, unit };
}

/**
 * What `jobs/png.mjs` answers.
 * @typedef {{ floorMs: number, oursMs: number, fastestMs: number, fileBytes: number, dataBytes: number }} Timing
 * @typedef {{ painting: Timing, sprite: Timing }} PngJob
 */
