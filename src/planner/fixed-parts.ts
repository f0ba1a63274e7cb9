import type { MadeOf, Step, StepResult } from '../ledger/ledger.ts';
import type { Phase } from '../model/definition.ts';
import type { Change, Refusal } from '../model/reason.ts';
import { definitionValues, fieldValues } from './changed-values.ts';
import { compareStatics } from './compare.ts';
import { lookAtOutputs } from './outputs.ts';
import { noChanges, type TreatedChanges, treatChanges } from './policy.ts';
import { isSameUnit, unitChanges } from './unit-parts.ts';
import type { Walk } from './walk.ts';

/** What refuses a result, whatever round it belongs to and whatever comes before it. */
export function refusalsOf(walk: Walk, phase: Phase, step: Step, result: StepResult): Refusal[] {
  const fixed = compareFixedParts(walk, phase, result);
  return [...fixed.refusals, ...lookAtOutputs(walk, step, result).refusals];
}

/** What does not depend on the round before: definition, templates, declared files, code, the unit's own fields. */
export function compareFixedParts(walk: Walk, phase: Phase, result: StepResult): TreatedChanges {
  const changes = changesSince(walk, phase, result, result);
  if (result.kept === undefined) return treatChanges(walk.context, changes);
  const made = changesSince(walk, phase, result, result.kept.made);
  if (made.length === 0) return noChanges;
  // A part whose kept change was undone is again as the result was made from it.
  const differing = new Set(made.map(partOf));
  const treated = treatChanges(
    walk.context,
    changes.filter((change) => differing.has(partOf(change))),
  );
  const isKept = treated.refusals.length === 0 && treated.reasons.length === 0;
  if (!isKept) return treated;
  const open = new Set(changes.map(partOf));
  const outdated = made.map((change) =>
    open.has(partOf(change)) ? change : { ...change, isAnswered: true as const },
  );
  return { ...noChanges, outdated };
}

const none: readonly never[] = [];

/** The template, the file or the fields that a change is about. */
function partOf(change: Change): string {
  const name = 'role' in change ? change.role : 'file' in change ? (change.file ?? '') : '';
  return `${change.guard} ${name}`;
}

/** What differs now from the parts that a result was made from. */
function changesSince(
  walk: Walk,
  phase: Phase,
  { round }: Pick<StepResult, 'round'>,
  made: MadeOf,
): readonly Change[] {
  const { context, unit } = walk;
  const sameUnit = isSameUnit(context.loaded, unit.id, phase.name, made);
  if (sameUnit && context.isCurrent(made.revision, phase.name)) return none;
  const step = { unit: unit.id, phase: phase.name };
  const before = context.ledger.revisions.get(made.revision)?.phases[phase.name];
  const now = context.staticsOf(phase.name);
  const changes = compareStatics(step, round, before, now, context.files).flatMap((change): Change[] => {
    if (change.guard !== 'definition-changed') return [change];
    if (context.facts.policiesOnly?.has(`${made.revision} ${phase.name}`)) return [];
    const values = definitionValues(context, phase.name, made.revision);
    const isOfChecks = isChangeOfChecks(walk, phase, made.revision);
    return [{ ...change, ...(isOfChecks && { checksOnly: true as const }), ...(values && { values }) }];
  });
  if (sameUnit) return changes;
  const ofUnit = unitChanges(context.loaded, unit, phase.name, made).map((change) => {
    if (change.guard !== 'unit-changed' || change.file !== undefined) return change;
    const values = fieldValues(context, unit, change.before);
    return values === undefined ? change : { ...change, values };
  });
  return [...changes, ...ofUnit];
}

function isChangeOfChecks({ context }: Walk, phase: Phase, revision: number): boolean {
  return context.facts.checksOnly?.has(`${revision} ${phase.name}`) === true;
}
