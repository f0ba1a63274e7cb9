import { beforeEach, describe, expect, it } from 'vitest';
import {
  crashAt,
  documentIn,
  editText,
  eventsOfType,
  expectTrue,
  leave,
  notesIn,
  stateIn,
  textAt,
} from '../../../test/fixtures/briefs.ts';
import { type Letters, letters } from '../../../test/fixtures/letters.ts';
import { demand, nextProcess, root, run, type TestEnvironment } from '../../../test/fixtures/memory.ts';
import { CrashSignal } from '../../../test/memory/memory-disk.ts';
import { systemIds } from '../../base/ids.ts';
import { applyDecision, recordDecision, recordSummary } from '../../engine/brief/decide.ts';
import { showBrief } from '../../engine/brief/show.ts';

let world: Letters;
let env: TestEnvironment;

/** A run that waits for a person, with a decision and a summary on record. */
beforeEach(async () => {
  world = letters({ units: ['ann'] });
  env = world.env;
  world.work.read = () => ({ report: { status: 'fail' } });
  await run(env, world.definition);
  demand(await recordDecision(env, { ...world.target, decision: 'the first way', because: 'short' }));
  demand(await recordSummary(env, { ...world.target, agent: 'zed', summary: 'DONE. A part.' }));
  env.clock.advance(60_000);
});

const path = () => stateIn(env).path;
const edit = (from: string | RegExp, to: string) => editText(env, path(), from, to);
/** Something that is done with the run, and what it leaves in the journal of itself. */
const act = async (on = env) => {
  demand(await recordSummary(on, { ...world.target, agent: 'ed', summary: `DONE. ${on.clock.ms}` }));
  on.clock.advance(60_000);
};
const before = { decision_recorded: 1, summary_recorded: 1 };

describe('what only the journal can say', () => {
  const edits: readonly [string, string | RegExp, string, unknown][] = [
    ['recovery_state.current_phase', /current_phase: 3/, 'current_phase: 9', 9],
    ['recovery_state.workflow_status', /workflow_status: \w+/, 'workflow_status: completed', 'completed'],
    ['recovery_state.last_checkpoint', /last_checkpoint: CP-\d+/, 'last_checkpoint: null', null],
    [
      'quality_trajectory.gates_completed',
      /gates_completed: \[\]/,
      'gates_completed: [ann/read]',
      ['ann/read'],
    ],
    ['quality_trajectory.score_history', /score_history: \{\}/, 'score_history: { x: [1] }', { x: [1] }],
    ['defect_summary.total_defects_found', /total_defects_found: 0/, 'total_defects_found: "many"', 'many'],
    ['compaction_events.count', /count: 0/, 'count: 3', 3],
    ['decision_log[0].decision', '"the first way"', '"another way"', 'another way'],
    ['decision_log[0].rationale', 'rationale: short', 'rationale: null', null],
    ['agent_summaries.zed', '"DONE. A part."', '"DONE. All of it."', 'DONE. All of it.'],
  ];

  it.each(edits)('%s is put on record when it is edited, and set right', async (where, from, to, found) => {
    const text = textAt(env, path());
    edit(from, to);
    expect(demand(await showBrief(env, { ...world.target, check: true })).edits).toEqual([
      { path: where, found },
    ]);
    await act();
    expect(eventsOfType(env, 'brief_edited')).toMatchObject([{ edits: [{ path: where, found }] }]);
    await expectTrue(env, world.target);
    expect(notesIn(env)).toEqual({ ...before, summary_recorded: 2, brief_edited: 1 });
    await act();
    expect(notesIn(env)).toEqual({ ...before, summary_recorded: 3, brief_edited: 1 });
    // Nothing of it has stayed.
    const lines = textAt(env, path()).split('\n');
    expect(text.split('\n').filter((line) => !lines.includes(line) && !line.includes('updated_at'))).toEqual(
      [],
    );
  });

  it('is told once, whoever asks', async () => {
    edit('total_defects_found: 0', 'total_defects_found: 5');
    for (let nth = 0; nth < 3; nth++) demand(await showBrief(env, world.target));
    expect(notesIn(env)).toEqual({ ...before, brief_edited: 1 });
    await expectTrue(env, world.target);
  });

  it('is put back where it is gone', async () => {
    edit(/ {2}quality_trajectory:[\s\S]*(?= {2}decision_log)/, '');
    await act();
    await expectTrue(env, world.target);
    expect(notesIn(env)).toEqual({ ...before, summary_recorded: 2 });
  });

  it('is made anew where nobody can read it, and the text is kept', async () => {
    edit('decision_log:', 'decision_log: [ {');
    edit('current_activity:', 'current_activity: mine');
    const text = textAt(env, path());
    await act();
    expect(eventsOfType(env, 'brief_edited')).toMatchObject([
      { edits: [{ path: 'resumption', found: text }] },
    ]);
    await expectTrue(env, world.target);
    expect(demand(await showBrief(env, world.target)).trouble).toBeUndefined();
    expect(notesIn(env)).toEqual({ ...before, summary_recorded: 2, brief_edited: 1 });
  });

  it.each(['', '\n', '# nothing\n', 'other: 1\n'])(
    'is made anew where %j was put in its place',
    async (text) => {
      env.disk.putFile(`${root}/${path()}`, text);
      await act();
      await expectTrue(env, world.target);
    },
  );
});

