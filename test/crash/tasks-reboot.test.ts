import { expect, test } from 'vitest';
import type { Fate, UnsyncedEffect } from '../memory/memory-disk.ts';
import { begin } from './tasks-story.ts';
import * as t from './tasks-team.ts';

test.each(['noise', 'drop'] as const)(
  'an output of a visitor is proven after the power loss that follows a reboot: %s',
  async (fate) => {
    const team = await begin('power', true);
    const { task } = t.demandOk(await t.next(team, 'a'));
    if (task) t.work(team, task);
    t.demandOk(await t.complete(team, { unit: 'T001', actor: 'a' }));
    const path = `${t.root}/${task?.outputs[0]?.path}`;
    const ino = team.disk.stat(path)?.ino;
    const disk = team.disk.crash(
      (e: UnsyncedEffect): Fate =>
        e.kind === 'write' && e.ino === ino
          ? fate
          : e.kind === 'names' && fate === 'drop' && e.names.includes('T001.md')
            ? 'drop'
            : 'keep',
    );
    const after = { ...team, disk, view: disk, machine: { ...team.machine, boots: team.machine.boots + 1 } };
    await t.run(after);
    expect(Buffer.from(disk.read(path) ?? []).toString()).toBe(t.notes.T001);
  },
);
