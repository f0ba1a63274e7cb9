import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.ts';
import { openRun } from '../../src/engine/open/open-run.ts';
import { completeTask } from '../../src/engine/tasks/complete.ts';
import { blockTask, failTask, heartbeat, releaseTask, unblockTask } from '../../src/engine/tasks/end.ts';
import { nextTask } from '../../src/engine/tasks/next.ts';
import { foldEvent, foldEvents } from '../../src/ledger/fold.ts';
import { emptyLedger, findStep, type Ledger } from '../../src/ledger/ledger.ts';
import { definePipeline } from '../../src/pipeline/define.ts';
import { readJournal, readNews } from '../../src/store/file/journal/read.ts';
import type { Positions } from '../../src/store/position.ts';
import {
  type CodePipeline,
  demand,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../fixtures/memory.ts';
import { ledgerAsData } from './tasks-ledger.ts';
import { Model } from './tasks-model.ts';

const units = [
  { id: 't1', needs: [], touches: [] },
  { id: 't2', needs: ['t1'], touches: [] },
  { id: 't3', needs: [], touches: ['src/shared.ts'] },
  { id: 't4', needs: [], touches: ['src/shared.ts'] },
];

const agent = (role: string) => ({ run: { task: role, lease: '10m' }, outputs: {} });

const definition: CodePipeline = {
  pawl: 1,
  pipeline: 'crew',
  layout: { run: 'runs/{id}' },
  stages: [
    {
      name: 'planning',
      units: ['plan'],
      phases: { graph: { run: () => ({ tasks: units }), outputs: { tasks: '{run}/tasks.json' } } },
    },
    {
      name: 'tasks',
      units: { artifact: 'graph.tasks', touches: 'touches' },
      phases: { implement: agent('executor'), review: agent('reviewer') },
    },
    {
      name: 'end',
      units: ['end'],
      phases: { close: { run: () => ({ text: 'closed' }), outputs: { text: 'closed.txt' } } },
    },
  ],
};

const target = { path: root, pipeline: definePipeline(definition) };

const actor = fc.constantFrom('a', 'b', 'c');
const unit = fc.constantFrom('t1', 't2', 't3', 't4');
const speech = { actor, unit };

const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('next' as const), actor }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('start' as const), ...speech }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('complete' as const),
      ...speech,
      attempt: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'fail' as const,
        'release' as const,
        'beat' as const,
        'block' as const,
        'unblock' as const,
      ),
      ...speech,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1_000, 400_000, 600_000, -900),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
);

type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

describe('whatever several actors do to one run', () => {
  test('each gets what the guide says, and the ledger is the fold of the journal however it is read', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 30 }), async (deeds) => {
        const history = await History.begin();
        for (const one of deeds) await history.take(one);
        history.checkOrders();
      }),
      { numRuns: 25 },
    );
  });
});

