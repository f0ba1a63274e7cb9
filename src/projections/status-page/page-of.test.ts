import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyEvents,
  created,
  failed,
  revision,
  started,
  stored,
  succeeded,
  timeOf,
} from '../../../test/fixtures/events.ts';
import { hashBytes } from '../../base/hash.ts';
import { readStatusPage } from '../../import/status-page/read.ts';
import { foldEvents } from '../../ledger/fold.ts';
import type { EventBody } from '../../model/event.ts';
import { makeStatusPage, type PageFacts, type StatusPhase } from './page-of.ts';
import { renderStatusPage } from './render.ts';

const phase = (name: string, more: Partial<StatusPhase> = {}): StatusPhase => ({
  name,
  outputs: ['prose'],
  when: 'always',
  gate: undefined,
  standing: 'open',
  round: 1,
  ...more,
});
const done = { standing: 'done' } as const;
const facts: PageFacts = { status: 'running', checkpoints: [] };
const begin = [created, revision(1)];
const resumed: EventBody = { type: 'run_resumed', boot: 'boot-2', from: 'u' };

const page = (events: readonly EventBody[], phases: readonly StatusPhase[], more: Partial<PageFacts> = {}) =>
  makeStatusPage(foldEvents(stored([...begin, ...events])), 'u', phases, { ...facts, ...more });
const notes = (events: readonly EventBody[], phases: readonly StatusPhase[]) =>
  page(events, phases).notes.map(({ text }) => text);

describe('the page of a unit', () => {
  it('says where it stands', () => {
    const checkpoint = { name: 'Spec approval', id: 'C1', cleared: true, decidedBy: 'ann', at: timeOf(9) };
    const events = [
      started('u/spec#1'),
      succeeded('u/spec#1', { zeta: 'z', prose: 'text', adr: 'a' }),
      started('u/write#1'),
      failed('u/write#1'),
      started('u/write#2'),
      started('other/write#1'),
    ];
    const phases = [
      phase('spec', { ...done, outputs: ['prose', 'adr', 'missing'] }),
      phase('repair', { standing: 'skipped', when: 'gate-failed' }),
      phase('write'),
      phase('lint'),
    ];
    const of = { stage: 'spec', completedAt: timeOf(4), iterations: 1 };
    expect(
      page(events, phases, { status: 'waiting_human', specHash: hashBytes('s'), checkpoints: [checkpoint] }),
    ).toEqual({
      unit: 'u',
      runId: '20261115-1200-book-aaaa',
      specHash: hashBytes('s'),
      startedAt: timeOf(1),
      lastUpdatedAt: timeOf(9),
      currentStage: 'write',
      status: 'WAITING_FOR_HUMAN',
      completed: [
        { ...of, artifact: { path: 'draft/u/prose', hash: hashBytes('text') } },
        { ...of, artifact: { path: 'draft/u/adr', hash: hashBytes('a') } },
        { ...of, artifact: { path: 'draft/u/zeta', hash: hashBytes('z') } },
      ],
      current: { stage: 'write', attempt: 2, iteration: 1, startedAt: timeOf(7), files: [] },
      iterations: [],
      clusters: [],
      checkpoints: [checkpoint],
      notes: [{ at: timeOf(6), text: 'Stage write, attempt 1 failed (command-failed): it broke' }],
    });
  });

  it('changes when its unit does, and not with others', () => {
    const mine = [started('u/write#1'), failed('u/write#1')];
    const phases = [phase('write')];
    expect(page([...mine, started('v/write#1')], phases)).toEqual(page(mine, phases));
    expect(page(mine, phases).lastUpdatedAt).toBe(timeOf(4));
  });

  it('knows an attempt, the files there and that nothing has begun', () => {
    const events = [
      started('u/write#1'),
      succeeded('u/write#1', { prose: 'old' }),
      started('u/write#2'),
      failed('u/write#2'),
    ];
    const [write] = [phase('write')];
    const current = { stage: 'write', attempt: 2, iteration: 1, startedAt: undefined };
    expect(page(events, [write]).current).toEqual({ ...current, files: ['draft/u/prose'] });
    expect(page(events, [write], { files: ['a', 'b'] }).current).toEqual({ ...current, files: ['a', 'b'] });
    expect(page([], [write]).current).toEqual({ ...current, attempt: 0, files: [] });
    expect(page([], [phase('write', done)])).toMatchObject({
      currentStage: undefined,
      current: undefined,
      completed: [],
    });
  });

  it('has a row for a phase that makes no file', () => {
    expect(page([started('u/send#1'), succeeded('u/send#1', {})], [phase('send', done)]).completed).toEqual([
      { stage: 'send', artifact: undefined, completedAt: timeOf(4), iterations: 1 },
    ]);
  });

  it('counts the rounds of a gate and the defects that come again', () => {
    const bad = (round: number, ...defects: string[]) => [
      started(`u/lint#${round}@${round}`),
      succeeded(`u/lint#${round}@${round}`, {}, { verdict: 'fail', judged: { passed: false, defects } }),
    ];
    const lint = phase('lint', { gate: { backTo: 'write', iterations: 4, cluster: 3 }, round: 3 });
    const events = [...bad(1, 'b', 'a', 'a'), ...bad(2, 'a', 'c'), started('u/lint#3@3')];
    const { iterations, clusters, current } = page(events, [phase('write', done), lint]);
    expect(iterations).toEqual([{ loop: 'lint', used: 3, max: 4 }]);
    expect(clusters).toEqual([
      { defect: 'a', count: 2, max: 3 },
      { defect: 'b', count: 1, max: 3 },
      { defect: 'c', count: 1, max: 3 },
    ]);
    expect(current).toMatchObject({ attempt: 3, iteration: 3 });
    expect(page([], [phase('write'), lint]).iterations).toEqual([{ loop: 'lint', used: 0, max: 4 }]);
  });
});