describe('what is theirs to say', () => {
  it('next_step holds until the work moves on', async () => {
    edit(/next_step: ".*"/, 'next_step: Ask Bob first.');
    demand(await showBrief(env, world.target));
    expect((await expectTrue(env, world.target)).recovery_state.next_step).toBe('Ask Bob first.');
    await act();
    expect((await expectTrue(env, world.target)).recovery_state.next_step).toBe('Ask Bob first.');
    expect(notesIn(env)).toEqual({ ...before, summary_recorded: 2, brief_authored: 1 });
    world.work.read = () => ({ report: { status: 'pass' } });
    await run(nextProcess(env), world.definition, { rerunFrom: 'read' });
    const { recovery_state: state } = await expectTrue(env, world.target);
    expect(state.next_step).not.toBe('Ask Bob first.');
  });

  it('the same step can be said again', async () => {
    edit(/next_step: ".*"/, 'next_step: Ask Bob first.');
    await act();
    world.work.draft = () => {
      throw new Error('no ink');
    };
    await run(nextProcess(env), world.definition, { rerunFrom: 'draft' });
    const { recovery_state: moved } = await expectTrue(env, world.target);
    expect(moved.next_step).not.toBe('Ask Bob first.');
    env.clock.advance(1000);
    edit(/next_step: ".*"/, 'next_step: Ask Bob first.');
    await act();
    expect((await expectTrue(env, world.target)).recovery_state.next_step).toBe('Ask Bob first.');
    expect(eventsOfType(env, 'brief_authored')).toHaveLength(2);
  });

  it('files_to_read: added behind what follows from the work', async () => {
    const known = (await expectTrue(env, world.target)).files_to_read;
    edit(
      'files_to_read:',
      'files_to_read:\n    - notes/plan.md\n    - { path: STYLE.md, purpose: how it reads }',
    );
    await act();
    const { files_to_read: files } = await expectTrue(env, world.target);
    expect(files).toEqual([
      ...known,
      'notes/plan.md',
      { path: 'STYLE.md', priority: 2, purpose: 'how it reads', sections: [] },
    ]);
    await act();
    expect(notesIn(env)).toEqual({ ...before, summary_recorded: 3, brief_authored: 1 });
  });

  it('recurring_patterns', async () => {
    edit(
      'recurring_patterns: []',
      'recurring_patterns:\n      - late\n      - { pattern: long, resolution: cut }',
    );
    await act();
    await act();
    expect((await expectTrue(env, world.target)).defect_summary.recurring_patterns).toEqual([
      { pattern: 'late', resolution: null },
      { pattern: 'long', resolution: 'cut' },
    ]);
    expect(notesIn(env)).toEqual({ ...before, summary_recorded: 3, brief_authored: 1 });
  });

  it('a new decision, which keeps a number of its own, or gets the next', async () => {
    edit(
      '  agent_summaries:',
      '    - { decision: "the second way", affects_phases: [2, seal], iteration: 2 }\n  agent_summaries:',
    );
    edit(
      '  agent_summaries:',
      '    - { id: RD-099, decision: a third, rationale: why not, applied: true }\n  agent_summaries:',
    );
    await act();
    await act();
    const { decision_log: log } = await expectTrue(env, world.target);
    expect(log.map(({ id }) => id)).toEqual(['RD-001', 'RD-002', 'RD-099']);
    expect(log[1]).toMatchObject({
      decision: 'the second way',
      affects_phases: [2, 4],
      iteration: 2,
      applied: false,
    });
    expect(log[2]).toMatchObject({ decision: 'a third', rationale: 'why not', applied: true });
    expect(notesIn(env)).toEqual({ decision_recorded: 3, decision_applied: 1, summary_recorded: 3 });
  });

  it('the same decision twice, if somebody says so', async () => {
    const again = '    - { decision: the first way, rationale: short }\n  agent_summaries:';
    edit('  agent_summaries:', again);
    await act();
    expect((await expectTrue(env, world.target)).decision_log).toHaveLength(2);
    edit('  agent_summaries:', again);
    await act();
    expect((await expectTrue(env, world.target)).decision_log).toHaveLength(3);
  });

  it('that a decision was carried out, and not that it was not', async () => {
    edit('applied: false', 'applied: true');
    await act();
    expect((await expectTrue(env, world.target)).decision_log).toMatchObject([
      { id: 'RD-001', applied: true },
    ]);
    edit('applied: true', 'applied: false');
    await act();
    expect((await expectTrue(env, world.target)).decision_log).toMatchObject([
      { id: 'RD-001', applied: true },
    ]);
    expect(notesIn(env)).toEqual({ ...before, decision_applied: 1, summary_recorded: 3 });
    // Said already: nothing more is put on record.
    demand(await applyDecision(env, { ...world.target, id: 'RD-001' }));
    expect(eventsOfType(env, 'decision_applied')).toHaveLength(1);
  });

  it('the line of an agent that has left none', async () => {
    edit('agent_summaries:', 'agent_summaries:\n    new-one: PASS');
    await act();
    await act();
    const { agent_summaries: lines } = await expectTrue(env, world.target);
    expect(lines).toMatchObject({ zed: 'DONE. A part.', 'new-one': 'PASS.' });
    expect(notesIn(env)).toEqual({ ...before, summary_recorded: 4 });
  });

  it('in whatever words: the document is one of the schema', async () => {
    const files = [
      '""',
      '{ path: "" }',
      '{ path: a.md, priority: -1 }',
      '{ path: b.md, priority: 1.5 }',
      '7',
      '[]',
    ];
    edit('files_to_read:', ['files_to_read:', ...files.map((file) => `    - ${file}`)].join('\n'));
    edit(
      '  agent_summaries:',
      '    - { decision: odd, iteration: -1.5, gate: 7, applied: 1 }\n  agent_summaries:',
    );
    edit('recurring_patterns: []', 'recurring_patterns: [7, { pattern: odd, resolution: 7 }]');
    await act();
    const { files_to_read: read, decision_log: log } = await expectTrue(env, world.target);
    expect(read.slice(-2)).toMatchObject([
      { path: 'a.md', priority: 2 },
      { path: 'b.md', priority: 2 },
    ]);
    expect(log.at(-1)).toMatchObject({ decision: 'odd', iteration: null, gate: null, applied: false });
    await act();
    expect(notesIn(env)).toMatchObject({ brief_authored: 1, decision_recorded: 2 });
  });

  it('while the run goes on', async () => {
    world.work.seal = async ({ unit }) => {
      env.clock.advance(60_000);
      edit('  agent_summaries:', '    - { decision: in the middle }\n  agent_summaries:');
      return { letter: unit.id };
    };
    world.work.read = () => ({ report: { status: 'pass' } });
    await run(nextProcess(env), world.definition, { rerunFrom: 'draft' });
    expect((await expectTrue(env, world.target)).decision_log.map(({ decision }) => decision)).toEqual([
      'the first way',
      'in the middle',
    ]);
    expect(notesIn(env)).toEqual({ ...before, decision_recorded: 2 });
  });
});

