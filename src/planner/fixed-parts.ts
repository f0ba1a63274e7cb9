import type { Cell, CellResult, MadeOf } from '../ledger/ledger.ts';
import type { Phase } from '../model/definition.ts';
import type { Refusal, RunReason } from '../model/reason.ts';
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
  const found = compareParts(walk, phase, result, result);
  if (result.kept === undefined || isNone(found)) return found;
  // A part whose kept change was undone is again as the result was made from it.
  const made = compareParts(walk, phase, result, result.kept.made);
  const differing = new Set([...made.refusals, ...made.reasons].map(partOf));
  return {
    refusals: found.refusals.filter((refusal) => differing.has(partOf(refusal))),
    reasons: found.reasons.filter((reason) => differing.has(partOf(reason))),
  };
}

/** The template, the file or the fields that a difference is about. */
function partOf(difference: Refusal | RunReason): string {
  const name = 'role' in difference ? difference.role : 'file' in difference ? difference.file : '';
  return `${'guard' in difference ? difference.guard : difference.code} ${name}`;
}

function isNone({ refusals, reasons }: Differences): boolean {
  return refusals.length === 0 && reasons.length === 0;
}

function compareParts(walk: Walk, phase: Phase, { iteration }: CellResult, made: MadeOf): Differences {
  const { context, unit } = walk;
  const unitData = context.loaded.unitData.get(unit.id);
  const sameUnit = made.unitData === unitData;
  if (sameUnit && context.isCurrent(made.revision, phase.name)) return noDifferences;
  const cell = { unit: unit.id, phase: phase.name };
  const before = context.ledger.revisions.get(made.revision)?.phases[phase.name];
  const now = context.staticsOf(phase.name);
  const { refusals, reasons } = compareStatics(cell, iteration, before, now, context.files);
  if (sameUnit) return { refusals, reasons };
  const change = { before: made.unitData, after: unitData, ...(unit.file && { file: unit.file }) };
  return { refusals: [...refusals, { guard: 'unit-changed', ...cell, ...change }], reasons };
}

export const noDifferences: Differences = { refusals: [], reasons: [] };
