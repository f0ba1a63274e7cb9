import type { JsonObject } from '../base/json.ts';
import { findCell, type Ledger } from '../ledger/ledger.ts';
import { unitLedger } from '../ledger/unit-ledger.ts';
import type { Pipeline, Stage, Unit } from '../model/definition.ts';
import { expandPattern } from '../pipeline/pattern.ts';
import type { RunContext } from './context.ts';

/** A unit's ledger file: where it lies and what it should say. */
export function unitLedgerFile(
  { loaded, ledger, folder }: Pick<RunContext, 'loaded' | 'ledger' | 'folder'>,
  stage: Stage,
  unit: Unit,
): { readonly path: string; readonly content: JsonObject } {
  const { unitKey } = loaded.pipeline.layout;
  const phases = stage.phases.map(({ name }) => name);
  const content = unitLedger(ledger, unit.id, phases, `${folder}/attempts`, unitKey);
  return { path: unitLedgerPath(loaded.pipeline, folder, unit), content };
}

export function unitLedgerPath({ layout }: Pipeline, folder: string, unit: Unit): string {
  return layout.ledger === undefined
    ? `${folder}/ledger/${unit.id}.json`
    : expandPattern(layout.ledger, unit);
}

/** Before its first event a unit has no ledger file. */
export function hasEvents(ledger: Ledger, stage: Stage, unit: Unit): boolean {
  return stage.phases.some((phase) => findCell(ledger, unit.id, phase.name) !== undefined);
}
