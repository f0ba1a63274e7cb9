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

/** `$0.42, 1200 tokens in, 300 out`; of what was told, and nothing of what was not. */
export function costWords({ usd, inputTokens, outputTokens }: Cost): string {
  const tokens = [
    ...(inputTokens === undefined ? [] : [`${inputTokens} tokens in`]),
    ...(outputTokens === undefined
      ? []
      : [`${outputTokens}${inputTokens === undefined ? ' tokens' : ''} out`]),
  ];
  return [...(usd === undefined ? [] : [dollars(usd)]), ...tokens].join(', ');
}

/** Cents, and of very little money as much as is needed to see that it is some. */
function dollars(usd: number): string {
  const digits = usd === 0 || Math.abs(usd) >= 0.01 ? 2 : 6;
  return `$${digits === 2 ? usd.toFixed(2) : Number(usd.toFixed(digits))}`;
}
