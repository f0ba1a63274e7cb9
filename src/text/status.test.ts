import { expect, test } from 'vitest';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { StatusAnswer } from '../engine/show/status.ts';
import type { StepStatus } from '../model/status.ts';
import { statusText } from './status.ts';
import { plainStyle } from './style/style.ts';

const at = '2026-11-15T12:03:11.000Z';

const heading: RunHeading = {
  run: '20261115-1203-book-x7k2',
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'stopped',
  workspace: '.',
  createdAt: at,
  updatedAt: at,
};

const statuses: readonly StepStatus[] = [
  'succeeded',
  'running',
  'failed',
  'blocked',
  'waiting_human',
  'interrupted',
  'paused',
  'ready',
  'pending',
  'skipped',
];

function statusOf(units: number, phases: readonly string[]): StatusAnswer {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<StepStatus, number>;
  const rows = Array.from({ length: units }, (_, unit) => ({
    unit: `u${unit}`,
    cells: phases.map((phase, column) => {
      const status = statuses[(unit + column) % statuses.length] as StepStatus;
      counts[status] += 1;
      return {
        phase,
        status,
        iteration: column === 1 ? 2 : 1,
        attempts: 1,
        verdict: column === 1 ? 'pass' : undefined,
      };
    }),
  }));
  const extent = { unitKey: 'unit', doneKey: 'finished', units: [] };
  const none = { refusals: [], notices: [], findings: [] };
  return { heading, phases, units: rows, extent, counts, byPhase: [], holder: undefined, ...none };
}

test('status as a matrix', () => {
  const answer = { ...statusOf(10, ['plan', 'lint', 'commit']), holder: { pid: 7, host: 'mill', since: at } };
  expect(statusText(answer, plainStyle)).toMatchInlineSnapshot(`
    "book (book=ember) 20261115-1203-book-x7k2 stopped, 2026-11-15 12:03:11 UTC
    held by process 7 on mill since 2026-11-15 12:03:11 UTC
        plan  lint       commit
    u0  ✓     » pass r2  ✗
    u1  »     ✗ pass r2  !
    u2  ✗     ! pass r2  ?
    u3  !     ? pass r2  ~
    u4  ?     ~ pass r2  ‖
    u5  ~     ‖ pass r2  ○
    u6  ‖     ○ pass r2  ·
    u7  ○     · pass r2  -
    u8  ·     - pass     ✓
    u9  -     ✓ pass r2  »
    ✓ 3 done, » 3 running, ✗ 3 failed, ! 3 blocked, ? 3 waiting for a person, ~ 3 interrupted, ‖ 3 paused, ○ 3 ready, · 3 pending, - 3 skipped; to go on: pawl run"
  `);
});

test('the units of the largest stage in a row, above the matrix', () => {
  const answer = statusOf(3, ['plan', 'lint']);
  const extent = {
    unitKey: 'frame',
    doneKey: 'approved',
    units: answer.units.map(({ unit }, index) => ({ unit, index, finished: index === 0 })),
  };
  expect(
    statusText({ ...answer, extent }, plainStyle)
      .split('\n')
      .slice(1, 4),
  ).toEqual(['frames  ▪»✗  1 of 3 approved', '    plan  lint', 'u0  ✓     » pass r2']);
  const one = { ...extent, units: extent.units.slice(0, 1) };
  expect(statusText({ ...answer, extent: one }, plainStyle).split('\n')[1]).toBe('    plan  lint');
});

test('status in a narrow terminal: one character a phase', () => {
  const answer = statusOf(2, ['continuity_pack', 'state_repair', 'commit']);
  expect(statusText(answer, { ...plainStyle, width: 40 })).toMatchInlineSnapshot(`
    "book (book=ember) 20261115-1203-book-x7k2 stopped, 2026-11-15 12:03:11 UTC
    phases: continuity_pack, state_repair and commit
    u0  ✓»✗
    u1  »✗!
    ✓ 1 done, » 2 running, ✗ 2 failed, ! 1 blocked; to go on: pawl run"
  `);
});

test('status of very many units shows what is open', () => {
  const answer = statusOf(200, ['plan']);
  const lines = statusText(answer, plainStyle).split('\n');
  expect(lines.filter((line) => line.startsWith('u'))).toHaveLength(50);
  expect(lines.slice(-3)).toEqual([
    '… and 110 more units (--json lists all)',
    '… and 40 finished units',
    '✓ 20 done, » 20 running, ✗ 20 failed, ! 20 blocked, ? 20 waiting for a person, ~ 20 interrupted, ‖ 20 paused, ○ 20 ready, · 20 pending, - 20 skipped; to go on: pawl run',
  ]);
});

test('the last line fits to where the run stands', () => {
  const last = (['running', 'completed', 'failed', 'cancelled', 'paused'] as const).map((status) => {
    const answer = { ...statusOf(1, ['plan']), heading: { ...heading, status } };
    return statusText(answer, plainStyle).split('\n').at(-1);
  });
  expect(last).toEqual([
    '✓ 1 done; it is at work',
    '✓ 1 done',
    '✓ 1 done; it is over for good',
    '✓ 1 done; it is over for good',
    '✓ 1 done; to go on: pawl run',
  ]);
  const refusals = [{ guard: 'in-doubt', unit: 'u0', phase: 'plan', attempt: 1 }] as const;
  const refused = statusText({ ...statusOf(1, ['plan']), refusals }, plainStyle);
  expect(refused.split('\n').at(-1)).toBe('✓ 1 done; run would refuse, see above');
});

test('a run that would start nothing says what does, and not to run it', () => {
  const one = statusOf(1, ['plan']);
  const why = { code: 'attempts-used-up', attempts: 2, failure: 'timed-out' } as const;
  const stuck: StatusAnswer['stuck'] = [{ unit: 'u0', phase: 'plan', why }];
  const lines = statusText({ ...one, stuck }, plainStyle).split('\n');
  expect(lines.slice(-4)).toEqual([
    '✗ u0/plan 2 attempts failed, as many as retries allows; the last one: it took longer than its time limit',
    '    to try again: pawl run --rerun-from plan --unit u0',
    '    log: pawl logs u0/plan',
    '✓ 1 done; run would start nothing by itself, see above',
  ]);
  expect(statusText(one, plainStyle)).toContain('; to go on: pawl run');
});
