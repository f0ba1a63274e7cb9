import type { Ledger } from '../ledger/ledger.ts';
import { exact, type PastCall, type Spent } from '../ledger/spent.ts';
import { modelName } from '../model/calls.ts';
import type { Phase } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';

/*
 * What the run's own past says of the next call of a phase. A plan takes the median, because one long answer must not
 * move it; a reservation takes the mean, because many calls together cost what their mean says, and adds a margin.
 */

/** What a call comes to, in money and in tokens. */
export interface CallAmount {
  readonly usd: number;
  /** Input and output together. */
  readonly tokens: number;
}

/** What the phase's answered calls used, the newest last; none where it asks another model now. */
export function pastCalls({ spent }: Pick<Ledger, 'spent'>, phase: Phase): readonly PastCall[] {
  const past = spent.find((account: Spent) => account.phase === phase.name)?.past;
  const model = asksModel(phase) ? modelName(phase.executor) : '';
  return past === undefined || past.model !== model ? [] : past.calls;
}

/** Undefined: the phase has answered nothing so far. */
export function medianCall(calls: readonly PastCall[]): PastCall | undefined {
  if (calls.length === 0) return undefined;
  const [input, output, usd] = [0, 1, 2].map((at) => median(calls.map((call) => call[at] ?? 0)));
  return [input ?? 0, output ?? 0, usd ?? 0];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** What to reserve for a call of the phase; undefined: too few were answered to tell. */
export function likelyCall(ledger: Pick<Ledger, 'spent'>, phase: Phase): CallAmount | undefined {
  const calls = pastCalls(ledger, phase);
  if (calls.length < answeredMin) return undefined;
  const mean = (of: (call: PastCall) => number) =>
    (calls.reduce((sum, call) => sum + of(call), 0) / calls.length) * safetyFactor;
  return { usd: exact(mean(([, , usd]) => usd)), tokens: mean(([input, output]) => input + output) };
}

const answeredMin = 5;
const safetyFactor = 1.5;
