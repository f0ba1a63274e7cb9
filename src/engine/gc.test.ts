import { expect, it } from 'vitest';
import { gallery } from '../../test/fixtures/gallery.ts';
import { demand, memoryEnvironment, root, run, type TestEnvironment } from '../../test/fixtures/memory.ts';
import { collectGarbage } from './gc.ts';

const day = 86_400_000;
function filesBelow(env: TestEnvironment, folder: string): string[] {
  return (env.disk.list(folder) ?? []).flatMap((name) => {
    const path = `${folder}/${name}`;
    return env.disk.stat(path)?.kind === 'folder' ? filesBelow(env, path) : [path];
  });
}
it.each(['run', 'shared'] as const)('x %s', async (where) => {
  const env = memoryEnvironment();
  const art = gallery(where);
  await run(env, art.definition);
  env.clock.advance(40 * day);
  art.seed = 'two';
  await run(env, art.definition, { fresh: true });
  env.clock.advance(day);
  const answer = demand(await collectGarbage(env, { ...art.target, olderThanMs: 30 * day }));
  console.log(JSON.stringify(answer, null, 1));
  console.log(filesBelow(env, root).join('\n'));
  const thin = demand(await collectGarbage(env, { ...art.target, olderThanMs: 30 * day, keep: 'approved', delete: true }));
  console.log(JSON.stringify(thin, null, 1));
  console.log(filesBelow(env, root).join('\n'));
  const done = demand(await collectGarbage(env, { ...art.target, olderThanMs: 30 * day, delete: true }));
  console.log(JSON.stringify(done, null, 1));
  console.log(filesBelow(env, root).join('\n'));
  expect(1).toBe(1);
});
