import { describe, expect, test } from 'vitest';
import { succeeded } from '../../../test/fixtures/journal.ts';
import type { EventBody, EventType } from '../../model/event.ts';
import { classifyEvent, eventTypes } from './event-check.ts';

const hash = 'sha256:00' as const;
const step = { unit: 'u', phase: 'p', attempt: 1 };
const output = { path: 'a', hash, size: 1 };
const asked = {
  id: 'C1',
  question: 'approval',
  unit: 'u',
  phase: 'p',
  place: 'after',
  shown: { 'p.o': hash },
} as const;
const statics = {
  definition: hash,
  templates: { phase: { path: 't', hash } },
  files: {},
  code: { 'a.mjs': hash, 'b.mjs': null },
};

const call = {
  model: 'here/model',
  answered: 'model-1',
  request: 'r',
  finish: 'stop',
  ms: 1,
  firstMs: 1,
  warnings: ['seed is not supported'],
  reused: 'run u/p#1',
  saved: { usd: 0.1 },
  adopted: 1,
};

/** One of each type, with its optional fields. */
const samples: { readonly [T in EventType]: Extract<EventBody, { type: T }> } = {
  run_created: {
    type: 'run_created',
    run: 'r',
    pipeline: 'p',
    identity: { book: 'ember' },
    durability: 'power',
    manifest: 'pawl.yaml',
    boot: 'b',
  },
  revision_recorded: { type: 'revision_recorded', revision: 1, manifest: hash, phases: { write: statics } },
  run_resumed: { type: 'run_resumed', boot: 'b' },
  stop_requested: { type: 'stop_requested' },
  run_ended: { type: 'run_ended', status: 'cancelled', state: hash, reason: 'so', by: 'me' },
  attempt_started: {
    type: 'attempt_started',
    ...step,
    round: 2,
    revision: 1,
    unitData: hash,
    inputs: { prose: `write#1 ${hash}` },
    preState: { hash, path: 's', from: 'u#1' },
    prompt: hash,
    feedback: hash,
    lease: '2026-01-01T00:00:00.000Z',
    call: { model: 'here/model', key: hash, atStake: 0.1 },
  },
  process_started: { type: 'process_started', ...step, pid: 1, started: 's', boot: 'b', host: 'h' },
  attempt_succeeded: {
    ...succeeded('u', 'pass'),
    response: hash,
    call,
    cost: { usd: 0.1, inputTokens: 1, outputTokens: 2, cacheReadTokens: 1, cacheWriteTokens: 1 },
  },
  attempt_failed: {
    type: 'attempt_failed',
    ...step,
    reason: 'timed-out',
    message: '',
    ms: 1,
    facts: { limit: 1 },
    call,
    cost: { usd: 0.1 },
  },
  attempt_paused: {
    type: 'attempt_paused',
    ...step,
    reason: 'quota',
    message: 'so much a day',
    until: '2026-01-01T00:00:00.000Z',
    ms: 1,
    call,
  },
  attempt_interrupted: { type: 'attempt_interrupted', ...step, ms: 1 },
  outputs_restored: { type: 'outputs_restored', ...step, outputs: succeeded('u', 'pass').outputs },
  checkpoint_asked: {
    type: 'checkpoint_asked',
    ...asked,
    name: 'Spec approval',
    expires: '2026-01-01T00:00:00.000Z',
  },
  checkpoint_decided: {
    type: 'checkpoint_decided',
    ...asked,
    decision: 'rejected',
    redo: 'p',
    restart: 'p',
    by: 'me',
    host: 'h',
    channel: 'terminal',
    note: 'no',
  },
  revision_requested: { type: 'revision_requested', ...step, to: 'p', reason: 'so', ms: 1 },
  results_superseded: {
    type: 'results_superseded',
    steps: ['u/p'],
    because: 'rerun-requested',
    reason: 'so',
  },
  results_kept: {
    type: 'results_kept',
    steps: ['u/p'],
    revision: 1,
    guard: 'unit-changed',
    reason: 'so',
    unitData: hash,
    onlyAttempt: 1,
  },
  results_restored: {
    type: 'results_restored',
    steps: [
      {
        unit: 'u',
        phase: 'p',
        results: [
          {
            attempt: 1,
            round: 1,
            revision: 1,
            unitData: hash,
            outputs: { prose: { path: 'a.md', hash, size: 1 } },
            ms: 1,
            at: '2026-01-01T00:00:00.000Z',
            seq: 4,
            kept: { guard: 'unit-changed', reason: 'so', made: { revision: 1, unitData: hash } },
          },
        ],
        promptChange: { before: hash, reason: 'so' },
      },
    ],
    undoes: ['runner#7'],
    reason: 'so',
  },
  artifact_adopted: {
    type: 'artifact_adopted',
    unit: 'u',
    phase: 'p',
    output: 'o',
    before: hash,
    after: output,
    reason: 'so',
  },
  override_used: { type: 'override_used', guard: 'gc', flag: '--force', reason: 'so', facts: { any: [1] } },
  outputs_verified: { type: 'outputs_verified', upTo: 3 },
  damage_accepted: { type: 'damage_accepted', findings: ['x'], reason: 'so' },
  lease_renewed: { type: 'lease_renewed', ...step, until: '2026-01-01T00:00:00.000Z' },
  completion_refused: { type: 'completion_refused', ...step, reason: 'not-claimed', aside: 'a' },
  task_blocked: { type: 'task_blocked', unit: 'u', reason: 'r' },
  task_unblocked: { type: 'task_unblocked', unit: 'u', note: 'n' },
  decision_recorded: {
    type: 'decision_recorded',
    id: 'RD-001',
    decision: 'd',
    because: 'b',
    affects: ['a'],
    gate: 'u/p',
    round: 2,
  },
  decision_applied: { type: 'decision_applied', id: 'RD-001' },
  summary_recorded: { type: 'summary_recorded', agent: 'a', summary: 'DONE.' },
  compaction_seen: {
    type: 'compaction_seen',
    id: 'CX-001',
    seenAt: '2026-01-01T00:00:00.000Z',
    trigger: 'auto',
    fill: 61.5,
    phase: 2,
    gate: 'u/p',
    round: 2,
    file: 'inbox/cx-001.json',
    session: 's',
  },
  brief_delivered: { type: 'brief_delivered', session: 's', upTo: 'CX-001' },
  context_crossed: { type: 'context_crossed', session: 's', fill: 61, tier: 'WARNING' },
  session_seen: {
    type: 'session_seen',
    agent: 'claude',
    session: 's',
    what: 'started',
    seenAt: '2026-01-01T00:00:00.000Z',
    how: 'compact',
  },
  brief_edited: { type: 'brief_edited', edits: [{ path: 'recovery_state.current_phase', found: 3 }] },
  page_imported: {
    type: 'page_imported',
    unit: 'u',
    path: 'specs/u/pipeline-state.md',
    status: 'IN_PROGRESS',
    run: 'r',
    partial: { phase: 'p', outputs: {} },
    handed: { spec: {} },
    rounds: { test: 2 },
    failures: { spec: 1 },
    clusters: [{ defect: 'AC-06', count: 2 }],
    ticks: [{ name: 'Spec approval', by: 'ann', at: '2026-11-15' }],
    notes: [{ at: '2026-11-15', text: 'n' }],
  },
  brief_imported: {
    type: 'brief_imported',
    path: 'ORCHESTRATION.yaml',
    hash,
    backup: '.pawl/backups/ORCHESTRATION.yaml',
    history: {},
  },
  brief_authored: {
    type: 'brief_authored',
    nextStep: 'n',
    files: ['a.md', { path: 'b.md', priority: 1, purpose: 'p', sections: ['s'] }],
    patterns: [{ pattern: 'p', resolution: 'r' }],
  },
  foreign_reports_bound: {
    type: 'foreign_reports_bound',
    units: [{ unit: 'u', listed: true, unitData: hash }],
  },
  foreign_work_reported: {
    type: 'foreign_work_reported',
    unit: 'u',
    means: 'started',
    phase: 'p',
    note: 'n',
  },
  foreign_run_reported: { type: 'foreign_run_reported', stage: 's', completed: true },
};

