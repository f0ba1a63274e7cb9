import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ValidationRow } from '../../src/engine/observe/task-answers.ts';
import { type Finished, pawl, pawlJson, pawlProcess } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import { copyOf, read, stepsCalled, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/** Spec and ADR are done; the program that makes the code was killed with the runner when one of two files was there. */
let killed: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  killed = await killedHalfway(manifest);
});

beforeEach(() => {
  work = copyOf(killed);
});

describe('before it goes on, resume says what it has looked at', () => {
  it('and how that is: of a run that was killed, a partial output', async () => {
    const resumed = await pawl(work, 'resume');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(table(resumed)).toBe(
      [
        '✓ sources     as recorded  3 files',
        '✓ artifacts   as recorded  2 files',
        '~ unfinished  partial      a/code: outputs/one',
        '                           → runs again from the start',
        '✓ checks      passed       1 file',
        '· questions   none         nobody was asked anything',
      ].join('\n'),
    );
    expect(resumed.stderr.indexOf('Validation:')).toBeLessThan(resumed.stderr.indexOf('a/code started'));
    expect(stepsCalled(work)).toEqual(['a/code']);
  });

  it('and the same as data', async () => {
    const { resumed, finished } = await pawlJson<Resumed>(work, 'resume');
    expect(finished.code).toBe(0);
    expect(resumed.validation.map(({ check, result, count }) => [check, result, count])).toEqual([
      ['sources', 'ok', 3],
      ['artifacts', 'ok', 2],
      ['unfinished', 'partial', 1],
      ['checks', 'ok', 1],
      ['questions', 'none', 0],
    ]);
    expect(resumed.validation[2]).toMatchObject({
      of: 1,
      subjects: [
        {
          unit: 'a',
          phase: 'code',
          attempt: 1,
          files: [`${runFolder(work)}/attempts/a/code/1/outputs/one`],
        },
      ],
      follows: { code: 'runs-again' },
    });
  });

  it('and that what is left is handed on, where the manifest says so', async () => {
    const partial = await killedHalfway(manifest.replace('  code:\n', '  code:\n    again: continue\n'));
    const resumed = await pawl(partial, 'resume');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(table(resumed)).toContain('→ the next attempt goes on with it');
    expect(read(partial, 'specs/a/two.md')).toBe('continue\n');
  });
});

describe('an artifact of a phase that is done', () => {
  it('that is missing makes it incomplete, and it runs again', async () => {
    rmSync(join(work.root, 'specs/a/adr.md'));
    const resumed = await pawl(work, 'resume');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(table(resumed)).toContain(
      '✗ artifacts   missing      specs/a/adr.md\n                           → incomplete: adr runs again',
    );
    expect(stepsCalled(work)).toEqual(['a/adr', 'a/code']);
  });

  it('that fails its check makes it incomplete as well', async () => {
    write(work, 'specs/a/adr.md', 'nothing of the kind\n');
    const { resumed, finished } = await pawlJson<Resumed>(work, 'resume');
    expect(finished.code).toBe(0);
    expect(resumed.validation.filter(({ check }) => check === 'checks')).toEqual([
      {
        check: 'checks',
        result: 'damaged',
        count: 1,
        of: 1,
        subjects: [
          { path: 'specs/a/adr.md', unit: 'a', phase: 'adr', detail: expect.stringContaining('/adr/') },
        ],
        follows: { code: 'runs-again' },
      },
    ]);
    expect(stepsCalled(work)).toEqual(['a/adr', 'a/code']);
  });

  it('that was edited and passes its check is refused, and the table is told all the same', async () => {
    write(work, 'specs/a/adr.md', 'a better adr\n');
    const refused = await pawl(work, 'resume');
    expect(refused.code).toBe(4);
    expect(table(refused)).toContain(
      '≠ artifacts   edited       specs/a/adr.md\n                           → nothing is run before it is settled:\n                               pawl plan',
    );
    expect(refused.stderr).not.toContain('Continuing');
    const { resumed, finished } = await pawlJson<Resumed>(work, 'resume');
    expect(finished.code).toBe(4);
    expect(resumed.validation).toContainEqual({
      check: 'artifacts',
      result: 'changed',
      count: 1,
      of: 2,
      subjects: [{ path: 'specs/a/adr.md', unit: 'a', phase: 'adr' }],
      follows: { code: 'refused' },
    });
    expect(stepsCalled(work)).toEqual([]);
    const forced = await pawl(work, 'resume', '--force-resume', '--reason', 'agreed');
    expect(forced.code, forced.stderr).toBe(0);
    expect(table(forced)).toContain('→ goes on all the same: an option allows it');
    expect(stepsCalled(work)).toEqual(['a/code']);
  });
});

