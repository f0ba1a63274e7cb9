import { describe, expect, it } from 'vitest';
import { created, failed, revision, started, stored, succeeded, timeOf } from '../../test/fixtures/events.ts';
import { hashBytes } from '../base/hash.ts';
import { foldEvents } from '../ledger/fold.ts';
import type { EventBody, PhaseStatics } from '../model/event.ts';
import { runSummary } from './run-summary.ts';
import { unitLedger } from './unit-ledger.ts';

const write: PhaseStatics = {
  definition: hashBytes('definition'),
  templates: {
    system: { path: 'templates/system.md', hash: hashBytes('system') },
    phase: { path: 'templates/write.md', hash: hashBytes('write') },
  },
  files: {},
};
const preState = { hash: hashBytes('state'), path: 'draft/state/u0.json', from: 'u0#1' };
const begin = [created, revision(1, { write })];
const written = [
  started('u/write#1', { prompt: hashBytes('prompt'), preState }),
  succeeded('u/write#1', { prose: 'text', state_patch: '{}' }, { response: hashBytes('answer') }),
];
const show = (...events: EventBody[]) =>
  unitLedger(
    foldEvents(stored([...begin, ...events])),
    'u',
    ['plan', 'write', 'lint'],
    '.pawl/runs/r/attempts',
    'scene_id',
  );

describe('a unit ledger', () => {
  it('has the shape that its readers know', () => {
    expect(show(...written)).toEqual({
      schema_version: 1,
      scene_id: 'u',
      run: '20261115-1200-book-aaaa',
      phases: {
        write: {
          status: 'success',
          timestamp: timeOf(4),
          attempt: 1,
          artifacts: {
            prompt: '.pawl/runs/r/attempts/u/write/1/prompt.md',
            response: '.pawl/runs/r/attempts/u/write/1/response.txt',
            prose: 'draft/u/prose',
            state_patch: 'draft/u/state_patch',
          },
          artifact_hashes: { prose: hashBytes('text'), state_patch: hashBytes('{}') },
          prompt_hash: hashBytes('prompt'),
          template_set: { system: 'templates/system.md', phase: 'templates/write.md' },
          pre_state_hash: hashBytes('state'),
          pre_state_path: 'draft/state/u0.json',
        },
      },
    });
  });

  it('has no entry for a phase that only runs', () => {
    expect(show(started('u/write#1')).phases).toEqual({});
  });

  it('has nothing to say of another unit', () => {
    expect(show(started('v/write#1'), succeeded('v/write#1')).phases).toEqual({});
  });

  it('tells a failure as such', () => {
    expect(show(started('u/write#1'), failed('u/write#1', 'timed-out')).phases).toEqual({
      write: {
        status: 'fail',
        timestamp: timeOf(4),
        attempt: 1,
        error: 'timed-out',
        message: 'it broke',
        artifacts: {},
      },
    });
  });

  it('tells a failure after a result, and the result after the failure', () => {
    const again = [...written, started('u/write#2'), failed('u/write#2')];
    expect(show(...again).phases).toMatchObject({ write: { status: 'fail', attempt: 2 } });
    const mended = [...again, started('u/write#3'), succeeded('u/write#3')];
    expect(show(...mended).phases).toMatchObject({ write: { status: 'success', attempt: 3 } });
  });

  it('has one entry for a phase however often it was tried, in the order of the phases', () => {
    const tries = [1, 2, 3, 4].flatMap((n) => [
      started(`u/lint#${n}@${n}`),
      succeeded(`u/lint#${n}@${n}`, { report: `${n}` }, { verdict: n === 4 ? 'pass' : 'fail' }),
    ]);
    const { phases } = show(...tries, ...written);
    expect(Object.keys(phases as object)).toEqual(['write', 'lint']);
    expect(phases).toMatchObject({
      lint: { attempt: 4, iteration: 4, verdict: 'pass', artifact_hashes: { report: hashBytes('4') } },
    });
  });

  it('records a change of prompt with both hashes and its reason', () => {
    const superseded: EventBody = {
      type: 'results_superseded',
      steps: ['u/write'],
      because: 'prompt-changed',
      reason: 'clearer voice',
    };
    const rerun = [started('u/write#2', { prompt: hashBytes('prompt 2') }), succeeded('u/write#2')];
    expect(show(...written, superseded, ...rerun).phases).toMatchObject({
      write: {
        prompt_hash: hashBytes('prompt 2'),
        prompt_hash_prev: hashBytes('prompt'),
        prompt_hash_new: hashBytes('prompt 2'),
        prompt_update_reason: 'clearer voice',
      },
    });
  });

  it('says nothing of prompts where there are none', () => {
    const entry = (show(started('u/plan#1'), succeeded('u/plan#1')).phases as Record<string, object>).plan;
    expect(Object.keys(entry ?? {})).toEqual([
      'status',
      'timestamp',
      'attempt',
      'artifacts',
      'artifact_hashes',
    ]);
  });
});

describe('a run summary', () => {
  it('says what the run is and where its journal stood', () => {
    const ledger = foldEvents(
      stored([created, { type: 'run_ended', status: 'stopped' }, { type: 'run_resumed', boot: 'b' }]),
    );
    expect(runSummary(ledger, { epoch: 2, seq: 3 })).toEqual({
      schema_version: 1,
      run: '20261115-1200-book-aaaa',
      pipeline: 'book',
      identity: { book: 'ember' },
      manifest: 'pawl.yaml',
      status: 'running',
      created_at: timeOf(1),
      updated_at: timeOf(3),
      resumes: 1,
      journal: { epoch: 2, seq: 3 },
    });
    expect(
      runSummary(foldEvents(stored([created, { type: 'run_ended', status: 'completed' }])), {
        epoch: 1,
        seq: 2,
      }).status,
    ).toBe('completed');
  });
});
