import { describe } from 'vitest';
import { type Call, shim } from './shim.ts';
import { sweepAll } from './sweep.ts';

describe.runIf(shim !== undefined)('a run whose n-th call fails, and that is run again', () => {
  const needRoom = new Set<Call['operation']>(['create', 'write', 'mkdir', 'link']);
  const writes = ({ operation }: Call) => operation === 'write';
  const needsRoom = ({ operation }: Call) => needRoom.has(operation);
  const reads = ({ operation }: Call) => operation === 'open';
  const syncsState = ({ operation, path }: Call) => operation === 'sync' && /\/work$|\/staging\//.test(path);
  const opens = ({ operation }: Call) => operation === 'create' || operation === 'open';

  sweepAll('test/faults/errors.test.ts', 100, [
    { scenario: 'loop', fault: 'short', where: writes, every: 5 },
    { scenario: 'loop', fault: 'ENOSPC', where: needsRoom, every: 12 },
    { scenario: 'loop', fault: 'EIO', every: 17, from: 3 },
    { scenario: 'loop', fault: 'ESTALE', where: syncsState, every: 1 },
    { scenario: 'loop', fault: 'EMFILE', where: opens, every: 9, reads: true },
    { scenario: 'loop', fault: 'full', every: 32, from: 7 },
    { scenario: 'loop', fault: 'dead', every: 32, from: 17 },
    { scenario: 'tools', fault: 'ENOSPC', where: needsRoom, every: 16, from: 5 },
    { scenario: 'tools', fault: 'EIO', every: 20, from: 9 },
    { scenario: 'tools', fault: 'EMFILE', where: opens, every: 7 },
    { scenario: 'resumed', fault: 'short', where: writes, every: 6 },
    { scenario: 'resumed', fault: 'ENOSPC', where: needsRoom, every: 10 },
    { scenario: 'resumed', fault: 'EIO', every: 15, from: 5 },
    { scenario: 'resumed', fault: 'EIO', where: reads, every: 7, reads: true },
    { scenario: 'resumed', fault: 'EMFILE', where: opens, every: 9, reads: true },
    { scenario: 'resumed', fault: 'dead', every: 24, from: 9 },
  ]);
});
