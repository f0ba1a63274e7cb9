import type { Models, Price } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';

/**
 * List prices in USD per million tokens, as their providers published them in November 2026. A manifest's own prices go
 * before these; a model that neither knows has no price, and none is guessed. A price is looked up when an answer
 * arrives and recorded with it: another table changes nothing that was recorded, and reruns nothing.
 */
const listPrices: ReadonlyMap<string, Price> = new Map(
  (
    [
      ['anthropic/claude-opus-5-5', 4, 20, 0.4, 5],
      ['anthropic/claude-opus-5', 5, 25, 0.5, 6.25],
      ['anthropic/claude-opus-4-7', 5, 25, 0.5, 6.25],
      ['anthropic/claude-opus-4-6', 5, 25, 0.5, 6.25],
      ['anthropic/claude-opus-4-5', 5, 25, 0.5, 6.25],
      ['anthropic/claude-opus-4-1', 15, 75, 1.5, 18.75],
      ['anthropic/claude-sonnet-5-5', 2, 10, 0.2, 2.5],
      ['anthropic/claude-sonnet-5', 2, 10, 0.2, 2.5],
      ['anthropic/claude-sonnet-4-6', 3, 15, 0.3, 3.75],
      ['anthropic/claude-sonnet-4-5', 3, 15, 0.3, 3.75],
      ['anthropic/claude-haiku-4-5', 1, 5, 0.1, 1.25],
      ['openai/gpt-5.2', 1.75, 14, 0.175, undefined],
      ['openai/gpt-5.1', 1.25, 10, 0.125, undefined],
      ['openai/gpt-5', 1.25, 10, 0.125, undefined],
      ['openai/gpt-5-mini', 0.25, 2, 0.025, undefined],
      ['openai/gpt-5-nano', 0.05, 0.4, 0.005, undefined],
      ['openai/gpt-4.1', 2, 8, 0.5, undefined],
      ['openai/gpt-4.1-mini', 0.4, 1.6, 0.1, undefined],
      ['openai/gpt-4o', 2.5, 10, 1.25, undefined],
      ['openai/gpt-4o-mini', 0.15, 0.6, 0.075, undefined],
      ['google/gemini-2.5-pro', 1.25, 10, 0.125, undefined],
      ['google/gemini-2.5-flash', 0.3, 2.5, 0.03, undefined],
    ] as const
  ).map(([name, input, output, cacheRead, cacheWrite]) => [name, { input, output, cacheRead, cacheWrite }]),
);

/** What `PROVIDER/MODEL` costs; undefined: unknown. A name with a date is the model without it. */
export function priceOf(
  { prices, providers }: Pick<Models, 'prices' | 'providers'>,
  name: string,
): Price | undefined {
  const undated = name.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  for (const one of [name, undated]) {
    const own = Object.hasOwn(prices, one) ? prices[one] : undefined;
    if (own !== undefined) return own;
  }
  const provider = providers.find((one) => name.startsWith(`${one.name}/`));
  // A function of the workspace is not a paid service.
  if (provider?.api.kind === 'function') return free;
  return listPrices.get(name) ?? listPrices.get(undated);
}

const free: Price = { input: 0, output: 0 };

/** What so many tokens cost, in USD. Cached input is a part of all input. */
export function costOf(price: Price, usage: Omit<Cost, 'usd'>): number {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const micros =
    plain * price.input +
    cacheReadTokens * (price.cacheRead ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  // Whole billionths: sums of thousands of calls must not show what floating point adds.
  return Math.round(micros * 1000) / 1e9;
}

/** The assumed length of an answer without a limit. */
export const answerTokensExpected = 4096;

/** What a call may cost at most, as far as its prompt and its limit tell; undefined without a price. */
export function estimateCall(
  price: Price | undefined,
  inputTokens: number,
  maxTokens: number | undefined,
): number | undefined {
  if (price === undefined) return undefined;
  return costOf(price, { inputTokens, outputTokens: maxTokens ?? answerTokensExpected });
}
