import { expect, test } from 'vitest';
import type { Ids } from '../../src/base/ids.ts';
import { answerCheckpoint } from '../../src/engine/people/checkpoints/answer.ts';
import { listCheckpoints } from '../../src/engine/people/checkpoints/list.ts';
import { runPipeline } from '../../src/engine/run/run.ts';
import { foldEvents } from '../../src/ledger/fold.ts';
import { allQuestions } from '../../src/ledger/questions.ts';
import { definePipeline } from '../../src/pipeline/define.ts';
import type { PhaseFunction } from '../../src/runner/executors/task.ts';
import { readJournal } from '../../src/store/file/journal/read.ts';
import { demand, memoryEnvironment, nextProcess, root, type TestEnvironment } from '../fixtures/memory.ts';
import type { MemoryDisk } from '../memory/memory-disk.ts';
import { isVisited, visitedMin } from '../support/sample.ts';

/*
 * Questions and answers through every crash: a draft is rejected, done again, approved, and built on. Whatever was told
 * to somebody stands, nobody is asked again about what was approved, and nothing is built on what was not.
 */

/** What somebody was told, in order; a crash takes none of it back. */
type Told = 'asked C1' | 'rejected C1' | 'asked C2' | 'approved C2' | 'done';

interface Life {
  readonly env: TestEnvironment;
  readonly ran: string[];
  readonly told: Told[];
}

interface Moment {
  readonly where: string;
  readonly disk: MemoryDisk;
  readonly ran: readonly string[];
  readonly told: readonly Told[];
}

const pipelineOf = (ran: string[], durability: 'power' | 'process') =>
  definePipeline<PhaseFunction>({
    pawl: 1,
    pipeline: 'people',
    durability,
    units: ['a'],
    phases: {
      draft: {
        run: ({ feedback }) => {
          ran.push('draft');
          return { text: ['a draft', ...feedback.map(({ text }) => text)].join('\n') };
        },
        outputs: { text: 'out/{unit}.draft' },
        checkpoint: 'Draft approval',
      },
      build: {
        run: ({ inputs }) => {
          ran.push('build');
          return { text: `built from ${inputs.text?.text()}` };
        },
        outputs: { text: 'out/{unit}.build' },
      },
    },
  });

/** Never the same twice, whoever lives on after whichever crash. */
let drawn = 0;
const freshIds = (): Ids => ({
  random: (length) => (drawn++).toString(32).padStart(length, 'a').slice(-length),
});

const word = { by: 'ann', host: 'here', channel: 'terminal' } as const;

async function sit({ env, ran }: Life, durability: 'power' | 'process') {
  return demand(await runPipeline(env, { path: root, pipeline: pipelineOf(ran, durability) }));
}

async function decide(
  life: Life,
  durability: 'power' | 'process',
  id: string,
  decision: 'approved' | 'rejected',
) {
  const pipeline = pipelineOf(life.ran, durability);
  const note = decision === 'rejected' ? 'shorter' : 'good';
  demand(await answerCheckpoint(life.env, { path: root, pipeline, id, decision, note, ...word }));
}

/** The story as it goes when nothing happens, each step by a process of its own. */
async function tell(durability: 'power' | 'process', watch: (life: Life) => void): Promise<Life> {
  const env = { ...memoryEnvironment(), ids: freshIds() };
  await env.disk.syncFolder('/');
  let life: Life = { env, ran: [], told: [] };
  watch(life);
  const next = () => {
    life = { ...life, env: nextProcess(life.env) };
  };
  expect((await sit(life, durability)).heading.status).toBe('waiting_human');
  life.told.push('asked C1');
  next();
  await decide(life, durability, 'C1', 'rejected');
  life.told.push('rejected C1');
  next();
  expect((await sit(life, durability)).heading.status).toBe('waiting_human');
  life.told.push('asked C2');
  next();
  await decide(life, durability, 'C2', 'approved');
  life.told.push('approved C2');
  next();
  expect((await sit(life, durability)).heading.status).toBe('completed');
  life.told.push('done');
  return life;
}

