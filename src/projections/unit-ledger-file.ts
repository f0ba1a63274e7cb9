import type { JsonObject } from '../base/json.ts';
import { findStep, type Ledger } from '../ledger/ledger.ts';
import type { Stage, Unit } from '../model/definition.ts';
import { runFile } from '../model/run-folder.ts';
import type { RunContext } from '../runner/context.ts';
import { unitLedger } from './unit-ledger.ts';

/** What a unit's ledger file should say; undefined: before its first event a unit has none. */
export function unitLedgerFile(
  { loaded, ledger, folder }: Pick<RunContext, 'loaded' | 'ledger' | 'folder'>,
  stage: Stage,
  unit: Unit,
): JsonObject | undefined {
  if (!hasEvents(ledger, stage, unit)) return undefined;
  const { unitKey } = loaded.pipeline.layout;
  const phases = stage.phases.map(({ name }) => name);
  return unitLedger(ledger, unit.id, phases, runFile(folder, 'attempts'), unitKey);
}

export function hasEvents(ledger: Ledger, stage: Stage, unit: Unit): boolean {
  return stage.phases.some((phase) => findStep(ledger, unit.id, phase.name) !== undefined);
}
