import { bad, type DoctorFinding, good, warning } from './finding.ts';
import type { Ground } from './ground.ts';

/** Whether this Node runs this Pawl. */
export function checkVersions({ machine }: Pick<Ground, 'machine'>): DoctorFinding[] {
  const { nodeVersion, program } = machine;
  if (program === undefined) return [warning('pawl-version', {})];
  const { version, nodeNeeded } = program;
  const node = { version: nodeVersion, needed: nodeNeeded };
  return [
    isNewEnough(nodeVersion, nodeNeeded) ? good('node-version', node) : bad('node-version', node),
    good('pawl-version', { version }),
  ];
}

/** `needed` as the package says it, `>=20.19`; a range of another form is nothing that could be judged here. */
function isNewEnough(version: string, needed: string): boolean {
  const least = /^>=\s*(\d+(?:\.\d+){0,2})$/.exec(needed)?.[1];
  if (least === undefined) return true;
  const found = numbersOf(version);
  for (const [at, number] of numbersOf(least).entries())
    if (number !== (found[at] ?? 0)) return (found[at] ?? 0) > number;
  return true;
}

function numbersOf(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
}
