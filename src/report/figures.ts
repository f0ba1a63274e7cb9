import type { Cost } from '../model/event.ts';
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

/** `$0.42, 1200 tokens in, 300 out`: what was spent; nothing where nothing was. */
export function costWords(cost: Cost | undefined): string {
  const { usd = 0, inputTokens = 0, outputTokens = 0 } = cost ?? {};
  return [
    ...(usd > 0 ? [usd < 0.01 ? 'under $0.01' : `$${usd.toFixed(2)}`] : []),
    ...(inputTokens > 0 ? [`${inputTokens} tokens in`] : []),
    ...(outputTokens > 0 ? [`${outputTokens}${inputTokens > 0 ? '' : ' tokens'} out`] : []),
  ].join(', ');
}
