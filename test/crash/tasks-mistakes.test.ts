import { expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.ts';
import { Violation } from './scenario.ts';
import { withFiles } from './tasks-disks.ts';
import { powerLosses, TeamExplorer, tellWhole } from './tasks-explore.ts';
import { story } from './tasks-story.ts';

/* Tests of the tests: with each of these mistakes a promise is broken to whoever works on the run, and is found broken. */

test.each([
  [
    'somebody is answered before the record is durable',
    /events\/(?!runner)[^/]+\/\d+\.jsonl$/,
    'a renews T001',
  ],
  ['a completion is durable before its bytes', /\.pack$/, 'b fails'],
])('a power loss finds out that %s', async (_, unsynced, during) => {
  const mistake = (disk: Disk) => withoutSync(disk, unsynced);
  const options = { durability: 'power', isRebooted: false, mistake } as const;
  const explorer = new TeamExplorer(options);
  const live = async () => {
    for (const moment of await tellWhole(options))
      if (story[moment.step]?.name === during) await explorer.visitAll(powerLosses(moment, 2));
  };
  const broken = await live().catch((error: Error) => error.cause);
  expect(broken).toBeInstanceOf(Violation);
  expect(String(broken)).toMatch(/told, and not in the journal|lost|gone|the check of the run|chain|head/);
});

function withoutSync(disk: Disk, paths: RegExp): Disk {
  return withFiles(disk, (file, path) =>
    paths.test(path) ? { ...file, sync: () => Promise.resolve() } : file,
  );
}
