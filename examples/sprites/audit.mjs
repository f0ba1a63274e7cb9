// From measures to a verdict, by the weights and thresholds of the manifest.
import { measures } from './measure.mjs';

/**
 * Approved is what reaches every threshold. A weight or a threshold of something that nobody measures is a mistake in
 * the manifest: were it ignored, a frame could pass unseen.
 * @param {import('./measure.mjs').Compared} compared @param {Record<string, unknown>} params
 */
export function judge(compared, params) {
  const names = Object.keys(measures);
  const weights = numbersOf(params, 'weights', names);
  const thresholds = numbersOf(
    params,
    'thresholds',
    [...names, 'composite'].map((name) => `${name}_min`),
  );
  const weightAll = names.reduce((sum, name) => sum + (weights[name] ?? 0), 0);
  if (weightAll <= 0) throw new Error('params.weights leaves nothing to measure');
  /** @type {Record<string, number>} */
  const scores = {};
  const reasons = [];
  let weighted = 0;
  for (const [name, measure] of Object.entries(measures)) {
    const { score: exact, seen } = measure(compared);
    // Judged is what the report shows: nobody should read that 0.85 is less than 0.85.
    const score = rounded(exact);
    scores[name] = score;
    weighted += score * (weights[name] ?? 0);
    reasons.push(...shortfall(name, score, thresholds[`${name}_min`], seen));
  }
  const composite = rounded(weighted / weightAll);
  reasons.push(...shortfall('composite', composite, thresholds.composite_min, 'the weighted mean of all'));
  const verdict = reasons.length === 0 ? 'approved' : 'rejected';
  return { verdict, composite, scores, reasons };
}

/** @param {string} name @param {number} score @param {number | undefined} least @param {string} seen */
function shortfall(name, score, least, seen) {
  return least === undefined || score >= least
    ? []
    : [`${name} ${score}, at least ${least} is needed: ${seen}`];
}

/** @param {Record<string, unknown>} params @param {string} key @param {readonly string[]} known @returns {Record<string, number>} */
function numbersOf(params, key, known) {
  const values = params[key];
  if (typeof values !== 'object' || values === null) throw new Error(`params.${key} is missing`);
  for (const [name, value] of Object.entries(values)) {
    if (!known.includes(name)) throw new Error(`params.${key}.${name}: there is ${known.join(', ')}`);
    if (typeof value !== 'number' || !(value >= 0))
      throw new Error(`params.${key}.${name} is not a number from 0 on`);
  }
  return /** @type {Record<string, number>} */ (values);
}

/** Three digits are enough to compare. Rounded down: nearly 1 is not 1. @param {number} value */
function rounded(value) {
  return Math.floor(value * 1000) / 1000;
}
