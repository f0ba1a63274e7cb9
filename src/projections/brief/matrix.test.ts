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
import { book, line } from '../../../test/fixtures/pipelines.ts';
import { World } from '../../../test/fixtures/world.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { foldEvent, foldEvents } from '../../ledger/fold.ts';
import { emptyLedger, type Ledger } from '../../ledger/ledger.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { EventBody } from '../../model/event.ts';
import { briefOf, deriveSections } from './derive.ts';
import { type Brief, type SectionName, sectionNames } from './document.ts';
import { changedBy, type Mark, matrix, type Trigger, triggersOf } from './matrix.ts';
import { problemsOf } from './schema.ts';
import { makeSurvey } from './survey.ts';
import { renderSection } from './yaml/render.ts';

const files = {
  'seed.json': '{}',
  'system.md': 's',
  'plan.md': 'p',
  'write.md': 'w',
  'repair.md': 'r',
  'state_repair.md': 's',
};

async function pipelineOf(units: readonly string[] = ['u1', 'u2']): Promise<Pipeline> {
  const world = await World.of(book({ units: { list: [...units], order: 'chain' } }), files);
  return world.loaded.pipeline;
}

/** The table of the protocol, as its document has it; T1 also updates the files to read, as its own text says. */
const protocol: Readonly<Record<string, string>> = {
  T1: 'W U - - - - -',
  T2: 'W U - - - - -',
  T3: 'W - W W C - -',
  T4: 'W - - - - A -',
  T5: 'W - - - - - A',
  T6: 'W - - - A - -',
  T7: 'W - - - - - -',
};

it.each(Object.entries(protocol))('the row %s is that of the protocol', (trigger, marks) => {
  const row = matrix[trigger as Trigger];
  expect(sectionNames.map((name) => row[name]).join(' ')).toBe(marks);
});

const history: readonly EventBody[] = [
  { ...created },
  revision(1),
  started('u1/plan#1'),
  succeeded('u1/plan#1'),
  started('u1/write#1'),
  succeeded('u1/write#1'),
  started('u1/lint#1'),
  succeeded(
    'u1/lint#1',
    {},
    { judged: { passed: false, score: 4, defects: ['D1', 'D2'], scores: { form: 3 } } },
  ),
  { type: 'decision_recorded', id: 'RD-001', decision: 'one way' },
  { type: 'summary_recorded', agent: 'ann', summary: 'DONE. A part.' },
  compaction(1),
];

function compaction(number: number): EventBody {
  const id = `CX-00${number}`;
  return {
    type: 'compaction_seen',
    id,
    seenAt: timeOf(9),
    trigger: 'auto',
    fill: 60 + number,
    file: `${id}.json`,
  };
}

/** For every trigger what brings it about. */
const moves: Readonly<Record<Trigger, EventBody>> = {
  T1: started('u1/repair#1@2'),
  T2: succeeded('u1/repair#1@2'),
  T3: succeeded('u1/lint#2@2', {}, { judged: { passed: true, score: 8, defects: [], scores: { form: 7 } } }),
  T4: { type: 'summary_recorded', agent: 'bob', summary: 'PASS. All of it.' },
  T5: compaction(2),
  T6: { type: 'decision_recorded', id: 'RD-002', decision: 'another way', because: 'it is shorter' },
  T7: { type: 'context_crossed', session: 's', fill: 71, tier: 'WARNING' },
  run: { type: 'run_ended', status: 'stopped' },
  note: { type: 'task_blocked', unit: 'u2', reason: 'no ink' },
  handed: { type: 'brief_delivered', session: 's', upTo: 'CX-001' },
  applied: { type: 'decision_applied', id: 'RD-001' },
  imported: {
    type: 'brief_imported',
    path: 'ORCHESTRATION.yaml',
    hash: 'sha256:00',
    backup: '.pawl/backups/ORCHESTRATION.yaml',
    history: { quality_trajectory: { score_history: { 'QG-1': [0.9] } } },
  },
  authored: {
    type: 'brief_authored',
    files: ['notes.md'],
    patterns: [{ pattern: 'late', resolution: null }],
  },
};

/** What has to have happened first. */
const before: Partial<Readonly<Record<Trigger, readonly EventBody[]>>> = {
  T2: [started('u1/repair#1@2')],
  T3: [started('u1/repair#1@2'), succeeded('u1/repair#1@2'), started('u1/lint#2@2')],
};

