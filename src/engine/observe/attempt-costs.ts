import { addCost } from '../../ledger/spent.ts';
import type { Cost } from '../../model/event.ts';
import type { InspectedAttempt } from './inspected.ts';

/** What attempts have cost together; undefined where none of them says. */
export function sumCosts(attempts: readonly Pick<InspectedAttempt, 'cost'>[]): Cost | undefined {
  return attempts.reduce<Cost | undefined>((sum, { cost }) => addCost(sum, cost), undefined);
}
