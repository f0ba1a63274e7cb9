import type { Ledger } from '../ledger/ledger.ts';
import type { Pipeline } from '../model/definition.ts';
import type { RecordedPace, RunResumed } from '../model/event.ts';
import { ownFileInput } from '../model/names.ts';
import type { Notice } from '../model/reason.ts';
import type { CurrentStatics, LoadedPipeline } from '../pipeline/loaded.ts';
import { isFileNamed } from '../pipeline/units/fields.ts';
import { changedCode } from './compare.ts';
import { formerResult, outdatedBy, type UnitPlan } from './plan.ts';

/**
 * Templates that changed since they were recorded, where a step uses one and has no result yet: it never ran, or it only
 * failed. Nothing refuses such a step, because there is no result that could be mixed with others.
 */
export function changedSourceNotices(
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

/** `pace` under the keys of the manifest, as the journal keeps it. */
export function recordedPace({ pace }: Pick<Pipeline, 'pace'>): RecordedPace {
  return {
    concurrency: pace.concurrency,
    grace: pace.graceMs,
    stale_after: pace.staleAfterMs,
    wait: pace.waitMs,
  };
}

/** For the record of a resume; undefined: it is as it was recorded. */
export function changedPace(ledger: Ledger, pipeline: Pick<Pipeline, 'pace'>): RunResumed['pace'] {
  const [before, after] = [ledger.pace, recordedPace(pipeline)];
  if (before !== undefined && changedKeys(before, after).length === 0) return undefined;
  return before === undefined ? { after } : { before, after };
}

/** A line for each value that changed; none where no value is on record. */
export function paceNotices(ledger: Ledger, pipeline: Pick<Pipeline, 'pace'>): Notice[] {
  const [before, after] = [ledger.pace, recordedPace(pipeline)];
  if (before === undefined) return [];
  return changedKeys(before, after).map((key) => ({
    code: 'value-changed',
    path: `pace.${key}`,
    before: before[key],
    after: after[key],
  }));
}

function changedKeys(before: RecordedPace, after: RecordedPace): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]).sort();
}

/** What a reader of the manifest should know: names that hide others, and old spellings. */
export function manifestNotices(pipeline: Pick<Pipeline, 'stages'>): Notice[] {
  return [...hiddenFiles(pipeline), ...oldSpellings(pipeline)];
}

/** Phases where another input or field called `file` goes before the file of the unit. */
function hiddenFiles({ stages }: Pick<Pipeline, 'stages'>): Notice[] {
  return stages.flatMap(({ units, phases }): Notice[] => {
    const [first] = units;
    if (first?.file === undefined) return [];
    const isHidden = units.some((unit) => !isFileNamed(unit));
    return phases.flatMap(({ name: phase, needs, inputs, prompt }): Notice[] => {
      const taken = inputs.some(({ kind }) => kind === 'unit-file');
      if (taken) return isHidden && prompt ? [{ code: 'own-file-hidden', by: 'field', phase }] : [];
      const isNamed = inputs.some(({ name }) => name === ownFileInput);
      return isNamed && needs.length === 0 ? [{ code: 'own-file-hidden', by: 'input', phase }] : [];
    });
  });
}

function oldSpellings({ stages }: Pick<Pipeline, 'stages'>): Notice[] {
  const phases = stages
    .flatMap((stage) => stage.phases)
    .flatMap(({ name, executor }) => (executor.kind === 'task' && executor.isOldSpelling ? [name] : []));
  return phases.length === 0 ? [] : [{ code: 'agent-means-task', phases }];
}