/** Whoever comes after the crash goes on, and a person answers whatever is asked: first no, then yes. */
async function liveOn(
  { told, ran: before }: Moment,
  env: TestEnvironment,
  durability: 'power' | 'process',
): Promise<void> {
  let life: Life = { env, ran: [...before], told: [...told] };
  const asked: string[] = [];
  for (let round = 0; round < 6; round++) {
    const later = nextProcess(life.env);
    const { boot } = life.env.host.self;
    life = { ...life, env: { ...later, host: { ...later.host, self: { ...later.host.self, boot } } } };
    const { heading } = await sit(life, durability);
    if (heading.status === 'completed') break;
    const pipeline = pipelineOf(life.ran, durability);
    const { checkpoints } = demand(await listCheckpoints(life.env, { path: root, pipeline }));
    const [open] = checkpoints;
    if (open?.id === undefined) throw new Error('it waits, and nothing is asked');
    asked.push(open.id);
    expect(life.env.disk.stat(`${root}/out/a.build`), 'built on what nobody has approved').toBeUndefined();
    const isRedone = new TextDecoder().decode(life.env.disk.read(`${root}/out/a.draft`)).includes('shorter');
    await decide(life, durability, open.id, isRedone ? 'approved' : 'rejected');
  }
  const read = (path: string) => new TextDecoder().decode(life.env.disk.read(`${root}/${path}`));
  expect(read('out/a.build')).toBe('built from a draft\nshorter');
  // A word that was acknowledged is never asked for again.
  if (told.includes('approved C2')) expect(asked, 'asked again after an approval').toEqual([]);
  if (told.includes('rejected C1')) expect(asked, 'asked again after a rejection').not.toContain('C1');
  expect(life.ran.filter((phase) => phase === 'draft').length, 'drafts').toBeLessThanOrEqual(3);
  expect(life.ran.filter((phase) => phase === 'build').length, 'builds').toBeLessThanOrEqual(2);
  const [folder = ''] = life.env.disk.list(`${root}/.pawl/runs`) ?? [];
  const ledger = foldEvents(readJournal(life.env.disk, `${root}/.pawl/runs/${folder}/events`).events());
  const ids = allQuestions(ledger).map(({ id }) => id);
  expect(new Set(ids).size, `numbers ${ids}`).toBe(ids.length);
}

test.each(['power', 'process'] as const)(
  'a crash at any moment takes back nothing that people were told, durability %s',
  { timeout: 300_000 },
  async (durability) => {
    const moments: Moment[] = [];
    const whole = await tell(durability, (life) =>
      life.env.disk.watch((call, when) => {
        if (when === 'before') return;
        const where = `${call.operation} ${call.path}`;
        moments.push({ where, disk: life.env.disk.kill(), ran: [...life.ran], told: [...life.told] });
      }),
    );
    expect(whole.told).toHaveLength(5);
    let lives = 0;
    for (const [nth, moment] of moments.entries()) {
      if (!isVisited(nth)) continue;
      const states = [{ disk: moment.disk, describe: () => 'killed', boot: 'boot-1' }];
      if (durability === 'power')
        for (const { disk, describe } of moment.disk.crashStates(3))
          states.push({ disk, describe, boot: 'boot-2' });
      for (const { disk, describe, boot } of states) {
        lives += 1;
        const plain = nextProcess({ ...whole.env, disk: disk.kill() });
        const host = { ...plain.host, self: { ...plain.host.self, boot } };
        try {
          await liveOn(moment, { ...plain, host }, durability);
        } catch (error) {
          throw new Error(
            `${String(error)}\n  after ${moment.told.join(', ')}; call ${nth}, ${moment.where}: ${describe()}`,
            {
              cause: error,
            },
          );
        }
      }
    }
    console.info(`${lives} lives after a crash`);
    expect(lives).toBeGreaterThan(visitedMin(durability === 'power' ? 400 : 150));
  },
);
