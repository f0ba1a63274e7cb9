import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  completeTask,
  nextTask,
  runPipeline,
  showGraph,
  unblockTask,
  verifyRun,
} from '../../src/engine/index.ts';
import type { Finding } from '../../src/model/failure.ts';
import { type Call, type Fault, readCalls, shim, shimEnvironment } from '../faults/shim.ts';
import { type Finished, pawl } from '../support/command.ts';
import { tempFolder } from '../support/temp.ts';
import { copyOf, type TestWorkspace, withEnv, write } from '../support/workspace.ts';
import { engineAt, journalOf, leaseMs, next, startedCrew } from './tasks-work.ts';

/*
 * Real processes that are killed in the middle of a command, at calls that are counted and not drawn by chance: every
 * so many of all that the command makes. Whoever comes next finds everything that it needs.
 */

const ann = ['--actor', 'ann'];
const commands: readonly [name: string, isClaimed: boolean, args: string[]][] = [
  ['next', false, ['next', ...ann]],
  ['heartbeat', true, ['heartbeat', 't1', ...ann]],
  ['complete', true, ['complete', 't1', ...ann, '--output', 'notes=draft.md', '--note', 'easy']],
  ['fail', true, ['fail', 't1', ...ann, '--reason', 'no idea']],
  ['block', true, ['block', 't1', ...ann, '--reason', 'needs a key']],
];

describe.runIf(shim !== undefined)('an agent that is killed in the middle of', () => {
  it.each(commands)(
    '%s leaves a run that others bring to its end',
    { timeout: 600_000 },
    async (_, isClaimed, args) => {
      const start = await startedCrew([
        { id: 't1', artifacts: ['src/a.ts'] },
        { id: 't2', needs: ['t1'] },
      ]);
      if (isClaimed) expect(await next(start, 'ann')).toMatchObject({ task: { unit: 't1' } });
      write(start, 'src/a.ts', 'a\n');
      write(start, 'draft.md', 'notes\n');
      const whole = copyOf(start);
      const calls = (await faulted(whole, args)).calls;
      expect(calls.length).toBeGreaterThan(20);
      const kills = [
        ...calls
          .filter((_, nth) => nth % 13 === 6)
          .map(({ number }) => ({ at: number, fault: 'kill-after' as const })),
        ...calls
          .filter(({ operation }) => operation === 'write')
          .filter((_, nth) => nth % 6 === 2)
          .map(({ number }) => ({ at: number, fault: 'tear' as const })),
      ];
      expect(kills.length).toBeGreaterThan(2);
      for (const kill of kills) {
        const work = copyOf(start);
        const { finished } = await faulted(work, args, kill);
        expect(finished.signal, `${kill.fault} ${kill.at}`).toBe('SIGKILL');
        expect(finished.stdout).toBe('');
        await expectBroughtToEnd(work);
      }
    },
  );
});

/** Calls the command with its disk counted, and cut off where that is asked for. */
async function faulted(
  work: TestWorkspace,
  args: readonly string[],
  kill: { readonly at?: number; readonly fault?: Fault } = {},
): Promise<{ readonly finished: Finished; readonly calls: readonly Call[] }> {
  const log = join(tempFolder(), 'log');
  const finished = await pawl(withEnv(work, shimEnvironment({ root: work.root, log, ...kill })), ...args);
  return { finished, calls: readCalls(readFileSync(log, 'utf8')) };
}

/** Somebody else does what is left, as soon as the lease has run out; without a process for each step. */
async function expectBroughtToEnd(work: TestWorkspace): Promise<void> {
  const env = engineAt(work, leaseMs);
  const target = { path: work.root };
  const seen = await showGraph(env, target);
  expect(seen.ok && loud(seen.value.findings)).toEqual([]);
  for (let rounds = 0; rounds < 10; rounds++) {
    const answer = await nextTask(env, { ...target, actor: 'bob' });
    if (!answer.ok) throw new Error(JSON.stringify(answer.failure));
    const { task, none } = answer.value;
    if (none?.code === 'all-done') break;
    if (task !== undefined) {
      const { unit, attempt } = task;
      const done = await completeTask(env, { ...target, unit, actor: 'bob', attempt });
      expect(done, unit).toMatchObject({ ok: true });
    } else if (none?.code === 'stuck' && none.blocked.length > 0) {
      for (const unit of none.blocked)
        expect((await unblockTask(env, { ...target, unit, actor: 'bob' })).ok).toBe(true);
    } else expect((await runPipeline(env, target)).ok).toBe(true);
  }
  const verified = await verifyRun(env, target);
  expect(verified.ok && loud(verified.value.findings)).toEqual([]);
  const events = journalOf(work);
  const of = (type: string) =>
    events.filter((event) => event.type === type).map(({ unit, attempt }) => `${unit}#${attempt}`);
  expect(new Set(of('attempt_started')).size).toBe(of('attempt_started').length);
  expect(
    of('attempt_succeeded')
      .map((done) => done.split('#')[0])
      .sort(),
  ).toEqual(['t1', 't2']);
  // What was left half-way is tidied up once, and then there is nothing to do.
  expect(await runPipeline(env, target)).toMatchObject({ value: { heading: { status: 'completed' } } });
  expect(await runPipeline(env, target)).toMatchObject({ ok: true, value: { kind: 'unchanged' } });
}

/** A line that was torn is told, and nothing else may be. */
function loud(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ weight }) => weight === 'loud');
}
