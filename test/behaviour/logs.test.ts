import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { type TestWorkspace, workspaceWith } from '../support/workspace.ts';

interface Logs {
  readonly attempts: readonly { readonly attempt: number; readonly files: readonly LogFile[] }[];
  readonly others?: readonly number[];
}

interface LogFile {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
  readonly cut: boolean;
}

let work: TestWorkspace;
beforeAll(async () => {
  work = workspaceWith(manifest);
  expect((await pawl(work, 'run')).code).toBe(1);
});

describe('pawl logs', () => {
  it('shows the newest attempt: why it failed, then stderr, then stdout', async () => {
    const { stdout, code } = await pawl(work, 'logs', 'bad/draw');
    expect(code).toBe(0);
    const places = [
      'attempt 2',
      'the command failed (exit code 3)',
      'stderr.log',
      '| paper of bad',
      'stdout.log',
    ];
    const found = places.map((text) => stdout.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found.toSorted((a, b) => a - b)).toEqual(found);
    expect(stdout).not.toContain('attempt 1,');
    expect(stdout).not.toContain('task.json');
    expect(stdout).toContain('1 other attempt:\n      pawl logs bad/draw --attempt all');
    expect(stdout).toContain('pawl logs bad/draw --all');
    // The end of stderr is also the message of the failure, and is shown once.
    expect(stdout.split('jam 9 of bad')).toHaveLength(2);
  });

  it('shows stderr in red where there are colours', async () => {
    const coloured = { ...work, env: { ...work.env, FORCE_COLOR: '1' } };
    const red = `${String.fromCharCode(27)}[31m`;
    const { stdout } = await pawl(coloured, 'logs', 'bad/draw');
    expect(stdout).toContain(`${red}jam 9 of bad`);
    expect(stdout).not.toContain(`${red}line 9 of bad`);
  });

  it('shows the end of each file with --tail', async () => {
    const { attempts } = await pawlJson<Logs>(work, 'logs', 'bad/draw', '--tail', '2');
    expect(attempts[0]?.files).toEqual([
      { name: 'stderr.log', kind: 'error', text: 'jam 8 of bad\njam 9 of bad\n', cut: true },
      { name: 'stdout.log', kind: 'output', text: 'line 8 of bad\nline 9 of bad\n', cut: true },
    ]);
    const wrong = await pawl(work, 'logs', 'bad/draw', '--tail', 'two');
    expect(wrong.code).toBe(2);
  });

  it('shows an older attempt, or all of them', async () => {
    const first = await pawlJson<Logs>(work, 'logs', 'bad/draw', '--attempt', '1');
    expect(first.attempts.map(({ attempt }) => attempt)).toEqual([1]);
    expect(first.others).toEqual([2]);
    const all = await pawlJson<Logs>(work, 'logs', 'bad/draw', '--attempt', 'all');
    expect(all.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    const hint = (await pawl(work, 'logs', 'bad/draw', '--attempt', '1')).stdout;
    expect(hint).toContain('pawl logs bad/draw --attempt 1 --all');
  });

  it('shows what the attempt was started with only with --all', async () => {
    const names = async (...more: string[]) => {
      const { attempts } = await pawlJson<Logs>(work, 'logs', 'good/draw', ...more);
      return attempts[0]?.files.map(({ name }) => name);
    };
    expect(await names()).toEqual(['stderr.log', 'stdout.log']);
    expect(await names('--all')).toEqual(['context.json', 'stderr.log', 'stdout.log', 'task.json']);
  });
});

describe('pawl logs --failed', () => {
  it('shows every step that stands failed, and no other', async () => {
    const { steps } = await pawlJson<{ steps: { unit: string; attempts: { attempt: number }[] }[] }>(
      work,
      'logs',
      '--failed',
    );
    expect(steps).toMatchObject([
      { unit: 'bad', phase: 'draw', attempts: [{ attempt: 2, failure: 'command-failed' }] },
      { unit: 'worse', phase: 'draw', attempts: [{ attempt: 2, failure: 'command-failed' }] },
    ]);
    const { stdout } = await pawl(work, 'logs', '--failed', '--tail', '1');
    expect(stdout).toContain('| jam 9 of bad');
    expect(stdout).toContain('| jam 9 of worse');
    expect(stdout).not.toContain('jam 8');
    expect(stdout).not.toContain('of good');
    expect(stdout).toContain('2 failed steps; the whole log of the first:\n  pawl logs bad/draw');
  });

  it('says so where nothing has failed', async () => {
    const fine = workspaceWith(manifest.replace('[good, bad, worse]', '[good]'));
    expect((await pawl(fine, 'run')).code).toBe(0);
    expect((await pawl(fine, 'logs', '--failed')).stdout).toContain('no step has failed');
  });

  it('is not mixed with a step, and one of both is needed', async () => {
    expect((await pawl(work, 'logs', 'bad/draw', '--failed')).code).toBe(2);
    expect((await pawl(work, 'logs')).stderr).toContain('UNIT/PHASE');
  });
});

const script = [
  'for n in 1 2 3 4 5 6 7; do echo "line $n of $1"; echo "jam $n of $1" >&2; done',
  'echo "paper of $1" >&2',
  'for n in 8 9; do echo "line $n of $1"; echo "jam $n of $1" >&2; done',
  '[ "$1" = good ] || exit 3',
  'echo done > "$PAWL_OUTPUT_TEXT"',
].join('; ');
const manifest = `
pawl: 1
pipeline: logged
units: [good, bad, worse]
phases:
  draw:
    run: { command: [sh, -c, '${script}', sh, "{unit}"] }
    retries: { attempts: 2, backoff: 1ms }
    outputs: { text: "out/{unit}.txt" }
`;
