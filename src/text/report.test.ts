import { expect, test } from 'vitest';
import type { ReportAnswer } from '../engine/show/page/page-file.ts';
import { reportText } from './report.ts';
import { plainStyle } from './style/style.ts';

const answer: ReportAnswer = {
  heading: {
    run: '20261115-1203-sprites-x7k2',
    pipeline: 'sprites',
    identity: {},
    status: 'completed',
    workspace: '.',
    createdAt: '',
    updatedAt: '',
  },
  path: 'runs/a/report.html',
  bytes: 2048,
  units: { shown: 9, leftOut: 0 },
  pictures: { shown: 1, leftOut: 0 },
};

test('a page: where it is, and what is not in it', () => {
  const text = (more: Partial<ReportAnswer>) => reportText({ ...answer, ...more }, plainStyle);
  expect(text({})).toBe('✓ runs/a/report.html: 9 units, 1 picture, 2 KB');
  expect(text({ units: { shown: 1, leftOut: 2 }, pictures: { shown: 0, leftOut: 1 } })).toBe(
    '✓ runs/a/report.html: 1 unit, 2 units left out, 1 picture left out, 2 KB',
  );
});
