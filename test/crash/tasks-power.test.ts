import { expect, test } from 'vitest';
import { isThorough, type Moment, powerLosses, TeamExplorer, tellWhole } from './tasks-explore.ts';

test('a power loss at any moment breaks no promise that others work by', { timeout: 600_000 }, async () => {
  const options = { durability: 'power', isRebooted: false } as const;
  const explorer = new TeamExplorer(options);
  const moments = (await tellWhole(options)).filter(({ when }) => when === 'after');
  for (const [nth, moment] of moments.entries()) {
    // Everything that is at risk was done by then: each single loss of something recent, and mixtures.
    if (isThorough || isLastOfStep(moments, nth)) await explorer.visitAll(powerLosses(moment, 14));
    else if (nth % 4 === 0) await explorer.visitAll(powerLosses(moment, 2));
  }
  console.info(`${explorer.visited} lives after a power loss, ${explorer.lived} of them different`);
  expect(explorer.visited).toBeGreaterThan(120);
});

function isLastOfStep(moments: readonly Moment[], nth: number): boolean {
  return moments[nth + 1]?.step !== moments[nth]?.step;
}
