import type { CallEnded } from './call.ts';

/** A call as a provider answers it that tells everything. */
export const fullCall: CallEnded = {
  type: 'call-ended',
  unit: 'ch001_sc001',
  phase: 'write',
  attempt: 2,
  provider: 'anthropic',
  model: 'claude-sonnet-5',
  parameters: { temperature: 1, maxTokens: 4096, topP: 0.9, topK: 40, seed: 7, stop: ['END'] },
  answered: 'claude-sonnet-5-20260801',
  request: 'msg_01',
  finish: 'stop',
  ms: 2500,
  firstMs: 400,
  usage: { inputTokens: 1200, outputTokens: 300, cacheReadTokens: 1000, cacheWriteTokens: 50 },
  usd: 0.0125,
  failure: undefined,
  reused: false,
};

/** A call of which nothing is known but that it was made. */
export const bareCall: CallEnded = {
  ...fullCall,
  parameters: {},
  answered: undefined,
  request: undefined,
  finish: undefined,
  firstMs: undefined,
  usage: {},
  usd: undefined,
};