describe('an edit in the very moment of a writing is not lost', () => {
  /** Does something once, right after the disk was called so. */
  const once = (isNow: (operation: string, at: string) => boolean, doIt: () => void) => {
    let isDone = false;
    env.disk.watch(({ operation, path: at }, moment) => {
      if (isDone || moment !== 'after' || !isNow(operation, at)) return;
      isDone = true;
      queueMicrotask(doIt);
    });
    return () => isDone;
  };
  const added = '    - { decision: just now }\n  agent_summaries:';

  it('between the look and the writing', async () => {
    // What a hook has left is put on record in between.
    leave(env, '1763208000000-a.json', { kind: 'stopped', agent: 'claude', session: 's' });
    const isNow = (operation: string, at: string) => operation === 'write' && at.includes('/events/hooks/');
    const isDone = once(isNow, () => edit('  agent_summaries:', added));
    demand(await showBrief(env, world.target));
    expect(isDone()).toBe(true);
    expect((await expectTrue(env, world.target)).decision_log).toHaveLength(2);
    expect(notesIn(env)).toEqual({ ...before, decision_recorded: 2, session_seen: 1 });
  });

  it('between the end of the journal and the last word', async () => {
    const isNow = (operation: string, at: string) =>
      operation === 'write' && at.includes('/events/ed/') && isClosedBy(at);
    const isClosedBy = (at: string) => textAt(env, at.slice(root.length + 1)).includes('"closed"');
    const isDone = once(isNow, () => edit('  agent_summaries:', added));
    await act();
    expect(isDone()).toBe(true);
    expect(textAt(env, path())).toContain('just now');
    expect(eventsOfType(env, 'decision_recorded')).toHaveLength(1);
    await act();
    expect((await expectTrue(env, world.target)).decision_log).toHaveLength(2);
    expect(notesIn(env)).toEqual({ decision_recorded: 2, summary_recorded: 3 });
  });
});

