import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/base/hash.ts';
import { pawlJson } from '../support/command.ts';
import { has, projectRoot, read, readJson, type TestWorkspace } from '../support/workspace.ts';
import {
  attemptFile,
  contextOf,
  demoAt,
  expectCode,
  onlyQuestion,
  openDemo,
  specPath,
  started,
  unit,
} from './demo.ts';

const source = 'src/refund-export.ts';

describe('the feature', () => {
  it('goes through ten phases, with four approvals, and is then done', async () => {
    const demo = await openDemo();
    const asked: string[] = [];
    await expectCode(demo, 3, 'run');
    for (const [at, name] of approvals.entries()) {
      const question = await onlyQuestion(demo);
      asked.push(question.name);
      const isLast = at === approvals.length - 1;
      await expectCode(demo, isLast ? 0 : 3, 'approve', question.id, '--note', name, '--continue');
    }
    expect(asked).toEqual(approvals);
    expect(started(demo)).toEqual([
      'spec',
      'clarify',
      'architect',
      'tasks',
      'tdd',
      'programmer',
      'testrunner',
      'programmer',
      'testrunner',
      'code-review',
      'security',
      'refactor',
    ]);
    for (const path of made) expect(has(demo, path), path).toBe(true);
    expectStatusPage(demo);

    const again = await pawlJson(demo, 'run');
    expect(again).toMatchObject({ exitCode: 0, kind: 'unchanged', heading: { status: 'completed' } });
    expect(started(demo)).toHaveLength(12);
    await expectCode(demo, 0, 'verify');
  });

  it('leaves a test that fails, and the programmer goes on from its own code', async () => {
    const demo = await demoAt('Release approval');
    expect(report(demo, 1)).toMatchObject({ status: 'fail', passed: 5, failed: 1, score: 83 });
    expect(report(demo, 2)).toMatchObject({ status: 'pass', passed: 6, failed: 0, failures: [] });

    expect(contextOf(demo, 'programmer', 1)).toMatchObject({ mode: 'fresh', existing: {} });
    expect(contextOf(demo, 'programmer', 2)).toMatchObject({
      mode: 'continue',
      existing: { source: expect.stringMatching(/\/demo\/src\/refund-export\.ts$/) },
      inputs: { report: expect.stringContaining('test-report.json') },
    });
    expect(attemptFile(demo, 'programmer', 1, 'stdout.log')).toContain('(fresh, round 1)');
    expect(attemptFile(demo, 'programmer', 2, 'stdout.log')).toContain(
      '(continue, round 2): gone on from 29 lines',
    );
    const prompt = attemptFile(demo, 'programmer', 2, 'prompt.md');
    expect(prompt).toContain('Go on from what there is, and do not start anew.');
    expect(prompt).toContain('- R2: a quote in a field is doubled: expected');
    expect(attemptFile(demo, 'programmer', 1, 'prompt.md')).not.toContain('do not start anew');

    const first = attemptFile(demo, 'programmer', 1, 'outputs/source').split('\n');
    const second = read(demo, source).split('\n');
    expect(second.filter((line, at) => line !== first[at])).toHaveLength(1);
  });

  it('ends in TypeScript that a compiler has nothing against', async () => {
    const demo = await demoAt('Release approval');
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(projectRoot, 'node_modules/typescript/bin/tsc'),
        ...['--noEmit', '--strict', '--erasableSyntaxOnly', '--allowImportingTsExtensions'],
        ...['--target', 'es2023', '--module', 'nodenext', '--skipLibCheck'],
        ...['--types', 'node', '--typeRoots', join(projectRoot, 'node_modules/@types')],
        ...['test/refund-export.test.ts', 'release/refund-export.ts'],
      ],
      { cwd: demo.root, encoding: 'utf8' },
    );
    expect(stdout).toBe('');
    expect(status).toBe(0);
    expect(read(demo, 'release/refund-export.ts')).not.toBe(read(demo, source));
  });
});

const approvals = ['Spec approval', 'Architecture approval', 'Test approval', 'Release approval'];

const made = [
  `specs/${unit}/spec.draft.md`,
  specPath,
  `specs/${unit}/clarifications.md`,
  `specs/${unit}/research.md`,
  `specs/${unit}/adr.md`,
  `specs/${unit}/tasks.md`,
  'test/refund-export.test.ts',
  source,
  `specs/${unit}/test-report.json`,
  `specs/${unit}/review.json`,
  `specs/${unit}/review.md`,
  `specs/${unit}/security.md`,
  'release/refund-export.ts',
  `specs/${unit}/release.md`,
];

function report(demo: TestWorkspace, attempt: number): unknown {
  return JSON.parse(attemptFile(demo, 'testrunner', attempt, 'outputs/report'));
}

function expectStatusPage(demo: TestWorkspace): void {
  const page = read(demo, `specs/${unit}/.pipeline-state.md`);
  expect(page).toContain(`- **spec_hash**: ${hashBytes(read(demo, specPath))}`);
  expect(page).toContain('- **status**: COMPLETE');
  expect(readJson(demo, `specs/${unit}/test-report.json`)).toMatchObject({ status: 'pass' });
  for (const name of approvals) expect(page).toMatch(new RegExp(`- \\[x\\] ${name} \\(C\\d, by `));
}
