import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemHost } from '../../src/disk/host.ts';
import { formatHeader } from '../../src/store/records/line.ts';
import { documentOf, pawl, pawlJson, pawlKilledAt, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { eventsOf, runFolder, segments } from '../support/journal.ts';
import { expectNothingToDo, expectSound } from '../support/library.ts';
import { isAlive } from '../support/processes.ts';
import {
  calls,
  hashes,
  projectRoot,
  read,
  stepsCalled,
  type TestWorkspace,
  withEnv,
  workspaceWith,
} from '../support/workspace.ts';

describe('two processes on one run', () => {
  it('are told apart: the second ends at once and names the first', async () => {
    const { door, workspace } = await openDoor(workspaceWith(manifest), ['a/one']);
    const first = start(workspace, ['run']);
    const visit = await door.visit('a/one');
    for (const command of [['run'], ['resume'], ['run', '--rerun-all']]) {
      const second = await pawlJson<{ holder: { pid: number; alive: string } }>(workspace, ...command);
      expect(second).toMatchObject({ exitCode: 6, reason: 'run-held', holder: { pid: first.pid } });
      expect(second.finished.code).toBe(6);
    }
    const told = await pawl(workspace, 'run');
    expect(told.stderr).toContain(String(first.pid));
    expect(await pawlJson(workspace, 'status')).toMatchObject({ holder: { pid: first.pid } });
    visit.answer('go');
    expect((await first.ended).code).toBe(0);
    expect(stepsCalled(workspace)).toEqual(['a/one', 'a/two']);
  });

  it('may be had one after the other: a dead holder is replaced', async () => {
    const work = workspaceWith(manifest);
    await pawlKilledAt(work, 'a/one started', 'run');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(segments(work)).toHaveLength(2);
  });

  it('does not take a reused pid for the holder', async () => {
    const { self } = systemHost();
    for (const { started, code } of [
      { started: self.started, code: 6 },
      { started: String(Number(self.started) + 1), code: 0 },
    ]) {
      const work = workspaceWith(manifest);
      await pawlKilledAt(work, 'a/one succeeded', 'run');
      claimAs(work, { ...self, started });
      const run = await pawl(work, 'run');
      expect(run.code).toBe(code);
      if (code === 6) expect(run.stderr).toContain(String(process.pid));
    }
  });

  it('does not displace a holder on another machine without being told to', async () => {
    const work = workspaceWith(manifest);
    await pawlKilledAt(work, 'a/one succeeded', 'run');
    claimAs(work, { pid: 1, started: '1', boot: 'other', host: 'elsewhere' });
    const refused = await pawl(work, 'run');
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain('elsewhere');
    expect(refused.stderr).toContain('--takeover');
    expect((await pawl(work, 'run', '--takeover')).code).toBe(0);
  });
});

describe('eight processes that come at once', () => {
  it.each([
    ['to a run that was interrupted', true],
    ['before there is any run', false],
  ])('%s: exactly one has it', async (_, interrupted) => {
    const made = workspaceWith(manifest);
    if (interrupted) await pawlKilledAt(made, 'a/one started', 'run');
    const { door, workspace } = await openDoor(made, ['a/two', 'gate']);
    const preload = pathToFileURL(join(projectRoot, 'test/support/wait-at-door.mjs')).href;
    const waiting = withEnv(workspace, { NODE_OPTIONS: `--import=${preload}` });
    const racers = Array.from({ length: 8 }, () => start(waiting, ['run', '--json']));
    const gates = await Promise.all(racers.map(() => door.visit('gate')));
    for (const gate of gates) gate.answer('go');

    // The winner stands in the middle of its run until all the others are gone.
    const winner = await door.visit('a/two');
    const losers = await Promise.all(
      racers.filter(({ pid }) => pid !== winner.pid).map(({ ended }) => ended),
    );
    expect(losers.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => 6));
    for (const loser of losers) expect(documentOf(loser)).toMatchObject({ reason: 'run-held' });
    winner.answer('go');
    const won = racers.find(({ pid }) => pid === winner.pid);
    expect((await won?.ended)?.code).toBe(0);
    expect(stepsCalled(workspace)).toEqual(['a/one', 'a/two']);
    expect(await pawlJson<{ runs: object[] }>(workspace, 'runs')).toMatchObject({ runs: [{}] });
    await expectNothingToDo(workspace);
  });
});

