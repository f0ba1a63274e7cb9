import { expect, test } from 'vitest';
import type { Hash } from '../base/hash.ts';
import type { MigrateAnswer } from '../engine/brief/answers.ts';
import { migrateText } from './brief.ts';
import { plainStyle } from './style/style.ts';

const side = { path: 'O.yaml', hash: `sha256:${'a'.repeat(64)}` as Hash };
const answer: MigrateAnswer = {
  path: 'O.yaml',
  from: 1,
  changes: [{ code: 'reshaped', path: 'agent_summaries' }],
  contradictions: [],
  warnings: [],
  kept: [],
  problems: [],
  diff: { title: 'O.yaml', before: side, after: side, lines: [] },
  isWritten: true,
};
const problems: MigrateAnswer['problems'] = [
  { path: 'decision_log[0].id', problem: 'not-a-decision-id' },
  { path: 'compaction_events.events[1].trigger\u202e', problem: 'not-one-of' },
  { path: '', problem: 'missing' },
];

function lastLines(of: Partial<MigrateAnswer>, lines = 1): string[] {
  return migrateText({ ...answer, ...of }, plainStyle)
    .split('\n')
    .slice(-lines);
}

test('a migration that leaves nothing to mend is good', () => {
  expect(lastLines({})).toEqual(['✓ O.yaml: version 1 to 2, 1 change (reshaped); written']);
  expect(lastLines({ diff: undefined })).toEqual(['✓ O.yaml is of version 2 already; nothing to change']);
});

test('what a migration could not mend is told, and nothing of it looks good', () => {
  expect(lastLines({ problems }, 4)).toEqual([
    '! decision_log[0].id is not a decision id',
    '! compaction_events.events[1].trigger\\u{202e} is not one of its possible values',
    '! the section is missing',
    '! O.yaml: version 1 to 2, 1 change (reshaped); written; 3 problems left for you to fix',
  ]);
  expect(lastLines({ problems, isWritten: false })).toEqual([
    '! O.yaml: version 1 to 2, 1 change (reshaped); 3 problems left for you to fix; nothing was written. Add --write to write it',
  ]);
  expect(lastLines({ problems: problems.slice(0, 1), diff: undefined }, 2)).toEqual([
    '! decision_log[0].id is not a decision id',
    '! O.yaml is of version 2 already; nothing to change; 1 problem left for you to fix',
  ]);
});
