/** A cell's name, as people type it: `ch001_sc002/write`. */
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