describe('a holder that was stopped, displaced and woken', () => {
  it.each([['function'], ['command']])(
    'is fenced out, and its late files change nothing (%s)',
    async (kind) => {
      const { door, workspace } = await openDoor(workspaceWith(kind === 'function' ? manifest : commands), [
        'a/one',
      ]);
      const sleeper = start(workspace, ['run', '--json']);
      const stale = await door.visit('a/one');
      process.kill(sleeper.pid, 'SIGSTOP');

      expect((await pawl(workspace, 'run')).code).toBe(6);
      const other = start(workspace, ['run', '--takeover']);
      const fresh = await door.visit('a/one');
      expect(fresh.attempt).toBe(2);
      fresh.answer('go');
      expect((await other.ended).code).toBe(0);
      const made = hashes(workspace, 'out');
      const journal = hashes(workspace, `${runFolder(workspace)}/events`);

      process.kill(sleeper.pid, 'SIGCONT');
      stale.answer('go');
      const woken = await sleeper.ended;
      expect(woken.code).toBe(6);
      expect(documentOf(woken)).toMatchObject({ ok: false, reason: 'fenced-out' });
      expect(hashes(workspace, 'out')).toEqual(made);
      expect(hashes(workspace, `${runFolder(workspace)}/events`)).toMatchObject(newest(journal));
      await expectNothingToDo(workspace);
      expect(eventsOf(workspace, 'attempt_succeeded').filter(({ epoch }) => epoch === 1)).toEqual([]);
      await expectSound(workspace);
      expect(read(workspace, 'out/a.two.txt')).toContain('a/two');
    },
  );
});

describe('the children of a runner that was killed', () => {
  it('are ended, grandchildren too, before their phase runs again', async () => {
    const { door, workspace } = await openDoor(workspaceWith(family), ['a/one', 'a/one/grandchild']);
    const first = start(workspace, ['run']);
    const [child, grandchild] = await Promise.all([door.visit('a/one'), door.visit('a/one/grandchild')]);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    expect(isAlive(child.pid) && isAlive(grandchild.pid)).toBe(true);

    const second = start(workspace, ['run']);
    const [again, last] = await Promise.all([door.visit('a/one'), door.visit('a/one/grandchild')]);
    expect({
      attempt: again.attempt,
      child: isAlive(child.pid),
      grandchild: isAlive(grandchild.pid),
    }).toEqual({
      attempt: 2,
      child: false,
      grandchild: false,
    });
    again.answer('go');
    const finished = await second.ended;
    expect(finished.code).toBe(0);
    expect(finished.stderr).toContain(`had left process ${child.pid} behind; ended it`);
    // What the command left running ends with it, too.
    expect(isAlive(last.pid)).toBe(false);
    expect(calls(workspace).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

/** Leaves a segment as a process that took the run and died, or lives, would have left it. */
function claimAs(
  work: TestWorkspace,
  holder: { pid: number; started: string; boot: string; host: string },
): void {
  const last = segments(work).at(-1) ?? '';
  const epoch = Number(/(\d+)\.jsonl$/.exec(last)?.[1]) + 1;
  const header = formatHeader({
    version: 1,
    actor: 'runner',
    epoch,
    owner: holder,
    opened: '2026-01-01T00:00:00.000Z',
  });
  const path = last.replace(/\d+\.jsonl$/, `${String(epoch).padStart(6, '0')}.jsonl`);
  writeFileSync(join(work.root, path), header.text);
}

/** The segment of the one who holds the run now; the loser may still have written to its own. */
function newest(journal: Record<string, string>): Record<string, string> {
  const path = Object.keys(journal)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .at(-1);
  return { [path ?? '']: journal[path ?? ''] ?? '' };
}

const manifest = `
pawl: 1
pipeline: held
units: [a]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.one.txt" }
  two:
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}.two.txt" }
`;

const env = '{ TEST_CALLS: $TEST_CALLS, TEST_DOOR: $TEST_DOOR, TEST_DOOR_CELLS: $TEST_DOOR_CELLS }';

const commands = manifest.replace(
  'one:\n    run: { function: ./phases.mjs#step }',
  `one:\n    run: { command: [node, tool.mjs], env: ${env} }`,
);

const family = `
pawl: 1
pipeline: family
units: [a]
phases:
  one:
    run: { command: [node, parent.mjs], env: ${env} }
    outputs: { text: "out/{unit}.one.txt" }
`;