describe.each(Object.keys(matrix) as Trigger[])('%s', (trigger) => {
  const texts = async () => {
    const pipeline = await pipelineOf();
    const events = stored([...history, ...(before[trigger] ?? []), moves[trigger]]);
    const last = events.at(-1);
    const ledger = foldEvents(events.slice(0, -1));
    const old = briefOf(pipeline, ledger);
    if (last === undefined) throw new Error('no event');
    expect(triggersOf(last, 'runner')).toContain(trigger);
    foldEvent(ledger, last);
    const row = changedBy(triggersOf(last, 'runner'));
    const now = deriveSections(pipeline, ledger, makeSurvey(pipeline, ledger), row, old);
    return { old, now, row, fresh: briefOf(pipeline, ledger) };
  };

  it.each(sectionNames)('does to %s what the table says', async (name) => {
    const { old, now, row } = await texts();
    const [was, is] = [textOf(name, old), textOf(name, now)];
    // An event may be two triggers at once: a gate that has scored has also ended a phase.
    if (!row.has(name)) expect(is).toBe(was);
    else expectMark(matrix[trigger][name], name, old, now);
  });

  it('leaves the document as it would be made from the whole journal', async () => {
    const { now, fresh } = await texts();
    expect(now).toEqual(fresh);
    expect(problemsOf(now as unknown as JsonValue)).toEqual([]);
  });
});

function textOf(name: SectionName, brief: Brief): string {
  return renderSection(name, { [name]: brief[name] } as unknown as JsonObject);
}

function expectMark(mark: Mark, name: SectionName, old: Brief, now: Brief): void {
  const [was, is] = [textOf(name, old), textOf(name, now)];
  if (name === 'recovery_state') expect(is).not.toBe(was);
  if (mark === 'A') {
    // What stood there stands there still, in the same words.
    const [shorter, longer] = [entries(old[name]), entries(now[name])];
    expect(longer.length).toBe(shorter.length + 1);
    expect(longer.slice(0, shorter.length)).toEqual(shorter);
  }
  // No decision was made in the round.
  if (mark === 'C') expect(is).toBe(was);
  if (mark === 'U') expect(entries(now[name]).length).toBeGreaterThanOrEqual(entries(old[name]).length);
}

function entries(section: Brief[SectionName]): unknown[] {
  if (Array.isArray(section)) return section;
  if ('events' in section && Array.isArray(section.events)) return section.events;
  return Object.entries(section);
}

it('a decision that was made in a round of a gate is added with the gate and the round', async () => {
  const pipeline = await pipelineOf();
  const made: EventBody = {
    type: 'decision_recorded',
    id: 'RD-002',
    decision: 'd',
    gate: 'u1/lint',
    round: 2,
  };
  const { decision_log: log } = briefOf(pipeline, foldEvents(stored([...history, made])));
  expect(log.at(-1)).toMatchObject({ id: 'RD-002', gate: 'u1/lint', iteration: 2, applied: false });
});

describe('the fields of the gates', () => {
  const at = async (...more: EventBody[]) =>
    briefOf(await pipelineOf(), foldEvents(stored([...history, ...more])));

  it('name the gate that sent back, and the round that is under way', async () => {
    const { quality_trajectory: quality, defect_summary: defects } = await at();
    expect(quality).toEqual({
      gates_completed: [],
      gates_remaining: ['u1/lint', 'u2/lint'],
      current_gate: 'u1/lint',
      current_gate_iteration: 2,
      score_history: { 'u1/lint': [4] },
      lowest_dimension: 'form',
      total_iterations_used: 1,
    });
    expect(defects).toMatchObject({
      total_defects_found: 2,
      total_defects_resolved: 0,
      unresolved_defects: ['D1', 'D2'],
      last_gate_primary_defect: 'D1',
    });
  });

  it('append the score and count what is found and what is mended', async () => {
    const again = { passed: false, score: 6, defects: ['D2', 'D3'] };
    const { quality_trajectory: quality, defect_summary: defects } = await at(
      started('u1/lint#2@2'),
      succeeded('u1/lint#2@2', {}, { judged: again }),
    );
    expect(quality.score_history).toEqual({ 'u1/lint': [4, 6] });
    expect(quality).toMatchObject({ current_gate_iteration: 3, total_iterations_used: 2 });
    expect(defects).toMatchObject({
      total_defects_found: 3,
      total_defects_resolved: 1,
      unresolved_defects: ['D2', 'D3'],
      last_gate_primary_defect: 'D2',
    });
  });

  it('move a gate that has passed to the completed ones, and are between gates then', async () => {
    const { quality_trajectory: quality } = await at(
      started('u1/lint#2@2'),
      succeeded('u1/lint#2@2', {}, { judged: { passed: true, score: 9, defects: [] } }),
    );
    expect(quality).toMatchObject({
      gates_completed: ['u1/lint'],
      gates_remaining: ['u2/lint'],
      current_gate: null,
      current_gate_iteration: null,
    });
  });
});