describe('a file that results were made from', () => {
  it('and that has changed is asked about; what was decided is told', async () => {
    write(work, 'idea.md', 'another idea\n');
    const asked = await pawl(work, 'resume');
    expect(asked.code, asked.stderr).toBe(3);
    expect(table(asked)).toContain(
      '≠ sources     changed      idea.md\n                           → a person has to',
    );
    const { resumed, finished } = await pawlJson<Resumed>(work, 'resume');
    expect(finished.code).toBe(3);
    expect(resumed.validation[0]).toMatchObject({
      check: 'sources',
      result: 'changed',
      subjects: [{ path: 'idea.md', id: 'C1' }],
      follows: { code: 'asks-person' },
    });
    expect(resumed.validation.at(-1)).toMatchObject({
      check: 'questions',
      result: 'asks',
      subjects: [{ id: 'C1' }],
    });
    expect(stepsCalled(work)).toEqual([]);
    expect((await pawl(work, 'approve', 'C1', '--keep')).code).toBe(0);
    const decided = await pawl(work, 'resume');
    expect(decided.code, decided.stderr).toBe(0);
    expect(table(decided)).toContain('→ what was made is kept, as decided (C1)');
    expect(table(decided)).toContain('✓ questions   decided      C1 idea.md changed approved');
    expect(stepsCalled(work)).toEqual(['a/code']);
  });

  it('may be the spec itself, though a phase has made it', async () => {
    write(work, 'specs/a/spec.md', 'my own spec\n');
    const asked = await pawl(work, 'resume');
    expect(asked.code, asked.stderr).toBe(3);
    expect(table(asked)).toContain('≠ sources     changed      specs/a/spec.md');
    expect(table(asked)).toContain('✓ artifacts   as recorded  1 of 2 files');
  });
});

interface Resumed {
  readonly resumed: { readonly validation: readonly ValidationRow[] };
}

/** The section of the report. */
function table({ stderr }: Finished): string {
  return /\nValidation:\n(.*?)\n\n/s.exec(stderr)?.[1] ?? stderr;
}

async function killedHalfway(definition: string): Promise<TestWorkspace> {
  const made = workspaceWith(definition, { 'idea.md': 'an idea\n', 'half.mjs': half });
  const run = await pawlProcess(made, 'run');
  expect(run.signal, run.stderr).toBe('SIGKILL');
  expect(stepsCalled(made)).toEqual(['a/spec', 'a/adr', 'a/code']);
  return made;
}

/** Writes the first of its outputs and ends the runner; the second time it writes both. */
const half = `
import { readFileSync, writeFileSync } from 'node:fs';
import { noteCall } from './door.mjs';

const { unit, phase, attempt, mode, outputs } = JSON.parse(readFileSync(process.env.PAWL_TASK, 'utf8'));
noteCall(unit.id, phase, attempt, 1);
writeFileSync(outputs.one, 'one\\n');
if (attempt === 1) process.kill(process.ppid, 'SIGKILL');
else writeFileSync(outputs.two, mode + '\\n');
`;

const manifest = `
pawl: 1
pipeline: feature
channels: [terminal, script]
inputs:
  idea: { path: idea.md, on_change: ask }
units: [a]
phases:
  spec:
    run: { command: [node, tool.mjs], env: { TEST_CALLS: $TEST_CALLS } }
    inputs: { idea: idea }
    outputs: { spec: { path: "specs/{unit}/spec.md", on_edit: ask } }
  adr:
    run: { command: [node, tool.mjs], env: { TEST_CALLS: $TEST_CALLS } }
    inputs: { spec: spec.spec }
    outputs: { adr: { path: "specs/{unit}/adr.md", check: { regex: adr } } }
  code:
    run: { command: [node, half.mjs], env: { TEST_CALLS: $TEST_CALLS } }
    inputs: { adr: adr.adr }
    outputs: { one: "specs/{unit}/one.md", two: "specs/{unit}/two.md" }
`;