describe('whoever dies while it is taken in', () => {
  it('leaves it to be taken in once, wherever that was', async () => {
    edit(/next_step: ".*"/, 'next_step: Ask Bob first.');
    edit('recurring_patterns: []', 'recurring_patterns: [late]');
    edit(
      '  agent_summaries:',
      '    - { decision: by hand, applied: true }\n  agent_summaries:\n    new-one: PASS',
    );
    edit('applied: false', 'applied: true');
    leave(env, 'cx-001.json', { id: 'CX-001', timestamp: '2026-11-15T12:30:00Z', trigger: 'auto' });
    leave(env, '1763208000000-a.json', {
      kind: 'subagent-stopped',
      agent: 'c',
      session: 's',
      summary: 'Two notes',
    });
    let call = 1;
    for (; ; call++) {
      const { isOver, later } = await crashAt(env, call, act);
      demand(await recordSummary(later, { ...world.target, agent: 'flo', summary: 'DONE.' }));
      const brief = await expectTrue(later, world.target, { isCrashed: true });
      expect(brief.decision_log, `call ${call}`).toMatchObject([
        { id: 'RD-001', applied: true },
        { id: 'RD-002', decision: 'by hand', applied: true },
      ]);
      expect(brief).toMatchObject({
        recovery_state: { next_step: 'Ask Bob first.' },
        defect_summary: { recurring_patterns: [{ pattern: 'late', resolution: null }] },
        agent_summaries: { 'new-one': 'PASS.', c: 'DONE. Two notes.' },
        compaction_events: { count: 1 },
      });
      const notes = notesIn(later);
      expect(notes, `call ${call}`).toMatchObject({
        decision_recorded: 2,
        decision_applied: 2,
        compaction_seen: 1,
        brief_authored: 1,
      });
      expect(notes.brief_edited, `call ${call}`).toBeUndefined();
      if (isOver) break;
    }
    expect(call).toBeGreaterThan(30);
  });

  it('in the middle of a run: nothing of what Pawl itself wrote is taken for an edit', async () => {
    let call = 1;
    world.work.read = () => ({ report: { status: 'pass' } });
    for (; ; call += 7) {
      const mine = { ...nextProcess(env), disk: env.disk.kill(), ids: systemIds };
      mine.disk.failAt(mine.disk.calls + call, { kind: 'crash', when: call % 2 === 1 ? 'before' : 'after' });
      const isOver = await run(mine, world.definition, { rerunFrom: 'draft' }).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof CrashSignal)) throw error;
          return false;
        },
      );
      const later = { ...nextProcess(mine), disk: mine.disk.kill() };
      demand(await recordSummary(later, { ...world.target, agent: 'flo', summary: 'DONE.' }));
      await expectTrue(later, world.target, { isCrashed: true });
      expect(notesIn(later), `call ${call}`).toEqual({ ...before, summary_recorded: 2 });
      if (isOver) break;
    }
    expect(call).toBeGreaterThan(100);
  });
});

it('a document that nobody has touched, copied elsewhere, is nobody’s word', async () => {
  const copy = { ...nextProcess(env), disk: env.disk.kill() };
  const text = textAt(copy, path());
  copy.disk.remove(`${root}/${path()}`);
  copy.disk.putFile(`${root}/${path()}`, text);
  await act(copy);
  expect(notesIn(copy)).toEqual({ ...before, summary_recorded: 2 });
  expect(documentIn(copy)).toMatchObject({ decision_log: [{ id: 'RD-001' }] });
});
