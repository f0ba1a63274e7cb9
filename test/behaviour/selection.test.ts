import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { read, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

interface Steps {
  readonly units: readonly { readonly unit: string; readonly cells: readonly { readonly phase: string }[] }[];
}

let work: TestWorkspace;
beforeAll(async () => {
  work = workspaceWith(manifest, { 'draft.mjs': draft });
  expect((await pawl(work, 'run')).code).toBe(1);
});

/** `unit/phase` of every step that status lists. */
async function listed(...options: string[]): Promise<string[]> {
  const { units } = await pawlJson<Steps>(work, 'status', ...options);
  return units.flatMap(({ unit, cells: steps }) => steps.map(({ phase }) => `${unit}/${phase}`));
}

describe('a selection of steps', () => {
  it('takes globs, classes, comma lists, exclusions, and adds up', async () => {
    expect(await listed('--unit', 'sc00[34]', '--phase', 'draft')).toEqual(['sc003/draft', 'sc004/draft']);
    expect(await listed('--unit', 'sc001,sc002', '--unit', 'cover', '--phase', 'lint')).toEqual([
      'sc001/lint',
      'sc002/lint',
      'cover/lint',
    ]);
    expect(await listed('--unit', '!sc00[!1]', '--until', 'draft')).toEqual(['sc001/draft', 'cover/draft']);
    expect(await listed('--phase', 'dr*', '--limit', '1')).toEqual(['sc003/draft']);
  });

  it('refuses a name that nothing has, and says what is near', async () => {
    const unit = await pawl(work, 'status', '--unit', 'sc001,sc033');
    expect(unit.code).toBe(2);
    expect(unit.stderr).toContain('no unit matches sc033; did you mean sc003');
    const phase = await pawl(work, 'why', '--phase', 'dratf');
    expect(phase.code).toBe(2);
    expect(phase.stderr).toContain('the phases are draft and lint');
    const limit = await pawl(work, 'status', '--limit', '0');
    expect(limit.code).toBe(2);
    expect(limit.stderr).toContain('--limit');
  });

  it('refuses a name that is blank, such as a variable that is not set', async () => {
    for (const [option, value] of [
      ['--unit', ''],
      ['--unit', ' , '],
      ['--phase', '!'],
    ] as const) {
      const blank = await pawl(work, 'run', option, value);
      expect(blank.code).toBe(2);
      expect(blank.stderr).toContain(`${option} '${value}': expected a`);
    }
  });

  it('narrows status with its counts', async () => {
    const { stdout } = await pawl(work, 'status', '--failed');
    expect(stdout).toContain('sc003');
    expect(stdout).not.toContain('sc001');
    expect(stdout).toContain('✗ 1 failed');
    const { byPhase } = await pawlJson<{ byPhase: object[] }>(work, 'status', '--unit', 'sc*');
    expect(byPhase).toMatchObject([
      { phase: 'draft', counts: { succeeded: 3, failed: 1 } },
      { phase: 'lint', counts: { succeeded: 3, pending: 1 } },
    ]);
  });

  it('explains several steps at once, and all parts of one', async () => {
    const { stdout } = await pawl(work, 'why', '--failed');
    expect(stdout).toContain('sc003/draft failed');
    expect(stdout).toContain('no ink for sc003');
    expect(stdout).toContain('pawl why sc003/draft');
    const { steps } = await pawlJson<{ steps: { unit: string }[] }>(work, 'why', '--phase', 'lint');
    expect(steps.map(({ unit }) => unit)).toEqual(['sc001', 'sc002', 'sc003', 'sc004', 'cover']);
    const both = await pawl(work, 'why', 'sc003/draft', '--failed');
    expect(both.code).toBe(2);
  });

  it('narrows logs, inspect, report and cost', async () => {
    const { steps } = await pawlJson<{ steps: { unit: string; phase: string }[] }>(
      work,
      'logs',
      '--unit',
      'sc00[12]',
      '--phase',
      'lint',
    );
    expect(steps.map(({ unit, phase }) => `${unit}/${phase}`)).toEqual(['sc001/lint', 'sc002/lint']);
    const inspected = await pawlJson<{ units: { unit: string; attempts: { phase: string }[] }[] }>(
      work,
      'inspect',
      '--unit',
      'sc001,sc003',
      '--phase',
      'draft',
    );
    expect(inspected.units).toMatchObject([
      { unit: 'sc001', attempts: [{ phase: 'draft' }] },
      { unit: 'sc003', attempts: [{ phase: 'draft' }] },
    ]);
    const report = await pawlJson<{ units: { shown: number } }>(
      work,
      'report',
      '--unit',
      'sc*',
      '-o',
      'r.html',
    );
    expect(report.units.shown).toBe(4);
    expect(read(work, 'r.html')).not.toContain('cover');
    const cost = await pawlJson<{ rows: { name: string }[] }>(work, 'cost', '--by', 'unit', '--unit', '!sc*');
    expect(cost.rows.map(({ name }) => name)).toEqual(['cover']);
    expect((await pawl(work, 'cost', '--unit', 'sc9*')).code).toBe(2);
  });
});

describe('a selection of units that another step lists', () => {
  it('makes the list first, and starts nothing else', async () => {
    const lists = workspaceWith(listing);
    const plan = await pawl(lists, 'plan', '--unit', 't2');
    expect(plan.stdout).toContain('needed   scan of root: the selected steps wait for it');
    expect(plan.stdout).toMatch(/1 to run; to do it:\s+pawl run --unit t2/);
    const ran = await pawl(lists, 'run', '--unit', 't2', '--phase', 'make');
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('1 of 1 selected step done')]);
    expect(eventsOf(lists, 'attempt_started').map(({ unit }) => unit)).toEqual(['root', 't2']);
  });

  it('refuses a name that is not on it, once there is one', async () => {
    const lists = workspaceWith(listing);
    const wrong = await pawl(lists, 'run', '--unit', 't22');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('no unit matches t22; did you mean t2');
    expect(eventsOf(lists, 'attempt_started').map(({ unit }) => unit)).toEqual(['root']);
    expect(eventsOf(lists, 'run_ended')).toMatchObject([{ status: 'stopped' }]);
  });
});

