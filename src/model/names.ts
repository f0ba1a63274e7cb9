import type { Hash } from '../base/hash.ts';

/** A step's name, as people type it: `ch001_sc002/write`. */
export type StepName = `${string}/${string}`;

export function stepName(unit: string, phase: string): StepName {
  return `${unit}/${phase}`;
}

/** Phase and unit names hold no slash, so the split is exact. */
export function parseStepName(text: string): { unit: string; phase: string } | undefined {
  const parts = text.split('/');
  const [unit, phase] = parts;
  return parts.length === 2 && unit && phase ? { unit, phase } : undefined;
}

/** What a phase, stage, input, output or actor may be called. Safe as a file name on every system. */
export const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Units come from lists that others write (`T001`). Some systems do not tell capitals apart: neither may two ids. */
export const unitPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Names that some system treats as a device, or that Pawl uses itself. */
const reservedNames = new Set(
  'con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9'.split(
    ' ',
  ),
);

export function isSafeUnit(id: string): boolean {
  return unitPattern.test(id) && isSafeName(id.toLowerCase());
}

export function isSafeName(name: string): boolean {
  return namePattern.test(name) && !reservedNames.has(name.split('.')[0] ?? '') && !name.endsWith('.');
}

/** The file that a unit is about. */
export interface OwnFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** Undefined: the file is not there, or it is too large to be compared by its bytes. */
  readonly hash: Hash | undefined;
  readonly isMissing?: true;
}

/** The input that a phase has which takes the unit's own file by default. */
export const ownFileInput = 'file';

/** How `inputs:` of a phase refers to it. */
export const ownFileReference = 'unit.file';

/** Text of a unit's own file is read up to this size: larger files are taken by path, or attached. */
export const ownFileTextBytesMax = 1024 * 1024;

/**
 * Some steps of a run. Not a set of their names, because in a large run building the names takes longer than
 * every lookup.
 */
export class StepSet {
  readonly #phases = new Map<string, string[]>();

  has(unit: string, phase: string): boolean {
    return this.#phases.get(unit)?.includes(phase) === true;
  }

  add(unit: string, phase: string): void {
    const phases = this.#phases.get(unit);
    if (phases === undefined) this.#phases.set(unit, [phase]);
    else if (!phases.includes(phase)) phases.push(phase);
  }

  addAll(other: StepSet): void {
    for (const [unit, phases] of other.#phases) for (const phase of phases) this.add(unit, phase);
  }

  delete(unit: string, phase: string): void {
    const phases = this.#phases.get(unit);
    const at = phases?.indexOf(phase) ?? -1;
    const last = at === -1 ? undefined : phases?.pop();
    if (phases !== undefined && last !== undefined && last !== phase) phases[at] = last;
  }
}
