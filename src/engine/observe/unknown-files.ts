import { findStep, type Ledger, newestResult, promotedResult } from '../../ledger/ledger.ts';
import { compilePattern, expandPattern } from '../../pipeline/pattern.ts';
import type { UnknownFile } from '../../planner/facts.ts';
import type { Workspace } from '../open/workspace.ts';

/** A file at the path of an output, before anything is known about where it comes from. */
export type FoundFile = Omit<UnknownFile, 'origin'>;

/**
 * Files at output paths where their step has recorded none: it never ran, or the manifest gave it another path since. One
 * listing per folder, not a look at each file, because nearly always there are none.
 */
export function unknownFiles(
  { env, root, loaded }: Pick<Workspace, 'env' | 'root' | 'loaded'>,
  ledger: Ledger,
  /** Absent: all. */
  only?: ReadonlySet<string>,
): FoundFile[] {
  const found: FoundFile[] = [];
  const listed = new Map<string, ReadonlySet<string>>();
  const isThere = (path: string): boolean => {
    const cut = path.lastIndexOf('/');
    const parent = path.slice(0, Math.max(0, cut));
    let names = listed.get(parent);
    if (names === undefined) {
      names = new Set(env.disk.list(parent === '' ? root : `${root}/${parent}`));
      listed.set(parent, names);
    }
    return names.has(path.slice(cut + 1));
  };
  for (const { phases, units } of loaded.pipeline.stages) {
    for (const phase of phases) {
      const outputs = phase.outputs.map(({ name, path }) => ({ name, pathOf: compilePattern(path) }));
      for (const unit of units) {
        if (only?.has(unit.id) === false) continue;
        const step = findStep(ledger, unit.id, phase.name);
        const placed = step?.placed;
        const attempt = step?.running?.claim ? step.running.attempt : (step?.attempts ?? 0) + 1;
        for (const { name, pathOf } of outputs) {
          const path = pathOf(unit, attempt);
          if (placed?.[name]?.path === path || !isThere(path)) continue;
          const file = { unit: unit.id, phase: phase.name, output: name, path };
          found.push(placed === undefined ? file : { ...file, hasResult: true });
        }
      }
    }
  }
  return found;
}

/**
 * Files that a run moves to `aside/` to put back a result that counts again and lies nowhere yet: undo was cut off, or
 * the unit was not listed then.
 */
export async function filesOverEarlier(
  { env, root, loaded }: Pick<Workspace, 'env' | 'root' | 'loaded'>,
  ledger: Ledger,
  /** Absent: all. */
  only?: ReadonlySet<string>,
): Promise<Omit<FoundFile, 'output'>[]> {
  const earlier = [...ledger.steps.values()].filter(
    (step) =>
      only?.has(step.unit) !== false &&
      promotedResult(step) === undefined &&
      newestResult(step) !== undefined,
  );
  if (earlier.length === 0) return [];
  // Nearly every look ends before.
  const { isForeign } = await import('../../runner/promotion.ts');
  const { stages } = loaded.pipeline;
  const units = new Map(stages.flatMap((stage) => stage.units.map((unit) => [unit.id, unit] as const)));
  const phases = new Map(
    stages.flatMap((stage) => stage.phases.map((phase) => [phase.name, phase] as const)),
  );
  const found: Omit<FoundFile, 'output'>[] = [];
  for (const step of earlier) {
    const unit = units.get(step.unit);
    const result = newestResult(step);
    if (unit === undefined || result === undefined) continue;
    for (const { name, path: pattern } of phases.get(step.phase)?.outputs ?? []) {
      const path = expandPattern(pattern, unit, result.attempt);
      const record = result.outputs[name];
      if (record !== undefined && isForeign({ disk: env.disk, root }, path, record, step.former))
        found.push({ unit: step.unit, phase: step.phase, path });
    }
  }
  return found;
}