/** One run, what the model makes of it, and somebody who looks on all the time and reads what is new. */
class History {
  #env: TestEnvironment;
  readonly #folder: string;
  readonly #model: Model;
  readonly #onlooker: {
    ledger: Ledger;
    positions: Map<string, Positions extends ReadonlyMap<string, infer P> ? P : never>;
  };

  private constructor(env: TestEnvironment) {
    this.#env = env;
    this.#folder = `runs/${env.disk.list(`${root}/runs`)?.[0]}`;
    this.#model = new Model(units, env.clock.ms);
    this.#onlooker = { ledger: emptyLedger(), positions: new Map() };
  }

  static async begin(): Promise<History> {
    const env = memoryEnvironment();
    await run(env, definition);
    return new History(env);
  }

  async take(deed: Deed): Promise<void> {
    if (deed.do === 'wait') {
      this.#env.clock.advance(deed.ms);
      return;
    }
    this.#env = nextProcess(this.#env);
    this.#model.nowMs = this.#env.clock.ms;
    await this.#do(deed);
    this.#checkLedgers();
  }

  async #do(deed: Exclude<Deed, { do: 'wait' }>): Promise<void> {
    const model = this.#model;
    if (deed.do === 'run') {
      const { heading } = await run(this.#env, definition);
      expect(heading.status === 'completed').toBe(model.isDone);
      return;
    }
    if (deed.do === 'next' || deed.do === 'start') {
      const wanted = deed.do === 'start' ? deed.unit : undefined;
      const answer = await nextTask(this.#env, { ...target, actor: deed.actor, unit: wanted });
      const task = answer.ok ? answer.value.task : undefined;
      const found = task && { unit: task.unit, phase: task.phase, attempt: task.attempt };
      expect(found).toEqual(model.next(deed.actor, wanted));
      return;
    }
    const request = { ...target, unit: deed.unit, actor: deed.actor };
    if (deed.do === 'block' || deed.do === 'unblock') {
      const isBlocked = model.blocked.has(deed.unit);
      const answer =
        deed.do === 'block'
          ? await blockTask(this.#env, { ...request, reason: 'stuck' })
          : await unblockTask(this.#env, request);
      expect(demand(answer).again).toBe(deed.do === 'unblock' && !isBlocked);
      if (deed.do === 'unblock') model.blocked.delete(deed.unit);
      else {
        const own = model.claimOf(deed.actor, deed.unit);
        if (own !== undefined) model.end(own, 'given back');
        model.blocked.add(deed.unit);
      }
      return;
    }
    const attempt = deed.do === 'complete' ? deed.attempt : undefined;
    const own = model.claimOf(deed.actor, deed.unit, attempt);
    const acts = { complete: completeTask, fail: failTask, release: releaseTask, beat: heartbeat };
    const answer = await acts[deed.do](this.#env, { ...request, attempt, reason: 'no idea' });
    if (own !== undefined) {
      expect(demand(answer)).toMatchObject({ phase: own.phase, attempt: own.attempt, again: false });
      model.end(
        own,
        ({ complete: 'done', fail: 'failed', release: 'given back', beat: 'renewed' } as const)[deed.do],
      );
    } else {
      const isAgain =
        deed.do === 'complete' && this.#hasNone(deed) && model.saidBefore(deed.actor, deed.unit, attempt);
      expect(answer.ok && answer.value.again).toBe(isAgain);
      expect(answer.ok).toBe(isAgain);
    }
  }

  /** A claim under another number than was said is one all the same. */
  #hasNone({ actor, unit }: { actor: string; unit: string }): boolean {
    return this.#model.claimOf(actor, unit) === undefined;
  }

  #checkLedgers(): void {
    const place = { id: this.#folder.slice(5), folder: this.#folder };
    const [whole, quick] = [true, false].map((isWhole) =>
      openRun(this.#env, root, place, { whole: isWhole }),
    );
    expect(whole?.findings).toEqual([]);
    const { ledger, positions } = this.#onlooker;
    const news = readNews(this.#env.disk, `${root}/${this.#folder}/events`, positions);
    for (const event of news.events) foldEvent(ledger, event);
    for (const [who, position] of news.actors) positions.set(who, position);
    const expected = ledgerAsData(whole?.ledger as Ledger);
    expect(ledgerAsData(quick?.ledger as Ledger)).toEqual(expected);
    expect(ledgerAsData(ledger)).toEqual(expected);
    for (const [name, step] of this.#model.steps) {
      const [id = '', phase = ''] = name.split('/');
      const found = findStep(ledger, id, phase);
      const running = found?.running && {
        actor: found.running.claim?.actor,
        attempt: found.running.attempt,
        untilMs: Date.parse(found.running.claim?.until ?? ''),
      };
      expect({
        attempts: found?.attempts ?? 0,
        failures: found?.failures ?? 0,
        doneBy: found?.results[0]?.actor,
        running,
      }).toEqual(step);
    }
    expect(new Set(ledger.blocked.map((one) => one.unit))).toEqual(this.#model.blocked);
  }

  /** Whichever order the folders and files of the actors are listed in. */
  checkOrders(): void {
    const folder = `${root}/${this.#folder}/events`;
    const { disk } = this.#env;
    const turned: Disk = Object.assign(Object.create(disk), {
      list: (path: string) => disk.list(path)?.reverse(),
      stat: (path: string) => disk.stat(path),
      readRange: (path: string, from: number, length: number) => disk.readRange(path, from, length),
    });
    const [expected, found] = [disk, turned].map((one) => foldEvents(readJournal(one, folder).events()));
    expect(ledgerAsData(found as Ledger)).toEqual(ledgerAsData(expected as Ledger));
  }
}
