import type { Ledger } from '../ledger/ledger.ts';
import type { Notice } from '../model/reason.ts';
import type { CurrentStatics, LoadedPipeline } from '../pipeline/loaded.ts';
import { changedCode } from './changed-code.ts';
import { formerResult, outdatedBy, type UnitPlan } from './plan.ts';

/**
 * Templates that changed since they were recorded, where a step uses one and has no result yet: it never ran, or it only
 * failed. Nothing refuses such a step, because there is no result that could be mixed with others.
 */
export function changedSources(
  { pipeline, statics }: Pick<LoadedPipeline, 'pipeline' | 'statics'>,
  ledger: Ledger,
  units: ReadonlyMap<string, UnitPlan>,
): Notice[] {
  const recorded = ledger.revisions.get(ledger.revision)?.phases;
  if (recorded === undefined) return [];
  const changed = new Set<string>();
  const all = new Set<string>();
  const phases = new Set<string>();
  for (const stage of pipeline.stages)
    for (const { name } of stage.phases) {
      const now = statics.get(name);
      if (now === undefined) continue;
      for (const { path } of now.templates.values()) all.add(path);
      const paths = changedTemplates(recorded[name]?.templates, now);
      for (const path of paths) changed.add(path);
      if (paths.length > 0) phases.add(name);
    }
  if (changed.size === 0) return [];
  const steps = [...units.values()].flatMap(({ cells }) =>
    cells.filter(
      ({ phase, decision }) =>
        phases.has(phase) &&
        (decision.do === 'run' || decision.do === 'wait' || decision.do === 'stop') &&
        formerResult(decision) === undefined,
    ),
  );
  if (steps.length === 0) return [];
  return [
    {
      code: 'templates-changed',
      paths: [...changed].sort(),
      of: all.size,
      sinceStart: ledger.revision === 1,
      steps: steps.map(({ unit, phase }) => ({ unit, phase })),
    },
  ];
}

function changedTemplates(
  before: { readonly [role: string]: { readonly path: string; readonly hash: string } } | undefined,
  { templates }: CurrentStatics,
): string[] {
  if (before === undefined) return [];
  const roles = new Set([...Object.keys(before), ...templates.keys()]);
  return [...roles].flatMap((role) => {
    const [was, is] = [before[role], templates.get(role)];
    return was?.hash === is?.hash ? [] : [is?.path ?? was?.path ?? ''];
  });
}

/** Code that changed since it was recorded, where results that were made with the old code stay. */
export function changedCodeKept(
  { statics }: Pick<LoadedPipeline, 'statics'>,
  ledger: Ledger,
  units: ReadonlyMap<string, UnitPlan>,
): Notice[] {
  const recorded = ledger.revisions.get(ledger.revision)?.phases;
  if (recorded === undefined) return [];
  return [...statics].flatMap(([phase, now]): Notice[] => {
    const before = recorded[phase];
    const paths = before && changedCode(before, now);
    if (paths === undefined || paths.length === 0) return [];
    const kept = [...units.values()].flatMap(({ cells: steps }) =>
      steps.filter(
        (step) =>
          step.phase === phase && outdatedBy(step.decision).some(({ guard }) => guard === 'code-changed'),
      ),
    );
    return kept.length === 0 ? [] : [{ code: 'code-kept', phase, paths, results: kept.length }];
  });
}