const signed = [
  'run_resumed',
  'run_ended',
  'results_superseded',
  'results_kept',
  'results_restored',
  'artifact_adopted',
  'override_used',
  'damage_accepted',
  'decision_recorded',
  'decision_applied',
] as const;

describe('an event', () => {
  test.each(Object.entries(samples))('%s is known', (_, sample) => {
    expect(classifyEvent(sample)).toBe('known');
    expect(classifyEvent(JSON.parse(JSON.stringify(sample)))).toBe('known');
  });

  test.each(Object.entries(samples))('%s with a field of another kind is malformed', (_, sample) => {
    for (const wrong of [null, [null], true]) {
      for (const place of placesIn(sample)) {
        // It is a value where a flag stands.
        if (wrong === true && sample.type === 'foreign_run_reported' && place[0] === 'completed') continue;
        if (wrong === true && sample.type === 'foreign_reports_bound' && place.at(-1) === 'listed') continue;
        // The facts are anybody's; and an empty type is another matter.
        if (place[0] === 'facts' || place[0] === 'type') continue;
        // Null is a value there: the unit has no fields any more, the pattern no resolution yet.
        if (wrong === null && sample.type === 'results_kept' && place[0] === 'unitData') continue;
        if (wrong === null && place.at(-1) === 'resolution') continue;
        // A round that has no result.
        if (wrong === null && place.at(-2) === 'results') continue;
        if (Array.isArray(wrong) && place.at(-1) === 'results') continue;
        // A file of code that is not there.
        if (wrong === null && place.at(-2) === 'code') continue;
        // A person may write anything into a document.
        if (place.at(-1) === 'found') continue;
        const changed = changedAt(sample, place, wrong);
        expect(classifyEvent(changed), `${place.join('.')} = ${JSON.stringify(wrong)}`).toBe('malformed');
      }
    }
  });

  test('with a number that JSON cannot say is malformed', () => {
    expect(classifyEvent({ ...samples.attempt_interrupted, ms: Number.NaN })).toBe('malformed');
  });

  test.each(signed)('%s says who decided; earlier versions said less', (type) => {
    const sample: object = samples[type];
    for (const who of [{}, { by: 'ann' }, { by: 'ann', host: 'h', channel: 'script', agent: 'Codex' }])
      expect(classifyEvent({ ...sample, ...who })).toBe('known');
    for (const wrong of [{ by: 7 }, { host: null }, { channel: 'telepathy' }, { agent: ['Codex'] }])
      expect(classifyEvent({ ...sample, ...wrong })).toBe('malformed');
  });

  test('may name a guard that only another version knows', () => {
    expect(classifyEvent({ ...samples.override_used, guard: 'moon-phase' })).toBe('known');
    expect(classifyEvent({ ...samples.results_kept, guard: 'moon-phase' })).toBe('known');
  });

  test('may have fields that are not known here', () => {
    expect(classifyEvent({ ...samples.run_resumed, more: 1 })).toBe('known');
  });

  test.each(['run_paused', 'constructor', '__proto__', ''])('of the type %j is unknown', (type) => {
    expect(classifyEvent({ type })).toBe('unknown-type');
  });

  test('without a type is malformed', () => {
    expect(classifyEvent({})).toBe('malformed');
    expect(classifyEvent({ type: 1 })).toBe('malformed');
  });

  test('has one of the listed types', () => {
    expect([...eventTypes].sort()).toEqual(Object.keys(samples).sort());
  });
});

/** Paths of all members at any depth. */
function placesIn(value: object, above: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, member]) => {
    const here = [...above, key];
    return typeof member === 'object' && member !== null ? [here, ...placesIn(member, here)] : [here];
  });
}

function changedAt(value: object, place: readonly string[], to: unknown): object {
  const copy = structuredClone(value) as Record<string, unknown>;
  let at = copy;
  for (const key of place.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[place.at(-1) ?? ''] = to;
  return copy;
}
