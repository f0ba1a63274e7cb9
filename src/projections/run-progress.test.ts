import { describe, expect, it } from 'vitest';
import { created, revision, stored } from '../../test/fixtures/events.ts';
import { type Hash, hashBytes } from '../base/hash.ts';
import { foldEvents } from '../ledger/fold.ts';
import type { LayoutSpec, Unit } from '../model/definition.ts';
import type { EventBody } from '../model/event.ts';
import { runProgress } from './run-summary.ts';

const layout: LayoutSpec = {
  ledger: undefined,
  run: undefined,
  status: undefined,
  brief: undefined,
  spec: undefined,
  progress: undefined,
  auditLog: undefined,
  unitKey: 'frame',
  doneKey: 'approved',
};
const counted: Unit[] = [3, 4, 5, 6].map((index) => ({ id: `frame_${index}`, data: {}, needs: [], index }));
const named: Unit[] = ['ash', 'oak'].map((id) => ({ id, data: {}, needs: [] }));

function progress(
  units: readonly Unit[],
  done: readonly string[],
  events: EventBody[] = [],
  more: Partial<LayoutSpec> = {},
) {
  const ledger = foldEvents(stored([created, revision(1), ...events]));
  return runProgress(ledger, { ...layout, ...more }, units, (unit) =>
    done.includes(unit) ? 'finished' : 'pending',
  );
}

const ended = (status: (EventBody & { type: 'run_ended' })['status']): EventBody => ({
  type: 'run_ended',
  status,
});

describe('how far a run is', () => {
  it('is told by the indices of counted units', () => {
    expect(progress(counted, ['frame_3', 'frame_5'])).toEqual({
      schema_version: 1,
      run_id: '20261115-1200-book-aaaa',
      run_status: 'in-progress',
      manifest_hash: hashBytes('manifest 1'),
      created_at: '2026-11-15T12:00:01.000Z',
      updated_at: '2026-11-15T12:00:02.000Z',
      resumable: true,
      resume_from_frame: 4,
      approved_frame_indices: [3, 5],
      pending_frame_indices: [4, 6],
      failed_frame_indices: [],
      resume_history: [],
    });
  });

  it('is told by the names of others, in the words of the layout', () => {
    const told = progress(named, ['ash'], [], { unitKey: 'scene', doneKey: 'finished' });
    expect(told).toMatchObject({
      resume_from_scene: 'oak',
      finished_scenes: ['ash'],
      pending_scenes: ['oak'],
    });
    expect(Object.keys(told).filter((key) => key.includes('frame'))).toEqual([]);
  });

  it('is told by names where only some are counted', () => {
    expect(progress([...counted.slice(0, 1), ...named], ['ash'])).toMatchObject({
      resume_from_frame: 'frame_3',
      approved_frames: ['ash'],
      pending_frames: ['frame_3', 'oak'],
    });
  });

  it('is told of unit 0 as of any other', () => {
    const zero: Unit = { id: 'frame_0', data: {}, needs: [], index: 0 };
    expect(progress([zero], [])).toMatchObject({ resume_from_frame: 0, pending_frame_indices: [0] });
    expect(progress([zero], ['frame_0'])).toMatchObject({
      resume_from_frame: null,
      approved_frame_indices: [0],
      pending_frame_indices: [],
    });
  });

  it.each([
    ['completed', false],
    ['failed', false],
    ['cancelled', false],
    ['stopped', true],
    ['paused', true],
    ['waiting_human', true],
  ] as const)('says that a run that ended %s may be resumed: %s', (status, resumable) => {
    expect(progress(counted, [], [ended(status)])).toMatchObject({ run_status: status, resumable });
  });

  it('names the manifest in force', () => {
    expect(progress(named, [], [revision(2)])).toMatchObject({ manifest_hash: hashBytes('manifest 2') });
    expect(runProgress(foldEvents([]), layout, named, () => 'pending')).toMatchObject({
      run_id: '',
      manifest_hash: '',
    });
  });
});

describe('the history of resumes', () => {
  const resumed = (from?: string): EventBody => ({
    type: 'run_resumed',
    boot: 'boot-1',
    ...(from !== undefined && { from }),
  });
  const revision = (number: number, manifest: Hash): EventBody => ({
    type: 'revision_recorded',
    revision: number,
    manifest,
    phases: {},
  });

  it('says from which unit, and whether the manifest was the same', () => {
    const changed = [
      revision(1, 'sha256:aa'),
      resumed('frame_4'),
      resumed('frame_6'),
      revision(2, 'sha256:bb'),
    ];
    const events = [...changed, resumed()];
    expect(progress(counted, [], events).resume_history).toEqual([
      { resumed_at: '2026-11-15T12:00:04.000Z', from_frame: 4, manifest_hash_match: true },
      { resumed_at: '2026-11-15T12:00:05.000Z', from_frame: 6, manifest_hash_match: false },
      { resumed_at: '2026-11-15T12:00:07.000Z', from_frame: null, manifest_hash_match: true },
    ]);
  });

  it('names a unit that is not listed any more as it was called', () => {
    expect(progress(counted, [], [resumed('frame_9')]).resume_history).toMatchObject([
      { from_frame: 'frame_9' },
    ]);
    expect(progress(named, [], [resumed('elm')]).resume_history).toMatchObject([{ from_frame: 'elm' }]);
  });
});
