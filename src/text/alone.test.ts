import { describe, expect, it } from 'vitest';
import type { NextAction, TaskClaim } from '../engine/observe/task-answers.ts';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { AloneAnswer, StandingRun } from '../engine/show/describe-folder.ts';
import { aloneText } from './alone.ts';
import { welcomeText } from './help/welcome.ts';
import { plainStyle } from './style/style.ts';

const at = '2026-11-15T12:03:11.000Z';
const until = '2026-11-15T12:18:11.000Z';

const heading: RunHeading = {
  run: '20261115-1203-book-x7k2',
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'stopped',
  workspace: '.',
  createdAt: at,
  updatedAt: at,
};
const run: StandingRun = {
  heading,
  done: 1,
  total: 6,
  next: { code: 'run-phases', cells: ['ch001_sc002/write'] },
};
const answer: AloneAnswer = {
  pipeline: 'book',
  identity: { book: 'ember' },
  workspace: '.',
  run,
  ended: undefined,
};
const claim: TaskClaim = { unit: 't1', phase: 'make', actor: 'executor-1', attempt: 1, until, live: true };

const text = (more: Partial<AloneAnswer> = {}) => aloneText({ ...answer, ...more }, plainStyle);
const nextOf = (more: Partial<AloneAnswer>) => text(more).split('\n')[2];
const step = (next: NextAction, more: Partial<StandingRun> = {}) =>
  nextOf({ run: { ...run, next, ...more } });

describe('pawl alone in a workspace', () => {
  it('says which pipeline it is, where its run stands, and what comes next', () => {
    expect(text()).toMatchInlineSnapshot(`
      "pipeline  book (book=ember)
      run       20261115-1203-book-x7k2 stopped, 1 of 6 units done, 2026-11-15 12:03:11 UTC
      next      to go on with write of ch001_sc002: pawl run

      pawl help lists all commands."
    `);
  });

  it('says how to start where there is no run', () => {
    expect(text({ run: undefined, identity: { pipeline: 'book' } })).toMatchInlineSnapshot(`
      "pipeline  book
      run       none yet
      next      to start the first run: pawl run
                to see what it would do: pawl plan

      pawl help lists all commands."
    `);
    const ended: RunHeading = { ...heading, status: 'cancelled' };
    expect(text({ run: undefined, ended })).toMatchInlineSnapshot(`
      "pipeline  book (book=ember)
      run       20261115-1203-book-x7k2 cancelled, 2026-11-15 12:03:11 UTC
      next      to start a fresh run: pawl run
                to see what it would do: pawl plan

      pawl help lists all commands."
    `);
  });

  it('names the workspace where it is another folder, and means it', () => {
    const there = { ...run, heading: { ...heading, workspace: 'my books' } };
    expect(text({ workspace: 'my books', run: there })).toMatchInlineSnapshot(`
      "pipeline  book (book=ember), my books
      run       20261115-1203-book-x7k2 stopped, 1 of 6 units done, 2026-11-15 12:03:11 UTC
      next      to go on with write of ch001_sc002: pawl run 'my books'

      pawl help lists all commands."
    `);
    expect(nextOf({ run: { ...there, next: { code: 'claim-task', unit: 't1', title: undefined } } })).toBe(
      `next      to claim t1: pawl next 'my books' --actor "$USER"`,
    );
  });

  it('says one thing to do, whatever is next', () => {
    const steps: NextAction[] = [
      { code: 'run-phases', cells: [] },
      { code: 'claim-task', unit: 't1', title: 'Set the table' },
      { code: 'wait-for-claims', claims: [claim] },
      { code: 'wait-for-claims', claims: [claim, claim, claim] },
      { code: 'decide', cells: ['ch001_sc002/lint'] },
      { code: 'refused', guards: ['prompt-changed'] },
      { code: 'unblock', units: ['t1'] },
      { code: 'unblock', units: ['t1', 't2'] },
      { code: 'look-at-failure', cells: ['t1/make', 't2/make'] },
      { code: 'look-at-failure', cells: [] },
      { code: 'nothing' },
    ];
    expect(steps.map((next) => step(next)).join('\n')).toMatchInlineSnapshot(`
      "next      to go on: pawl run
      next      to claim t1 - Set the table: pawl next --actor "$USER"
      next      to wait: executor-1 is at t1/make until 2026-11-15 12:18:11 UTC; to see how far it is: pawl status
      next      to wait: executor-1 is at t1/make until 2026-11-15 12:18:11 UTC (and 2 more); to see how far it is: pawl status
      next      a person has to decide about lint of ch001_sc002; to see what is asked: pawl checkpoints
      next      something has changed since; to see what, and the ways on: pawl plan
      next      t1 is blocked; to see where it stands: pawl status
      next      t1 and t2 are blocked; to see where it stands: pawl status
      next      to look at what failed: pawl logs t1/make
      next      to look at what failed: pawl status
      next      nothing: everything is done; to look at it: pawl status"
    `);
  });

  it('does not ask to run what is at work, or has to wait', () => {
    const going: NextAction = { code: 'run-phases', cells: ['a/b'] };
    expect(step(going, { heading: { ...heading, status: 'running' } })).toBe(
      'next      it is at work; to see how far it is: pawl status',
    );
    const paused = { ...heading, status: 'paused' } as const;
    expect(step({ code: 'run-phases', cells: [] }, { heading: paused, retryAt: until })).toBe(
      'next      it may go on from 2026-11-15 12:18:11 UTC; to wait for that: pawl run --wait',
    );
    expect(step(going, { heading: paused, retryAt: until })).toBe('next      to go on with b of a: pawl run');
  });

  it('hides nothing in names', () => {
    expect(text({ pipeline: 'a\u001b[31m\nb' })).not.toContain('\u001b');
  });
});

it('pawl alone where nothing is says what it is and how to begin', () => {
  expect(welcomeText('1.2.3')).toMatchInlineSnapshot(`
    "pawl 1.2.3: runs work that goes through phases; stop it and go on at any time

    It keeps a journal of what happened, knows by hash what each result was made
    from, redoes only what is no longer true, and asks people once. There is no
    pipeline here yet; to begin:

      pawl init             a small pipeline, into this folder; then: pawl run
      pawl init book demo   a book, written scene by scene; then: pawl run demo
                            also: sprites, agents, feature

    pawl help lists all commands."
  `);
  for (const line of welcomeText('1.2.3').split('\n')) expect(line.length).toBeLessThanOrEqual(118);
});
