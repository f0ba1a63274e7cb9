import { describe, expect, it } from 'vitest';
import { describeTrouble, type McpProblem } from './problems.ts';

type OfReason = { readonly [Reason in McpProblem['reason']]: Extract<McpProblem, { reason: Reason }> };

/** One of each: a new reason does not compile until it stands here. */
const problems: OfReason = {
  'path-outside': { reason: 'path-outside', path: '../x\u001b[2J' },
  'manifest-is-code': { reason: 'manifest-is-code', path: 'pawl.config.ts' },
  'artifact-not-recorded': { reason: 'artifact-not-recorded', near: ['t1/build note', 't1/build extra'] },
  'which-artifact': { reason: 'which-artifact', candidates: ['t1/build note', 't1/build extra'] },
  'artifact-not-text': { reason: 'artifact-not-text', path: 'a.bin', hash: 'sha256:00', size: 4 },
  'artifact-too-large': { reason: 'artifact-too-large', path: 'a.log', size: 99, sizeMax: 10 },
};

describe('a trouble', () => {
  it('of MCP itself is told in words with a way on', () => {
    const texts = Object.values(problems).map((problem) => describeTrouble(problem).text);
    expect(`\n${texts.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      ../x is not in the workspace of this server
        → give a path relative to the workspace, without links that lead out of it
      pawl.config.ts is a program, and this server never runs one
        → a person works with it in a terminal
        → a manifest in YAML can be used from here
      no attempt of this run has recorded such an artifact
        → there is t1/build note and t1/build extra
      several artifacts match; which one?
        → give unit, phase and output: t1/build note or t1/build extra
      a.bin (4 bytes) is neither text nor a picture
        → it can be opened at its path with a program that knows its type
      a.log has 99 bytes; at most 10 are read from here
        → it can be opened at its path
      "
    `);
  });

  it('of MCP itself is told as data', () => {
    expect(describeTrouble(problems['path-outside'])).toMatchObject({
      exitCode: 4,
      document: {
        ok: false,
        exitCode: 4,
        reason: 'path-outside',
        path: '../x\u001b[2J',
        next: [expect.any(String)],
      },
    });
  });

  it('that says nothing near is told what else to look at', () => {
    const { document } = describeTrouble({ reason: 'artifact-not-recorded', near: [] });
    expect(document).toMatchObject({ next: ['run_status shows which phases are done'] });
  });

  it('of the engine keeps its words, and gets the way on within MCP before them', () => {
    const { text, document, exitCode } = describeTrouble({ reason: 'run-not-found', id: 'x', near: [] });
    expect(text.split('\n')).toEqual([
      '✗ there is no run x',
      '  → to see all runs: pawl runs',
      '  → here: run_list lists all runs',
    ]);
    expect(document).toMatchObject({
      ok: false,
      reason: 'run-not-found',
      id: 'x',
      next: ['here: run_list lists all runs', 'to see all runs: pawl runs'],
    });
    expect(exitCode).toBe(5);
  });

  it.each([
    [{ reason: 'no-such-question', id: 'C9', open: [] } as const, 'checkpoint_list'],
    [
      { reason: 'question-closed', id: 'C1', why: 'expired', decided: undefined, changes: [] } as const,
      'checkpoint_list',
    ],
    [
      { reason: 'channel-closed', id: 'C1', channel: 'mcp', allowed: ['terminal'] } as const,
      'tell the person',
    ],
  ])('%j says where to look or whom to tell', (trouble, words) => {
    expect(describeTrouble(trouble).text.split('\n').at(-1)).toContain(words);
  });

  it.each([
    [{ reason: 'which-run', candidates: [] } as const, '`run`'],
    [{ reason: 'which-workspace', candidates: ['a', 'b'] } as const, '`manifest`'],
    [
      { reason: 'usage', problem: { code: 'needs-flag', flag: 'reject C1', with: '--feedback' } } as const,
      '`note`',
    ],
  ])('%j says what to give', (trouble, argument) => {
    expect(describeTrouble(trouble).text.split('\n').at(-1)).toContain(argument);
  });
});
