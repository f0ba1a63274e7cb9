import { hashJson } from '../base/hash.ts';
import type { ChangePolicy } from '../model/definition.ts';
import type { Notice, Refusal } from '../model/reason.ts';
import type { ValueChange } from '../model/refusal.ts';
import { changesForPeople, phaseOf } from '../pipeline/diff.ts';
import { isCurrentManifest } from '../pipeline/loaded.ts';
import type { PlanContext } from './context.ts';
import type { UnitPlan } from './plan.ts';

/**
 * The manifest is not the one that was recorded last. Whether that refuses the run depends on what changed: new and
 * removed units never do, and every other part has its own policy.
 */
export function compareManifest(
  context: PlanContext,
  units: ReadonlyMap<string, UnitPlan>,
): { readonly refusals: readonly Refusal[]; readonly notices: readonly Notice[] } {
  const { loaded, ledger, facts } = context;
  const recorded = ledger.revisions.get(ledger.revision);
  if (recorded === undefined || isCurrentManifest(loaded, recorded.manifest)) return nothing;
  if (isManifestOfBefore(context, units)) return nothing;
  const before = recorded.manifest;
  const after = hashJson(loaded.pipeline.manifest);
  // The bytes of the recorded manifest are lost, so anything may have changed.
  if (facts.manifestBefore === undefined)
    return {
      refusals: [{ guard: 'manifest-changed', before, after, changes: [], names: ['manifest'] }],
      notices: [],
    };
  const changes = changesForPeople(facts.manifestBefore, loaded.pipeline.manifest, loaded.locate);
  // What a policy treats needs no answer.
  const refused = changes.filter((change) => answerOf(context, change) === 'refuse');
  if (refused.length === 0) return { refusals: [], notices: changes.filter(isOfNoResult).map(valueChanged) };
  const names = [...new Set(refused.map(nameOf))];
  return { refusals: [{ guard: 'manifest-changed', before, after, changes, names }], notices: [] };
}

const nothing = { refusals: [], notices: [] };

/** A change that was kept is undone, and no result was made under it: all are as the manifest says. */
function isManifestOfBefore({ loaded, ledger }: PlanContext, units: ReadonlyMap<string, UnitPlan>): boolean {
  if (![...ledger.revisions.values()].some(({ manifest }) => isCurrentManifest(loaded, manifest)))
    return false;
  for (const { refusals } of units.values())
    if (refusals.some(({ guard }) => guard === 'definition-changed' || guard === 'unit-changed'))
      return false;
  return true;
}

/** How this part of the change is treated; undefined: no result depends on it. */
function answerOf(context: PlanContext, change: ValueChange): ChangePolicy | undefined {
  if (isMembership(change)) return undefined;
  const { pipeline } = context.loaded;
  const phase = phaseOf(change.path);
  if (phase !== undefined) {
    const written = pipeline.stages.flatMap(({ phases }) => phases).find(({ name }) => name === phase);
    return written?.onChange ?? pipeline.onChange ?? 'refuse';
  }
  // A changed unit is compared step by step, with the policies of its stage and of its phases.
  const stage =
    change.unit && pipeline.stages.find(({ units }) => units.some(({ id }) => id === change.unit?.id));
  if (stage?.onChange !== undefined) return stage.onChange;
  const rules = (stage?.phases ?? []).map((one) => one.onChange ?? pipeline.onChange ?? 'refuse');
  if (rules.length === 0) return pipeline.onChange ?? 'refuse';
  return rules.includes('refuse') ? 'refuse' : rules[0];
}

/** More or fewer units: no result depends on how many others there are. */
function isMembership({ path, unit }: ValueChange): boolean {
  return unit?.part === 'whole' || /^(stages\[\d+\]\.)?units\.count$/.test(path);
}

/** What neither a step nor a list of units shows as a change of its own. */
function isOfNoResult({ path, unit }: ValueChange): boolean {
  return phaseOf(path) === undefined && unit === undefined;
}

function valueChanged(change: ValueChange): Notice {
  return { code: 'value-changed', ...change };
}

function nameOf({ path, unit }: ValueChange): string {
  if (unit !== undefined) return `units.${unit.id}`;
  const phase = phaseOf(path);
  return phase === undefined ? 'manifest' : `phases.${phase}`;
}
