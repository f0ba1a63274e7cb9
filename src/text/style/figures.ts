import type { Cost } from '../../model/event.ts';
import { plain } from './plain.ts';

/** `0.914`, `82`: as many digits as tell two scores apart. */
export function scoreWords(score: number): string {
  return String(Number(score.toFixed(3)));
}

/** `identity 0.91, feet 1`. */
export function scoresWords(scores: Readonly<Record<string, number>>): string {
  return Object.entries(scores)
    .map(([name, score]) => `${plain(name)} ${scoreWords(score)}`)
    .join(', ');
}

/** `$0.42, 1,200 tokens in (800 from cache), 300 out`: what was spent; nothing where nothing was. */
export function costWords(cost: Cost | undefined): string {
  return costParts(cost).join(', ');
}

/** The same one by one: the money first, where there is any. */
export function costParts(cost: Cost | undefined): string[] {
  const { usd = 0, inputTokens = 0, outputTokens = 0 } = cost ?? {};
  return [
    ...(usd > 0 ? [money(usd)] : []),
    ...(inputTokens > 0 ? [`${grouped(inputTokens)} tokens in${inBrackets(cacheWords(cost))}`] : []),
    ...(outputTokens > 0 ? [`${grouped(outputTokens)}${inputTokens > 0 ? '' : ' tokens'} out`] : []),
  ];
}

/** `800 from cache, 100 into cache`: of the input, what the provider had kept and what it was asked to keep. */
export function cacheWords(cost: Cost | undefined): string {
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = cost ?? {};
  return [
    ...(cacheReadTokens > 0 ? [`${grouped(cacheReadTokens)} from cache`] : []),
    ...(cacheWriteTokens > 0 ? [`${grouped(cacheWriteTokens)} into cache`] : []),
  ].join(', ');
}

/** `$1,234.50`, `$0.42`, `$0.0004`: of a small amount as many digits as say anything. */
export function money(usd: number): string {
  if (!(usd > 0)) return '$0';
  if (usd < leastUsd) return `under $${leastUsd.toFixed(decimalsMax)}`;
  if (usd >= 0.1) {
    const [dollars, cents = ''] = usd.toFixed(2).split('.');
    return `$${grouped(Number(dollars))}.${cents}`;
  }
  const decimals = Math.min(decimalsMax, 1 - Math.floor(Math.log10(usd)));
  // Cents are always there.
  return `$${usd.toFixed(decimals).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

const decimalsMax = 6;
const leastUsd = 10 ** -decimalsMax;

/** `1,234,567`. */
export function grouped(number: number): string {
  return String(Math.round(number)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

function inBrackets(words: string): string {
  return words === '' ? '' : ` (${words})`;
}
