import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { type Disk, DiskError } from './disk.ts';
import { nodeDisk } from './node-disk.ts';

type Step = (disk: Disk, root: string) => unknown;

/** Few names, some below others: most steps meet something that an earlier one left. */
const name = fc.constantFrom('a', 'b', 'a/a', 'a/b', 'b/a', 'a/a/a');

const step: fc.Arbitrary<readonly [label: string, Step]> = fc.oneof(
  pathStep('makeFolder', (disk, path) => disk.makeFolder(path)),
  pathStep('remove', (disk, path) => disk.remove(path)),
  pathStep('list', (disk, path) => disk.list(path)),
  pathStep('read', (disk, path) => disk.read(path)),
  pathStep('stat', (disk, path) => disk.stat(path)?.kind),
  pathStep('create', (disk, path) => disk.create(path).close()),
  pathStep('append', (disk, path) => {
    const file = disk.append(path);
    file.write(new TextEncoder().encode(path.slice(-1)));
    file.close();
  }),
  pairStep('rename', (disk, from, to) => disk.rename(from, to)),
  pairStep('link', (disk, from, to) => disk.link(from, to)),
);

test('both disks answer every sequence of calls in the same way and end up with the same content', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const memory = new MemoryDisk();
      memory.makeFolder('/root');
      const root = mkdtempSync(join(tmpdir(), 'pawl-equal-'));
      try {
        for (const [label, run] of steps) {
          expect(`${label}: ${outcome(run, memory, '/root')}`).toBe(
            `${label}: ${outcome(run, nodeDisk, root)}`,
          );
        }
        expect(contentOf(memory, '/root')).toEqual(contentOf(nodeDisk, root));
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    }),
    { numRuns: 300 },
  );
});

function pathStep(label: string, run: (disk: Disk, path: string) => unknown) {
  return name.map(
    (path) => [`${label} ${path}`, (disk: Disk, root: string) => run(disk, join(root, path))] as const,
  );
}

function pairStep(label: string, run: (disk: Disk, one: string, other: string) => unknown) {
  return fc
    .tuple(name, name)
    .map(
      ([one, other]) =>
        [
          `${label} ${one} ${other}`,
          (disk: Disk, root: string) => run(disk, join(root, one), join(root, other)),
        ] as const,
    );
}

function outcome(run: Step, disk: Disk, root: string): string {
  try {
    return JSON.stringify(run(disk, root)) ?? 'nothing';
  } catch (error) {
    // Which of two reasons comes first differs between systems; the simulator has Linux' order.
    if (error instanceof DiskError) return process.platform === 'linux' ? error.code : 'refused';
    throw error;
  }
}

function contentOf(disk: Disk, path: string): unknown {
  if (disk.stat(path)?.kind !== 'folder') return disk.read(path);
  return (disk.list(path) ?? []).map((entry) => [entry, contentOf(disk, join(path, entry))]);
}
