import { describe, expect, it } from 'vitest';
import { type Letters, letters } from '../../../test/fixtures/letters.ts';
import { demand, failureOf, nextProcess, root, run, watching } from '../../../test/fixtures/memory.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { answerCheckpoint } from '../people/checkpoints/answer.ts';
import { runPipeline } from './run.ts';
import type { InvocationEnd, Notifying, RunRequest } from './run-request.ts';

/* Everybody here is told by the bell of a terminal: that needs no program, no server and no disk. */

const all = ['waiting', 'completed', 'failed', 'stopped', 'paused'] as const;
const bell = { notify: { bell: true, on: [...all] } };

/** A terminal that counts how often it rang, and what it was about. */
function listening(words: Notifying['words'] = async () => ({ message: 'm', waiting: [] })) {
  const heard: string[] = [];
  const ends: InvocationEnd[] = [];
  const notifying: Notifying = {
    words: (end) => {
      ends.push(end);
      return words(end);
    },
    terminal: (text) => heard.push(text),
  };
  return { heard, ends, notifying };
}

/** One call of run: whom it told of what, and how it ended. */
async function sitting({ env, definition }: Letters, request: RunRequest = {}) {
  const { notifying, heard, ends } = listening();
  const answer = await run(nextProcess(env), definition, { notifying, ...request });
  const told = (answer.notifications ?? []).map(({ via, event, ok }) => `${via} ${event} ${ok}`);
  return { answer, told, heard, ends };
}

async function approve({ env, definition }: Letters, id: string): Promise<void> {
  const target = { path: root, pipeline: definePipeline(definition) };
  const word = {
    decision: 'approved',
    note: 'so be it',
    by: 'eve',
    host: 'here',
    channel: 'terminal',
  } as const;
  demand(await answerCheckpoint(nextProcess(env), { ...target, ...word, id }));
}

describe('people are told', () => {
  it('that a run is completed, once', async () => {
    const work = letters(bell);
    const first = await sitting(work);
    expect(first.told).toEqual(['bell completed true']);
    expect(first.heard).toEqual([String.fromCharCode(7)]);
    expect(first.ends).toMatchObject([{ kind: 'answered', answer: { ran: { succeeded: 6 } } }]);
    for (const request of [{}, { deep: true }]) {
      const again = await sitting(work, request);
      expect(again.answer).toMatchObject({ kind: 'unchanged' });
      expect(again.answer).not.toHaveProperty('notifications');
      expect(again.heard).toEqual([]);
    }
  });

  it('that a person has to decide, and not again while nothing has happened', async () => {
    const work = letters(bell);
    work.work.read = () => ({ report: { status: 'fail' } });
    expect((await sitting(work)).told).toEqual(['bell waiting true']);
    const again = await sitting(work);
    expect(again.answer.heading.status).toBe('waiting_human');
    expect(again.heard).toEqual([]);
    await approve(work, 'C1');
    await approve(work, 'C2');
    expect((await sitting(work)).told).toEqual(['bell completed true']);
  });

  it('of every question, also where nothing else has happened', async () => {
    const work = letters({ ...bell, units: ['ann'] });
    const { draft } = work.definition.phases ?? {};
    const phases = { draft: { ...draft, checkpoint: ['First', 'Second'] } };
    const asking = { ...work, definition: { ...work.definition, phases } as Letters['definition'] };
    expect((await sitting(asking)).told).toEqual(['bell waiting true']);
    await approve(asking, 'C1');
    const { answer, told } = await sitting(asking);
    expect(answer.ran).toEqual({ succeeded: 0, failed: 0 });
    expect(told).toEqual(['bell waiting true']);
    expect((await sitting(asking)).told).toEqual([]);
  });

  it('that somebody has to choose what becomes of results, once', async () => {
    const work = letters({ ...bell, inputs: { list: { path: 'draft.md', on_change: 'ask' } } });
    const { draft } = work.definition.phases ?? {};
    const phases = { draft: { ...draft, prompt: undefined, inputs: { list: 'list' } } };
    const asking = { ...work, definition: { ...work.definition, phases } as Letters['definition'] };
    expect((await sitting(asking)).told).toEqual(['bell completed true']);
    work.env.disk.putFile(`${root}/draft.md`, 'another one');
    expect((await sitting(asking)).told).toEqual(['bell waiting true']);
    expect((await sitting(asking)).told).toEqual([]);
  });

  it('that a phase failed, each time it has been tried', async () => {
    const work = letters(bell);
    work.work.draft = () => {
      throw new Error('no ink');
    };
    for (const _ of [1, 2]) expect((await sitting(work)).told).toEqual(['bell failed true']);
  });

  it('that rounds or attempts are used up', async () => {
    const work = letters(bell, 'stop');
    work.work.read = () => ({ report: { status: 'fail' } });
    expect((await sitting(work)).told).toEqual(['bell failed true']);
  });

  it('that a limit was reached, which is no failure', async () => {
    const work = letters(bell);
    const { draft } = work.definition.phases ?? {};
    const phases = { draft: { ...draft, limits: { attempts: 1 } } };
    const limited = { ...work, definition: { ...work.definition, phases } as Letters['definition'] };
    expect((await sitting(limited)).told).toEqual(['bell stopped true']);
  });

  it('of a run that can go on only from outside', async () => {
    const work = letters({
      ...bell,
      phases: { draft: { run: { task: 'writer' }, outputs: { text: 'out/{unit}' } } },
    });
    expect((await sitting(work)).told).toEqual(['bell paused true']);
  });

  it('of a sitting that broke off', async () => {
    const work = letters(bell);
    const { notifying, heard, ends } = listening();
    work.env.disk.failWhen(({ operation, path }) =>
      operation === 'write' && path.endsWith('.jsonl') && work.ran.length > 0
        ? { kind: 'error', code: 'ENOSPC' }
        : undefined,
    );
    const failure = failureOf(await runPipeline(work.env, { ...work.target, notifying }));
    expect(failure).toMatchObject({ reason: 'disk-failed' });
    expect(heard).toHaveLength(1);
    expect(ends).toMatchObject([
      { kind: 'broke-off', heading: { pipeline: 'letters', status: 'interrupted' }, failure },
    ]);
  });
});

