import { tokensIn } from '../../base/tokens.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import { costOf } from '../../pipeline/phases/prices.ts';
import type { AssignedCall } from '../assignment.ts';
import type { Redactor } from '../redaction.ts';
import type { ModelAnswer } from './client.ts';

/** What is put on record of a call that was answered. */
export function recordOf(
  { redact }: Redactor,
  executor: ModelCall,
  answer: ModelAnswer,
): Omit<CallRecord, 'ms'> {
  const { answered, request, finish, warnings = [] } = answer;
  return {
    model: modelName(executor),
    ...(answered !== undefined && { answered: redact(answered).slice(0, nameLengthMax) }),
    ...(request !== undefined && { request: redact(request).slice(0, nameLengthMax) }),
    finish: redact(finish).slice(0, nameLengthMax),
    ...(warnings.length > 0 && {
      warnings: warnings.slice(0, warningsMax).map((one) => redact(one).slice(0, nameLengthMax)),
    }),
  };
}

const warningsMax = 10;
const nameLengthMax = 300;

/** By the price that is known now: it is recorded, and later prices change nothing. */
export function costOfAnswer(call: AssignedCall, answer: ModelAnswer): Cost {
  const usage = usageOf(answer, call);
  const { price } = call;
  return { ...(price !== undefined && { usd: costOf(price, usage) }), ...usage };
}

/** What the provider does not count, or counts as nobody can, is estimated: it was paid for all the same. */
function usageOf({ usage, text }: ModelAnswer, { inputTokens }: AssignedCall): Omit<Cost, 'usd'> {
  const counted = (count: number | undefined) =>
    count !== undefined && Number.isFinite(count) && count >= 0 && count <= tokensMax ? count : undefined;
  const names = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
  const known = names.flatMap((name) => {
    const count = counted(usage[name]);
    return count === undefined ? [] : [[name, count] as const];
  });
  const isCounted = known.some(([name]) => name === 'inputTokens' || name === 'outputTokens');
  return isCounted ? Object.fromEntries(known) : { inputTokens, outputTokens: tokensIn(text) };
}

const tokensMax = 1e12;
