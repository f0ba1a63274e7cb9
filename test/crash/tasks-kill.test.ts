import { expect, test } from 'vitest';
import { halfWrite, isThorough, killing, type Moment, TeamExplorer, tellWhole } from './tasks-explore.ts';

test.each([
  { durability: 'power', isRebooted: false, every: 1 },
  { durability: 'process', isRebooted: true, every: 5 },
] as const)(
  'whoever is killed at any moment breaks no promise that others work by (durability: $durability)',
  { timeout: 600_000 },
  async ({ every, ...options }) => {
    const moments = (await tellWhole(options)).filter((_, nth) => isThorough || nth % every === 0);
    const explorer = new TeamExplorer(options);
    // Right after one call is right before the next.
    await explorer.visitAll(moments.filter(({ when }) => when === 'after').map(killing));
    await explorer.visitAll(moments.filter(isBeforeWrite).map(halfWrite));
    console.info(`${explorer.visited} lives after a kill, ${explorer.lived} of them different`);
    expect(explorer.visited).toBeGreaterThan(250 / every);
  },
);

function isBeforeWrite({ call, when }: Moment): boolean {
  return call.operation === 'write' && when === 'before';
}
