import type { Ledger } from '../ledger/ledger.ts';
import type { Pipeline } from '../model/definition.ts';
import type { Plan } from './plan.ts';

/**
 * How long the steps of a plan may take: as long as attempts at the same phases took so far, as many at once as the
 * manifest says. Undefined: nothing would run, or of none of its phases an attempt has ended.
 */
export function expectedMs(
  { pace }: Pipeline,
  { spent }: Pick<Ledger, 'spent'>,
  plan: Plan,
): number | undefined {
  const means = new Map(
    spent.flatMap(({ phase, attempts, ms }) => (attempts === 0 ? [] : [[phase, ms / attempts] as const])),
  );
  let total: number | undefined;
  let units = 0;
  for (const { cells: steps } of plan.units.values()) {
    let isAny = false;
    for (const { phase, decision } of steps) {
      const mean = decision.do === 'run' || decision.do === 'wait' ? means.get(phase) : undefined;
      if (mean === undefined) continue;
      total = (total ?? 0) + mean;
      isAny = true;
    }
    if (isAny) units += 1;
  }
  return total === undefined ? undefined : Math.round(total / Math.max(1, Math.min(pace.concurrency, units)));
}
