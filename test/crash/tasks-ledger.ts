import { byCodeUnit } from '../../src/base/json.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { ledgerToSnapshot } from '../../src/ledger/snapshot.ts';

/**
 * A ledger as data, without what depends on the order in which the journals of several actors were read: that is which
 * cell was heard of first, and nothing else.
 */
export function ledgerAsData(ledger: Ledger): unknown {
  const [head, ...parts] = JSON.parse(JSON.stringify([...ledgerToSnapshot(ledger)])) as [
    unknown,
    ...{ unit: string; phase: string }[][],
  ];
  const name = ({ unit, phase }: { unit: string; phase: string }) => `${unit}/${phase}`;
  return { head, cells: parts.flat().sort((a, b) => byCodeUnit(name(a), name(b))) };
}