/** What was claimed is hers, and so is its end. */
function isOfAnn(event: EventBody): boolean {
  if (event.type === 'attempt_succeeded') return event.phase === 'repair';
  return event.type === 'attempt_started' && event.lease !== undefined;
}

describe('a compaction in the middle of a round', () => {
  const lease = '2026-11-15T13:00:00.000Z';
  const seen: EventBody = {
    ...{ type: 'compaction_seen', id: 'CX-002', seenAt: timeOf(13), trigger: 'auto', file: 'f' },
    ...{ gate: 'u1/lint', round: 2 },
  } as EventBody;
  const nextOf = async (...events: EventBody[]) => {
    const told = stored([...history, ...events]).map((event) =>
      isOfAnn(event) ? { ...event, actor: 'ann' } : event,
    );
    return briefOf(await pipelineOf(), foldEvents(told)).recovery_state.next_step;
  };

  it('has that round begun again, and no other', async () => {
    expect(await nextOf(started('u1/repair#1@2', { lease }), seen)).toMatch(
      /^Begin round 2 of the gate u1\/lint again/,
    );
  });

  it('changes nothing once the round was scored', async () => {
    const scored = [started('u1/lint#2@2'), succeeded('u1/lint#2@2', {}, { judged: { passed: false } })];
    const next = await nextOf(...scored, started('u1/repair#2@3', { lease }), seen);
    expect(next).not.toContain('Begin round');
  });

  it('changes nothing once something was begun in the round since', async () => {
    const done = [started('u1/repair#1@2', { lease }), seen, succeeded('u1/repair#1@2')];
    expect(await nextOf(...done, started('u1/lint#2@2', { lease }))).not.toContain('Begin round');
  });

  it('changes nothing where no agent is at it', async () => {
    expect(await nextOf(started('u1/repair#1@2'), seen)).not.toContain('Begin round');
  });
});

it('is the same whether every step is told by itself, some at once, or all of them from the journal', async () => {
  const pipeline = await pipelineOf();
  fc.assert(
    fc.property(anyEvents(), fc.infiniteStream(fc.boolean()), (events, isWritten) => {
      const ledger: Ledger = emptyLedger();
      const triggers = new Set<Trigger>();
      let brief: Brief | undefined;
      for (const event of events) {
        foldEvent(ledger, event);
        for (const trigger of triggersOf(event, ledger.runner)) triggers.add(trigger);
        if (isWritten.next().value === false) continue;
        brief = deriveSections(pipeline, ledger, makeSurvey(pipeline, ledger), changedBy(triggers), brief);
        triggers.clear();
        expect(brief).toEqual(briefOf(pipeline, ledger));
      }
    }),
    { numRuns: 300 },
  );
});

it('is always a document of the published schema', async () => {
  const pipeline = await pipelineOf();
  fc.assert(
    fc.property(anyEvents(), (events) => {
      fc.pre(events.length > 0);
      const brief = briefOf(pipeline, foldEvents(events));
      expect(problemsOf(JSON.parse(JSON.stringify(brief)) as JsonValue)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('tells where a failed run stands and what to look at', async () => {
  const world = await World.of(line({ units: ['u1'] }));
  const ledger = foldEvents(
    stored([
      { ...created },
      revision(1),
      started('u1/one#1'),
      failed('u1/one#1'),
      { type: 'run_ended', status: 'stopped' },
    ]),
  );
  const { recovery_state: state } = briefOf(world.loaded.pipeline, ledger);
  expect(state).toMatchObject({ workflow_status: 'stopped', current_phase: 1, current_phase_name: 'one' });
  expect(state.current_activity).toContain('u1/one failed (command-failed): it broke');
  expect(state.next_step).toContain('pawl logs u1/one');
});
