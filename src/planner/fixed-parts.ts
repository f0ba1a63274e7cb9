import type { Cell, CellResult } from '../ledger/ledger.ts';
import type { Phase } from '../model/definition.ts';
import type { Refusal } from '../model/reason.ts';
import { compareStatics, type Differences } from './compare.ts';
import { lookAtOutputs } from './outputs.ts';
import type { Walk } from './walk.ts';

/** What refuses a result, whatever round it belongs to and whatever comes before it. */
export function refusalsOf(walk: Walk, phase: Phase, cell: Cell, result: CellResult): Refusal[] {
  const fixed = compareFixedParts(walk, phase, result);
  return [...fixed.refusals, ...lookAtOutputs(walk, cell, result).refusals];
}

/** What does not depend on the round before: definition, templates, declared files, the unit's own fields. */
export function compareFixedParts(walk: Walk, phase: Phase, result: CellResult): Differences {
  const { context, unit } = walk;
  const unitData = context.loaded.unitData.get(unit.id);
  const sameUnit = result.unitData === unitData;
  if (sameUnit && context.isCurrent(result.revision, phase.name)) return noDifferences;
  const cell = { unit: unit.id, phase: phase.name };
  const before = context.ledger.revisions.get(result.revision)?.phases[phase.name];
  const now = context.staticsOf(phase.name);
  const { refusals, reasons } = compareStatics(cell, result.iteration, before, now, context.files);
  if (sameUnit) return { refusals, reasons };
  const change = { before: result.unitData, after: unitData, ...(unit.file && { file: unit.file }) };
  return { refusals: [...refusals, { guard: 'unit-changed', ...cell, ...change }], reasons };
}

export const noDifferences: Differences = { refusals: [], reasons: [] };