describe('status of many units', () => {
  it('counts the steps of each phase by status, within 80 columns', async () => {
    const many = workspaceWith(manyUnits);
    expect((await pawl(many, 'run')).code).toBe(1);
    const { stdout } = await pawl(many, 'status');
    expect(stdout).toMatch(/by phase +✓ done +✗ failed\na +29 +1\n/);
    const table = stdout
      .split('\n')
      .slice(stdout.split('\n').findIndex((line) => line.startsWith('by phase')));
    for (const line of table.slice(0, 2)) expect(line.length).toBeLessThanOrEqual(80);
  });
});

const manifest = `
pawl: 1
pipeline: postcards
pace: { concurrency: 1 }
units: [sc001, sc002, sc003, sc004, cover]
phases:
  draft:
    run: { function: ./draft.mjs#draft }
    retries: 1
    outputs: { text: 'out/{unit}.txt' }
  lint:
    needs: [draft]
    inputs: { text: draft.text }
    run: { command: [sh, -c, 'cp "$PAWL_INPUT_TEXT" "$PAWL_OUTPUT_REPORT"'] }
    outputs: { report: 'out/{unit}.lint' }
`;

const draft = `
export const draft = (task) => {
  if (task.unit.id === 'sc003') throw new Error('no ink for sc003');
  task.cost({ usd: 0.5 });
  return { text: task.unit.id };
};
`;

const listing = `
pawl: 1
pipeline: lists
stages:
  - name: list
    units: [root]
    phases:
      scan:
        run: { command: [sh, -c, 'echo "{\\"tasks\\":[\\"t1\\",\\"t2\\"]}" > "$PAWL_OUTPUT_GRAPH"'] }
        outputs: { graph: graph.json }
  - name: do
    units: { artifact: scan.graph.tasks }
    phases:
      make:
        run: { command: [sh, -c, 'echo x > "$PAWL_OUTPUT_TEXT"'] }
        outputs: { text: 'out/{unit}.txt' }
      check:
        run: { command: [sh, -c, 'echo x > "$PAWL_OUTPUT_TEXT"'] }
        outputs: { text: 'out/{unit}.chk' }
`;

const manyUnits = `
pawl: 1
pipeline: many
units: { count: 30, id: 'u{index}' }
phases:
  a:
    run: { command: [sh, -c, 'test $PAWL_UNIT != u3 && echo x > "$PAWL_OUTPUT_TEXT"'] }
    retries: 1
    outputs: { text: 'out/{unit}.txt' }
`;