describe('nobody is told', () => {
  it('of events that nobody asks for', async () => {
    expect((await sitting(letters({ notify: { bell: true, on: ['waiting'] } }))).heard).toEqual([]);
  });

  it('where nobody is there to tell', async () => {
    const { env, definition } = letters(bell);
    expect(await run(env, definition)).not.toHaveProperty('notifications');
  });

  it('by a terminal where there is none', async () => {
    const { env, definition } = letters(bell);
    const { notifying } = listening();
    const answer = await run(env, definition, { notifying: { words: notifying.words } });
    expect(answer).not.toHaveProperty('notifications');
  });

  it('that somebody has stopped the run: whoever did it knows', async () => {
    const work = letters(bell);
    const stop = new AbortController();
    const { observer } = watching();
    const { answer, heard } = await sitting(work, {
      stop: stop.signal,
      observer: { ...observer, progress: () => stop.abort() },
    });
    expect(answer.interrupted).toBe(true);
    expect(heard).toEqual([]);
  });
});

describe('what is told', () => {
  it('are the bare facts where there are no words to be had', async () => {
    const work = letters({ notify: { osc9: true } });
    const { heard, notifying } = listening(() => Promise.reject(new Error('no descriptors')));
    await run(work.env, work.definition, { notifying });
    expect(heard.join()).toContain('letters: completed');
  });

  it('is told to those who listen for it when it did not arrive, and changes nothing', async () => {
    const work = letters(bell);
    const missed: unknown[] = [];
    const notifying: Notifying = {
      words: async () => ({ message: 'm', waiting: [] }),
      terminal: () => {
        throw new Error('gone');
      },
      missed: (notification) => missed.push(notification),
    };
    const answer = await run(work.env, work.definition, { notifying });
    expect(answer).toMatchObject({ heading: { status: 'completed' }, notifications: [{ ok: false }] });
    expect(missed).toEqual(answer.notifications);
  });
});

it('who is told may change at any time: no result hangs on it', async () => {
  const work = letters();
  await sitting(work);
  const told = await sitting({ ...work, definition: { ...work.definition, ...bell } });
  expect(told.answer).toMatchObject({ kind: 'unchanged', refusals: [] });
});
