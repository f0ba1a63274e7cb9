import { bad, type DoctorFinding, good, warning } from './finding.ts';
import type { DoctorScope } from './ground.ts';

/** Whether this Node runs this Pawl. */
export function checkVersions({ machine }: Pick<DoctorScope, 'machine'>): DoctorFinding[] {
  const { nodeVersion, program } = machine;
  if (program === undefined) return [warning('pawl-version', {})];
  const { version, nodeNeeded } = program;
  const node = { version: nodeVersion, needed: nodeNeeded };
  return [
    isNewEnough(nodeVersion, nodeNeeded) ? good('node-version', node) : bad('node-version', node),
    good('pawl-version', { version }),
  ];
}

/** `needed` as the package says it, `^20.19 || >=22.12`. A range of another form cannot be judged here, and passes. */
function isNewEnough(version: string, needed: string): boolean {
  const ranges = needed.split('||').map((range) => rangePattern.exec(range.trim()));
  const found = numbersOf(version);
  return ranges.some((range) => {
    if (range === null) return true;
    const [, kind, least = ''] = range;
    return isAtLeast(found, numbersOf(least)) && (kind === '>=' || found[0] === numbersOf(least)[0]);
  });
}

const rangePattern = /^(>=|\^)\s*(\d+(?:\.\d+){0,2})$/;

function isAtLeast(found: readonly number[], least: readonly number[]): boolean {
  for (const [at, number] of least.entries())
    if (number !== (found[at] ?? 0)) return (found[at] ?? 0) > number;
  return true;
}

function numbersOf(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
}
