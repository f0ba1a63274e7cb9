import { describe, expect, it } from 'vitest';
import {
  expectTrue,
  journalIn,
  notesIn,
  stateIn,
  textAt,
  textsAt,
  until,
} from '../../../test/fixtures/briefs.ts';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  attemptsOf,
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
  testHost,
} from '../../../test/fixtures/memory.ts';
import { systemIds } from '../../base/ids.ts';
import { recordDecision, recordSummary } from '../../engine/brief/decide.ts';
import { showBrief } from '../../engine/brief/show.ts';
import { runPipeline } from '../../engine/run/run.ts';
import { completeTask } from '../../engine/tasks/complete.ts';
import { nextTask } from '../../engine/tasks/next.ts';
import { definePipeline } from '../../pipeline/define.ts';
import type { PhaseFunction } from '../../runner/executors/task.ts';

/** Agents draft, and Pawl polishes. */
function workshop(polish: PhaseFunction, layout: CodePipeline['layout'] = {}) {
  const env = memoryEnvironment();
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'workshop',
    units: ['a', 'b', 'c'],
    layout,
    phases: {
      draft: { run: { task: 'writer' }, outputs: { text: 'out/{unit}.draft' } },
      polish: { run: polish, inputs: { text: 'draft.text' }, outputs: { text: 'out/{unit}.text' } },
    },
  };
  const target = { path: root, pipeline: definePipeline(definition) };
  /** Another process, which lives; whoever of it has to wait lets the others go on. */
  const clock = Object.assign(Object.create(env.clock) as TestEnvironment['clock'], {
    sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
  });
  const visitor = { ...env, clock, host: testHost(50), ids: systemIds };
  const draft = async (unit: string, actor: string) => {
    demand(await nextTask(visitor, { ...target, actor, unit }));
    env.disk.putFile(`${root}/out/${unit}.draft`, unit);
    demand(await completeTask(visitor, { ...target, actor, unit, note: `Draft of ${unit}` }));
  };
  return { env, definition, target, visitor, draft };
}

describe('a runner, and somebody who comes by meanwhile', () => {
  it.each([
    ['a file of the run', undefined],
    ['a section of another file', 'ORCHESTRATION.yaml'],
  ])('are both told of, each once: %s', async (_, brief) => {
    const polished: string[] = [];
    const shop = workshop(
      async ({ unit, inputs }) => {
        polished.push(unit.id);
        const { env, target, visitor, draft } = shop;
        const next = { a: 'b', b: 'c' }[unit.id];
        if (next !== undefined) {
          await draft(next, `writer-${next}`);
          demand(await recordDecision(visitor, { ...target, decision: `of ${unit.id}` }));
          demand(await recordSummary(visitor, { ...target, agent: 'zed', summary: `DONE. ${unit.id}` }));
        }
        // The next that is recorded is told of at once, and with it all that has come.
        env.clock.advance(1000);
        return { text: `${inputs.text?.text()}!` };
      },
      brief === undefined ? {} : { brief },
    );
    const { env, definition, target, draft } = shop;
    await run(env, definition);
    await draft('a', 'writer-a');
    env.clock.advance(1000);
    const answer = await run(nextProcess(env), definition);
    // What came while the first was polished was part of the plan, though the brief had heard of it first.
    expect(polished).toEqual(['a', 'b', 'c']);
    expect(answer.heading.status).toBe('completed');
    const told = await expectTrue(env, target);
    expect(told.decision_log.map(({ id, decision }) => `${id} ${decision}`)).toEqual([
      'RD-001 of a',
      'RD-002 of b',
    ]);
    expect(told.agent_summaries).toEqual({
      'writer-a': 'DONE. Draft of a.',
      'writer-b': 'DONE. Draft of b.',
      'writer-c': 'DONE. Draft of c.',
      zed: 'DONE. a.',
      'zed#2': 'DONE. b.',
    });
    expect(notesIn(env)).toEqual({ decision_recorded: 2, summary_recorded: 2 });
  });

  it('see what the other has said without waiting for the end', async () => {
    let isSeen = false;
    const shop = workshop(async ({ unit }) => {
      const { env, target, visitor } = shop;
      demand(await recordDecision(visitor, { ...target, decision: 'meanwhile' }));
      // Written by the visitor, who knows what the runner is at.
      await expectTrue(env, target);
      expect(textAt(env, stateIn(env).path)).toContain('a/polish, attempt 1');
      const texts = textsAt(env, (path) => path.endsWith('/brief.yaml'));
      env.clock.advance(1000);
      await until(() => texts.length > 0);
      await expectTrue(env, target);
      isSeen = true;
      return { text: unit.id };
    });
    await run(shop.env, shop.definition);
    await shop.draft('a', 'ann');
    await run(nextProcess(shop.env), shop.definition);
    expect(isSeen).toBe(true);
    await expectTrue(shop.env, shop.target);
    expect(notesIn(shop.env)).toEqual({ decision_recorded: 1 });
  });

  it('do not undo each other’s writing in the same moment', async () => {
    const shop = workshop(async ({ unit }) => {
      const { env, target, visitor } = shop;
      // Both look at the document before either has written it.
      const all = [1, 2, 3].map((nth) =>
        recordSummary(visitor, { ...target, agent: `agent-${nth}`, summary: `DONE. ${unit.id}` }),
      );
      env.clock.advance(1000);
      for (const one of await Promise.all(all)) demand(one);
      return { text: unit.id };
    });
    const { env, definition, target, draft } = shop;
    const texts = textsAt(env, (path) => path.endsWith('/brief.yaml'));
    await run(env, definition);
    for (const unit of ['a', 'b']) await draft(unit, 'ann');
    await run(nextProcess(env), definition);
    expect(Object.keys((await expectTrue(env, target)).agent_summaries)).toHaveLength(8);
    expect(notesIn(env)).toEqual({ summary_recorded: 6 });
    expect(texts.length).toBeGreaterThan(5);
  });

  it('a holder that was displaced does not put its view in front of its successor’s', async () => {
    const world = letters({ units: ['ann', 'bob'], pace: { concurrency: 1 } });
    const { env, definition, target } = world;
    const successor = { ...env, host: testHost(50) };
    let isFirst = true;
    world.work.draft = async ({ unit }) => {
      if (isFirst) {
        isFirst = false;
        await run(successor, definition, { takeover: true });
        await expectTrue(env, target);
        // What the displaced one had still to write would be due now.
        env.clock.advance(1000);
        for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
        await expectTrue(env, target);
      }
      return { text: unit.id };
    };
    const answer = await runPipeline(env, { ...target });
    expect(failureOf(answer)).toMatchObject({ reason: 'fenced-out' });
    expect((await expectTrue(env, target)).recovery_state.workflow_status).toBe('completed');
    expect(env.clock.sleeping).toBe(0);
    expect(notesIn(env)).toEqual({});
  });
});