describe('the notes', () => {
  const [spec, write, repair, lint] = [
    phase('spec'),
    phase('write'),
    phase('repair', { when: 'gate-failed' }),
    phase('lint', { gate: { backTo: 'write', iterations: 3 } }),
  ];
  const phases = [spec, write, repair, lint];
  const made = (attempt: string, text = attempt) => [started(attempt), succeeded(attempt, { prose: text })];
  const judged = (attempt: string, passed: boolean) => [
    started(attempt),
    succeeded(attempt, { report: attempt }, { judged: { passed } }),
  ];
  const note = (seq: number, stage?: string) =>
    `Resumed from checkpoint at ${timeOf(seq)}.${stage === undefined ? '' : ` Prior session ended at stage: ${stage}.`}`;

  it('say at which stage the session before ended', () => {
    expect(notes([resumed], phases)).toEqual([note(3, 'spec')]);
    expect(notes([...made('u/spec#1'), started('u/write#1'), resumed], phases)).toEqual([note(6, 'write')]);
    // Whatever has happened since.
    const since = [...made('u/write#2'), ...judged('u/lint#1', true)];
    expect(notes([...made('u/spec#1'), started('u/write#1'), resumed, ...since], phases)).toEqual([
      note(6, 'write'),
    ]);
    expect(
      notes([...made('u/spec#1'), ...made('u/write#1'), ...judged('u/lint#1', true), resumed], phases),
    ).toEqual([note(9)]);
  });

  it('say it of each resume', () => {
    const events = [resumed, ...made('u/spec#1'), resumed, ...made('u/write#1'), resumed];
    expect(notes(events, phases)).toEqual([note(3, 'spec'), note(6, 'write'), note(9, 'lint')]);
  });

  it('know the rounds of a gate', () => {
    const first = [...made('u/spec#1'), ...made('u/write#1'), ...judged('u/lint#1', false)];
    expect(notes([...first, resumed], phases)).toEqual([note(9, 'write')]);
    expect(notes([...first, ...made('u/write#2@2'), resumed], phases)).toEqual([note(11, 'repair')]);
    const second = [...first, ...made('u/write#2@2'), ...made('u/repair#1@2')];
    expect(notes([...second, started('u/lint#2@2'), resumed], phases)).toEqual([note(14, 'lint')]);
    const third = [
      ...second,
      ...judged('u/lint#2@2', false),
      ...made('u/write#3@3'),
      ...made('u/repair#2@3'),
      ...judged('u/lint#3@3', false),
    ];
    expect(notes([...third, resumed], phases)).toEqual([note(21, 'lint')]);
    const after = [...phases, phase('send')];
    expect(notes([...third, ...made('u/send#1'), resumed], after)).toEqual([note(23)]);
  });

  it('leave the stage out where its results were made again', () => {
    const events = [...made('u/spec#1'), ...made('u/write#1'), resumed, ...made('u/spec#2', 'another')];
    expect(notes(events, phases)).toEqual([note(7)]);
    const rerun: EventBody = { type: 'results_superseded', steps: ['u/spec'], because: 'rerun-requested' };
    expect(notes([...made('u/spec#1'), resumed, rerun], phases)).toEqual([note(5)]);
    const empty = [started('u/spec#1'), succeeded('u/spec#1', {}), resumed, rerun];
    expect(notes(empty, phases)).toEqual([note(5)]);
    const bare = [...made('u/spec#1'), resumed, started('u/write#1'), succeeded('u/write#1', {})];
    expect(notes(bare, phases)).toEqual([note(5)]);
  });

  it('tell what was decided, what blocks and what failed, in the order of time', () => {
    const decision = (id: string, ...affects: string[]): EventBody => ({
      type: 'decision_recorded',
      id,
      decision: 'CSV only',
      because: 'nobody reads XML',
      affects,
    });
    const events: EventBody[] = [
      { type: 'task_blocked', unit: 'u', reason: 'no account' },
      started('u/write#1'),
      decision('RD-001'),
      failed('u/write#1'),
      resumed,
      started('v/write#1'),
      decision('RD-002', 'v'),
      decision('RD-003', 'u', 'v'),
      { type: 'decision_recorded', id: 'RD-004', decision: 'later', affects: ['adr.md'] },
    ];
    expect(page(events, [write]).notes).toEqual([
      { at: timeOf(3), text: 'Blocked by runner: no account' },
      { at: timeOf(5), text: 'RD-001: CSV only (because: nobody reads XML)' },
      { at: timeOf(6), text: 'Stage write, attempt 1 failed (command-failed): it broke' },
      { at: undefined, text: note(7, 'write') },
      { at: timeOf(10), text: 'RD-003: CSV only (because: nobody reads XML)' },
      { at: timeOf(11), text: 'RD-004: later' },
    ]);
  });

  it('are limited', () => {
    const decisions = Array.from({ length: 120 }, (_, at): EventBody => {
      return { type: 'decision_recorded', id: `RD-${at}`, decision: 'long '.repeat(300) };
    });
    const { notes } = page(decisions, []);
    expect(notes).toHaveLength(101);
    expect(notes[0]).toEqual({ at: undefined, text: 'Earlier notes that are left out: 20.' });
    expect(notes[1]?.text).toMatch(/^RD-20: long .*…$/);
    expect(Math.max(...notes.map(({ text }) => text.length))).toBe(1001);
  });
});

it('makes of any journal a page that can be read back', () => {
  fc.assert(
    fc.property(
      anyEvents(),
      fc.array(fc.constantFrom('done', 'skipped', 'open'), { minLength: 3, maxLength: 3 }),
      (events, standings) => {
        const phases = ['plan', 'write', 'lint'].map((name, at) =>
          phase(name, { standing: standings[at] ?? 'open', outputs: ['prose', 'state'] }),
        );
        const made = makeStatusPage(foldEvents(events), 'u1', phases, facts);
        const { page: read, findings } = readStatusPage(renderStatusPage(made), {
          stages: ['plan', 'write', 'lint'],
        });
        expect(read).toMatchObject({ status: 'IN_PROGRESS', currentStage: made.currentStage });
        expect(read.completed.map(({ stage }) => stage)).toEqual(made.completed.map(({ stage }) => stage));
        expect(read.notes.map(({ text }) => text)).toEqual(made.notes.map(({ text }) => text));
        const odd = findings.map(({ code }) => code).filter((code) => code !== 'stage-without-artifact');
        expect(odd.filter((code) => code !== 'stage-listed-twice')).toEqual([]);
      },
    ),
  );
});
