import { expect, test } from 'vitest';
import type { CheckpointView } from '../../engine/observe/questions.ts';
import { checkpointChoice } from './questions.ts';

test('a question to choose says in its label what it is about, for hints are seen of one line only', () => {
  const view: CheckpointView = {
    id: 'C2',
    question: 'approval',
    name: 'Outline',
    unit: 'home',
    phase: 'outline',
    state: 'waiting',
    askedAt: undefined,
    expires: undefined,
    shown: [],
    channels: ['terminal'],
    redo: undefined,
    decided: undefined,
  };
  expect(checkpointChoice(view)).toEqual({ label: 'C2 Outline (home/outline)' });
  expect(checkpointChoice({ ...view, name: 'budget', unit: '', phase: '' })).toEqual({ label: 'C2 budget' });
});
