import { describe } from 'vitest';
import { type Call, shim } from './shim.ts';
import { sweepAll } from './sweep.ts';

describe.runIf(shim !== undefined)('a run that is killed at its n-th call, and run again', () => {
  const writes = ({ operation }: Call) => operation === 'write';
  // A sync changes nothing that a kill leaves behind: what is told after it is cut off at the call that follows.
  const changes = ({ operation }: Call) => operation !== 'sync';

  sweepAll('test/faults/kill.test.ts', 150, [
    { scenario: 'loop', fault: 'kill-before', where: changes, every: 4 },
    { scenario: 'loop', fault: 'kill-after', where: changes, every: 20, from: 2 },
    { scenario: 'loop', fault: 'tear', where: writes, every: 3 },
    { scenario: 'tools', fault: 'kill-before', where: changes, every: 7 },
    { scenario: 'tools', fault: 'tear', where: writes, every: 6 },
    { scenario: 'resumed', fault: 'kill-before', where: changes, every: 5 },
    { scenario: 'resumed', fault: 'tear', where: writes, every: 6 },
  ]);
});
