import type { CallRecord, Cost } from '../../model/event.ts';

/** A call as a provider answers it that reports everything. */
export const fullCall: CallRecord = {
  model: 'anthropic/claude-sonnet-5',
  answered: 'claude-sonnet-5-20260801',
  request: 'msg_01',
  finish: 'stop',
  ms: 2500,
  firstMs: 400,
};

export const fullCost: Cost = {
  usd: 0.0125,
  inputTokens: 1200,
  outputTokens: 300,
  cacheReadTokens: 1000,
  cacheWriteTokens: 50,
};

/** A call without an answer. */
export const bareCall: CallRecord = { model: 'anthropic/claude-sonnet-5', ms: 20 };
