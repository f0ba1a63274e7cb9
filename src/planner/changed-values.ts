import type { Hash } from '../base/hash.ts';
import type { Unit } from '../model/definition.ts';
import type { ValueChange } from '../model/value-change.ts';
import { changesForPeople, phaseOf } from '../pipeline/diff.ts';
import type { PlanContext } from './context.ts';

/* The old and the new values behind a change, as far as the old ones were kept. */

/** Of a unit's fields; undefined: what they were is not known. */
export function fieldValues(
  { facts }: PlanContext,
  unit: Unit,
  before: Hash | undefined,
): readonly ValueChange[] | undefined {
  const was = before === undefined ? {} : facts.unitsBefore?.get(before);
  return was && changesForPeople(was, unit.data);
}

/** Of a phase in the manifest; undefined: it was changed in something else, or the old manifest is not the newest one. */
export function definitionValues(
  context: PlanContext,
  phase: string,
  revision: number,
): readonly ValueChange[] | undefined {
  const { ledger, facts } = context;
  const made = ledger.revisions.get(revision)?.manifest;
  if (made === undefined || made !== facts.manifestBeforeHash) return undefined;
  const values = context.manifestChanges().filter(({ path }) => phaseOf(path) === phase);
  return values.length === 0 ? undefined : values;
}