describe('trouble with the disk under the brief', () => {
  const files = ['/brief.yaml', '/RESUME.md', '/brief.json', '/.pawl/brief'];
  const failing = (env: TestEnvironment, file: string, code: string, operations: readonly string[]) => {
    const state = { isOn: true, count: 0 };
    env.disk.failWhen(({ operation, path }) => {
      if (!state.isOn || !path.endsWith(file) || !operations.includes(operation)) return undefined;
      state.count += 1;
      return { kind: 'error', code };
    });
    return state;
  };
  const cases = files.flatMap((file) => [
    ...['ENOSPC', 'EIO', 'EACCES', 'EROFS'].map((code) => [file, code, ['rename']] as const),
    [file, 'EIO', ['read']] as const,
    [file, 'EIO', ['stat', 'read', 'rename']] as const,
  ]);

  it.each(cases)(
    '%s fails with %s at %j: the run goes on, and all is made up for',
    async (file, code, operations) => {
      const { env, definition, target, work } = letters();
      const { seal } = work;
      work.seal = (task) => {
        env.clock.advance(1000);
        return seal(task);
      };
      const trouble = failing(env, file, code, operations);
      const answer = await run(env, definition);
      expect(answer.heading.status).toBe('completed');
      expect(attemptsOf(env).filter((one) => one.endsWith('succeeded'))).toHaveLength(6);
      demand(await recordDecision(env, { ...target, decision: 'one way' }));
      demand(await showBrief(env, target));
      expect(trouble.count).toBeGreaterThan(0);
      expect(env.clock.sleeping).toBe(0);
      trouble.isOn = false;
      env.clock.advance(1000);
      demand(await recordDecision(env, { ...target, decision: 'another way' }));
      await expectTrue(env, target);
      expect(notesIn(env)).toEqual({ decision_recorded: 2 });
    },
  );

  it.each(files)('a folder in the place of %s is no reason to fail', async (file) => {
    const { env, definition, target, work } = letters();
    const { draft } = work;
    let isDone = false;
    work.draft = (task) => {
      if (!isDone) {
        const path = file === '/.pawl/brief' ? `${root}${file}` : `${root}/${stateIn(env).folder}${file}`;
        env.disk.remove(path);
        env.disk.makeFolder(path);
      }
      isDone = true;
      env.clock.advance(1000);
      return draft(task);
    };
    expect((await run(env, definition)).heading.status).toBe('completed');
    demand(await recordDecision(env, { ...target, decision: 'one way' }));
    expect(isDone).toBe(true);
  });

  it('a disk that fills up and is made room on: the document catches up by itself', async () => {
    const { env, definition, work } = letters({ units: ['ann'] });
    const trouble = failing(env, '/brief.yaml', 'ENOSPC', ['rename']);
    work.seal = async ({ unit }) => {
      env.clock.advance(250);
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
      expect(env.disk.stat(`${root}/${stateIn(env).path}`)).toBeUndefined();
      trouble.isOn = false;
      env.clock.advance(250);
      await until(() => env.disk.stat(`${root}/${stateIn(env).path}`) !== undefined);
      return { letter: unit.id };
    };
    expect((await run(env, definition)).heading.status).toBe('completed');
    expect(trouble.count).toBeGreaterThan(1);
    expect(journalIn(env).length).toBeGreaterThan(6);
  });
});
