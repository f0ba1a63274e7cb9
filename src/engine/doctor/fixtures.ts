import type { CheckName, DoctorFinding } from './finding.ts';
import type { Machine } from './machine.ts';

/** A machine on which all is well, but for what the test says. */
export function testMachine(more: Partial<Machine> = {}): Machine {
  return {
    nodeVersion: '20.19.0',
    program: { version: '0.1.0', nodeNeeded: '>=20.19' },
    variables: { PATH: process.env.PATH },
    tempFolder: '/tmp',
    mounts: () => undefined,
    freeBytes: () => 5 * 1024 ** 3,
    deviceOf: () => undefined,
    writeTrouble: () => undefined,
    pictureTrouble: async () => undefined,
    ...more,
  };
}

/** What a check has said, without what it was called. */
export function saidBy(findings: readonly DoctorFinding[], check: CheckName): object[] {
  return findings.filter((finding) => finding.check === check).map(({ state, facts }) => ({ state, facts }));
}
