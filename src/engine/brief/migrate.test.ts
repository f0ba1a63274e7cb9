import { expect, test } from 'vitest';
import { demand, memoryEnvironment, readText, root } from '../../../test/fixtures/memory.ts';
import { replaceFileNow } from '../../disk/write.ts';
import { migrateBrief } from './migrate.ts';

function fileOf(text: string) {
  const env = memoryEnvironment();
  replaceFileNow(env.disk, `${root}/O.yaml`, new TextEncoder().encode(text));
  return env;
}

test('what cannot be told how it is meant is left as it is, and told', async () => {
  const env = fileOf(
    'resumption:\n  last_checkpoint: CP-5\n  next_step: go\n  decision_log:\n    - 7 # seven\n',
  );
  const { problems, isWritten } = demand(await migrateBrief(env, { file: 'O.yaml', write: true }));
  expect(isWritten).toBe(true);
  expect(problems).toContainEqual({ path: 'decision_log[0]', problem: 'not-an-object' });
  expect(readText(env, 'O.yaml')).toContain('- 7 # seven\n');
});

test('a section in braces loses its old members too', async () => {
  const env = fileOf('a: 1\nresumption: {last_checkpoint: CP-005, next_step: go, mine: 1} # r\n');
  demand(await migrateBrief(env, { file: 'O.yaml', write: true }));
  const text = readText(env, 'O.yaml') ?? '';
  expect(text).toMatch(
    /^a: 1\nresumption: \{recovery_state: \{last_checkpoint: CP-005, .*mine: 1, .*\} # r\n$/,
  );
  expect(demand(await migrateBrief(env, { file: 'O.yaml', write: true })).diff).toBeUndefined();
});
