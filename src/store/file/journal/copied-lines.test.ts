import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  claim,
  eventsFolder,
  readAll,
  succeeded,
  testHost,
  write,
} from '../../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';

const segment = (epoch: number) => `${eventsFolder}/runner/00000${epoch}.jsonl`;

/** Three segments; the second was left open by a process that died. */
async function journal(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  await write(
    disk,
    ['a', 'b', 'c', 'd'].map((unit) => succeeded(unit)),
  );
  const { writer } = await claim(disk, { host: testHost(2) });
  await writer.append(['e', 'f', 'g'].map((unit) => succeeded(unit)));
  await write(disk, [succeeded('h'), succeeded('i'), { type: 'run_ended', status: 'stopped' }]);
  return disk;
}

const linesOf = (disk: MemoryDisk, epoch: number) =>
  Buffer.from(disk.read(segment(epoch)) ?? [])
    .toString()
    .trimEnd()
    .split('\n');

describe('an intact line at another place', () => {
  test('changes nothing, wherever a copy of it is put', async () => {
    const disk = await journal();
    const whole = readAll(disk).events;
    expect(whole).toHaveLength(10);
    for (const from of [1, 2, 3])
      for (const [index, line] of linesOf(disk, from).entries())
        for (const to of [1, 2, 3]) {
          const lines = linesOf(disk, to);
          for (let at = 0; at <= lines.length; at++) {
            const copy = disk.kill();
            copy.putFile(segment(to), Buffer.from(`${lines.toSpliced(at, 0, line).join('\n')}\n`));
            const read = readAll(copy);
            const name = `line ${index + 1} of ${from} at ${at + 1} of ${to}`;
            expect(read.events, name).toEqual(whole);
            expect(
              read.codes.filter((code) => code.includes('loud')),
              name,
            ).toEqual([]);
            if (at < lines.length || to === 3) expect(read.codes.length, name).toBeGreaterThan(0);
          }
        }
  });

  test('counts where the chain has it, in any order of the lines', async () => {
    const disk = await journal();
    const whole = readAll(disk).events;
    const [header = '', ...lines] = linesOf(disk, 3);
    const shuffled = fc.shuffledSubarray(lines, { minLength: lines.length });
    fc.assert(
      fc.property(shuffled, (order) => {
        const copy = disk.kill();
        copy.putFile(segment(3), Buffer.from(`${[header, ...order].join('\n')}\n`));
        const read = readAll(copy);
        expect(read.events).toEqual(whole);
        expect(read.codes.filter((code) => code.includes('loud'))).toEqual([]);
      }),
    );
  });

  test('does not hide that another one was lost', async () => {
    const disk = await journal();
    const whole = readAll(disk).events;
    const lines = linesOf(disk, 1);
    for (let lost = 1; lost <= 4; lost++)
      for (let copied = 1; copied <= 4; copied++) {
        if (copied === lost) continue;
        const copy = disk.kill();
        const put = lines.toSpliced(lost, 1).toSpliced(1, 0, lines[copied] ?? '');
        copy.putFile(segment(1), Buffer.from(`${put.join('\n')}\n`));
        const read = readAll(copy);
        expect(read.events).toEqual(whole.filter(({ seq }) => seq !== lost));
        expect(read.codes.some((code) => code.startsWith('sequence-gap loud'))).toBe(true);
      }
  });

  test('is followed by what was written after it was found', async () => {
    const disk = await journal();
    const lines = linesOf(disk, 3);
    disk.putFile(segment(3), Buffer.from(`${lines.toSpliced(2, 0, lines[4] ?? '').join('\n')}\n`));
    const before = readAll(disk).events;
    const [stored] = await write(disk, [succeeded('next')], { host: testHost(3) });
    expect(stored?.seq).toBe(11);
    expect(readAll(disk).events).toEqual([...before, stored]);
  });

  test('a copy of a whole segment under a later name holds nothing of its own', async () => {
    const disk = await journal();
    const whole = readAll(disk).events;
    disk.putFile(segment(4), disk.read(segment(1)) ?? new Uint8Array());
    const read = readAll(disk);
    expect(read.events).toEqual(whole);
    expect(read.codes).toContain('header-unreadable loud runner/000004.jsonl:1');
  });
});
