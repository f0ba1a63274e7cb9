import { expect, it } from 'vitest';
import { demand } from '../../../../test/fixtures/memory.ts';
import { asking, modelWorld } from '../../../../test/fixtures/standin.ts';
import { definePipeline } from '../../../pipeline/define.ts';
import { collectGarbage } from './collect.ts';

const day = 24 * 60 * 60_000;

it('forgets answers whose bytes are gone, and keeps those that a run still names', async () => {
  const world = modelWorld();
  await world.run(asking({ reuse: 'content' }, { units: ['a'] }));
  // Nothing of it is the same: what a run still names keeps all that lies in one pack with it.
  const definition = asking({ reuse: 'content', params: { other: true } }, { units: ['a'] });
  world.env.clock.ms += 2 * day;
  world.restart();
  world.put('prompt.md', 'Another one');
  await world.run(definition, { fresh: true });
  expect(answers(world)).toHaveLength(2);
  world.env.clock.ms += day;
  const target = { path: world.folder, pipeline: definePipeline(definition) };
  demand(await collectGarbage(world.env, { ...target, olderThanMs: 2 * day, delete: true }));
  const left = answers(world);
  expect(left).toHaveLength(1);
  world.restart();
  await world.run(definition, { fresh: true });
  expect(world.asked).toHaveLength(2);
});

function answers({ env, folder }: ReturnType<typeof modelWorld>): string[] {
  const root = `${folder}/.pawl/answers`;
  return (env.disk.list(root) ?? []).flatMap((name) => env.disk.list(`${root}/${name}`) ?? []);
}
