import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { events, eventsOf } from '../support/journal.ts';
import { calls, has, stepsCalled, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

interface Planned {
  readonly exitCode: number;
  readonly selection: { readonly needed: readonly string[]; readonly blocked: readonly object[] };
  readonly plan: {
    readonly units: readonly {
      readonly cells: readonly { unit: string; phase: string; decision: { do: string } }[];
    }[];
  };
}

interface Ran {
  readonly exitCode: number;
  readonly reason?: string;
  readonly selection: { readonly selected: number; readonly done: number; readonly left: number };
}

let work: TestWorkspace;

/** What a plan says will run, now or when it is known whether it has to. */
async function planned(...options: string[]): Promise<string[]> {
  const { plan } = await pawlJson<Planned>(work, 'plan', ...options);
  const moving = new Set(['run', 'wait']);
  return plan.units
    .flatMap(({ cells: steps }) => steps)
    .filter(({ decision }) => moving.has(decision.do))
    .map(({ unit, phase }) => `${unit}/${phase}`)
    .sort();
}

describe('a run of selected steps', () => {
  beforeEach(() => {
    work = workspaceWith(book, files);
  });

  it('starts these and what they wait for, as planned, and says how to do the rest', async () => {
    const options = ['--unit', 'p[12]', '--unit', 'p4,!p2', '--phase', 'lint'];
    expect(await planned(...options)).toEqual(['p1/draft', 'p1/lint', 'p4/draft', 'p4/lint']);
    const { stdout } = await pawl(work, 'plan', ...options);
    expect(stdout).toContain('needed   draft of p1 and p4: the selected steps wait for them');
    expect((await pawl(work, 'run', '--dry-run', ...options)).stdout).toBe(stdout);
    expect(calls(work)).toEqual([]);
    const ran = await pawl(work, 'run', ...options);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('2 of 2 selected steps done');
    expect(ran.stdout.trimEnd()).toMatch(/to do the rest:\s+pawl run$/);
    expect(stepsCalled(work).sort()).toEqual(['p1/draft', 'p1/lint', 'p4/draft', 'p4/lint']);
    expect(eventsOf(work, 'run_ended')).toMatchObject([{ status: 'stopped' }]);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work, 4).sort()).toEqual(['all/bind', 'p2/draft', 'p2/lint', 'p3/draft', 'p3/lint']);
  });

  it('writes nothing where the selected steps are done, also when other outputs are gone', async () => {
    expect((await pawl(work, 'run')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    rmSync(`${work.root}/out/p2.draft`);
    const before = events(work).length;
    const done = await pawlJson<Ran>(work, 'run', '--unit', 'p1');
    expect(done).toMatchObject({
      exitCode: 0,
      kind: 'unchanged',
      selection: { selected: 2, done: 2, left: 3 },
    });
    const said = await pawl(work, 'run', '--unit', 'p1');
    expect(said.stdout).toContain('2 of 2 selected steps done; nothing to do');
    expect(said.stdout).toContain('3 left outside the selection');
    expect(events(work)).toHaveLength(before);
    expect(has(work, 'out/p2.draft')).toBe(false);
    expect(await planned('--unit', 'p2')).toEqual(['p2/draft', 'p2/lint']);
    expect((await pawl(work, 'run', '--unit', 'p2')).code).toBe(0);
    expect(has(work, 'out/p2.draft')).toBe(true);
  });

  it('takes all makers of a fan-in with it, or none with --no-deps', async () => {
    const blocked = await pawl(work, 'run', '--unit', 'all', '--no-deps');
    expect(blocked.code).toBe(1);
    expect(blocked.stdout.trimEnd()).toMatch(/to run what they wait for too:\s+pawl run --unit all$/);
    expect(blocked.stdout).toContain(
      'blocked  bind of all: p1/draft is not done, and --no-deps leaves it out',
    );
    expect(calls(work)).toEqual([]);
    const plan = await pawlJson<Planned>(work, 'plan', '--unit', 'all', '--no-deps');
    expect(plan.selection.blocked).toEqual([
      { unit: 'all', phase: 'bind', by: 'p1/draft', because: 'no-deps' },
    ]);
    expect((await pawl(work, 'run', '--unit', '!p3')).code).toBe(0);
    expect(stepsCalled(work)).not.toContain('all/bind');
    expect(stepsCalled(work).filter((step) => step.startsWith('p3'))).toEqual([]);
    const before = calls(work).length;
    expect((await pawl(work, 'run', '--unit', 'all')).code).toBe(0);
    expect(stepsCalled(work, before)).toEqual(['p3/draft', 'p3/lint', 'all/bind']);
  });

  it('stops after --until, and after the first units with --limit', async () => {
    expect((await pawl(work, 'run', '--until', 'draft', '--limit', '2')).code).toBe(0);
    expect(stepsCalled(work).sort()).toEqual(['p1/draft', 'p2/draft']);
    expect((await pawl(work, 'run', '--limit', '1')).code).toBe(0);
    expect(stepsCalled(work, 2)).toEqual(['p1/lint']);
    expect(await planned('--until', 'lint')).toEqual([
      'p2/lint',
      'p3/draft',
      'p3/lint',
      'p4/draft',
      'p4/lint',
    ]);
  });

  it('discards with --rerun-from only what is selected, and runs only that', async () => {
    expect((await pawl(work, 'run', '--unit', 'p*')).code).toBe(0);
    const before = calls(work).length;
    const options = ['--rerun-from', 'draft', '--unit', 'p1', '--unit', 'p3'];
    expect(await planned(...options)).toEqual(['p1/draft', 'p1/lint', 'p3/draft', 'p3/lint']);
    expect((await pawl(work, 'run', ...options)).code).toBe(0);
    expect(stepsCalled(work, before).sort()).toEqual(['p1/draft', 'p1/lint', 'p3/draft', 'p3/lint']);
    expect(eventsOf(work, 'results_superseded')).toMatchObject([
      { steps: ['p1/draft', 'p1/lint', 'p3/draft', 'p3/lint'] },
    ]);
    // However it is narrowed: what no one selected is not paid again.
    const discarded = async (...typed: string[]) => {
      expect((await pawl(work, 'run', ...typed)).code).toBe(0);
      return eventsOf(work, 'results_superseded').at(-1)?.steps;
    };
    expect(await discarded('--rerun-all', '--limit', '1')).toEqual(['p1/draft', 'p1/lint']);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(await discarded('--rerun-from', 'draft', '--phase', 'bind')).toEqual(['all/bind']);
  });

  it('reports a change of other steps, and refuses one of its own', async () => {
    expect((await pawl(work, 'run', '--unit', 'p1,p2')).code).toBe(0);
    write(work, 'lint.md', 'Look closer.\n');
    const other = await pawl(work, 'run', '--unit', 'p3', '--phase', 'draft');
    expect(other.code).toBe(0);
    expect(other.stdout).toContain('1 change outside the selection (2 steps)');
    expect(stepsCalled(work, 4)).toEqual(['p3/draft']);
    const own = await pawl(work, 'run', '--unit', 'p1', '--max-usd', '2');
    expect(own.code).toBe(4);
    // What is pasted changes no more than was meant.
    expect(own.stderr).toContain('pawl run --unit p1 --max-usd 2 --rerun-changed --reason ');
    // The whole book waits for the pages.
    expect((await pawl(work, 'plan', '--unit', 'all')).code).toBe(4);
    const one = await pawl(work, 'run', '--unit', 'p1', '--rerun-changed', '--reason', 'closer');
    expect(one.code).toBe(0);
    expect(stepsCalled(work, 5)).toEqual(['p1/lint']);
    expect((await pawl(work, 'run')).code).toBe(4);
  });

  it('refuses a unit that does not exist, and makes no run for it', async () => {
    const wrong = await pawl(work, 'run', '--unit', 'p1,pp2');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('no unit matches pp2; did you mean p2');
    expect((await pawl(work, 'run', '--failed')).code).toBe(5);
    expect((await pawl(work, 'run', '--jobs', 'many')).code).toBe(2);
    expect(has(work, '.pawl')).toBe(false);
  });

  it('runs as many steps at once as --jobs says', async () => {
    expect((await pawl(work, 'run', '-j', '1', '--unit', 'p*')).code).toBe(0);
    const steps = events(work).flatMap(({ type }) =>
      /^attempt_(started|succeeded)$/.test(type) ? [type] : [],
    );
    expect(steps).not.toEqual([]);
    expect(steps).toEqual(steps.map((_, at) => (at % 2 === 0 ? 'attempt_started' : 'attempt_succeeded')));
  });
});

describe('run --failed', () => {
  it('gives failed steps a new set of attempts, on record, and starts nothing else', async () => {
    work = workspaceWith(failing);
    expect((await pawl(work, 'run', '--unit', 'a,b', '--phase', 'draft')).code).toBe(1);
    expect(calls(work).filter(({ cell: step }) => step === 'b/draft')).toHaveLength(2);
    const again = await pawl(work, 'run', '--failed', '--reason', 'new paper');
    expect(again.code).toBe(0);
    expect(stepsCalled(work, 3)).toEqual(['b/draft', 'b/draft']);
    expect(eventsOf(work, 'override_used')).toMatchObject([
      { guard: 'rerun-requested', flag: '--failed', reason: 'new paper', facts: { steps: 1 } },
    ]);
    expect(again.stdout).toContain('1 of 1 selected step done');
    const { stdout } = await pawl(work, 'run', '--failed');
    expect(stdout).toContain('no step is selected; nothing to do');
  });
});

describe('run --failed of a gate', () => {
  it('gives a loop that was given up a new set of rounds', async () => {
    work = workspaceWith(loop.replace('[fail, pass]', '[fail]'));
    expect((await pawl(work, 'run', '--unit', 'a')).code).toBe(1);
    expect(calls(work)).toHaveLength(6);
    expect((await pawl(work, 'run', '--unit', 'a')).code).toBe(1);
    expect(calls(work)).toHaveLength(6);
    expect((await pawl(work, 'run', '--failed')).code).toBe(1);
    expect(stepsCalled(work, 6)).toEqual(stepsCalled(work).slice(0, 6));
  });
});

describe('run --outdated', () => {
  it('makes selected outdated results again, and their consumers only where the bytes differ', async () => {
    work = workspaceWith(book, files);
    expect((await pawl(work, 'run')).code).toBe(0);
    write(work, 'prompt.md', 'Write it anew.\n');
    const one = await pawl(work, 'run', '--unit', 'p1', '--keep-changed', '--reason', 'a comma');
    expect(one.stdout).toContain('2 of 2 selected steps done, 1 outdated (kept); nothing to do');
    expect((await pawl(work, 'run', '--keep-changed', '--reason', 'a comma')).code).toBe(0);
    const before = calls(work).length;
    expect(await planned('--outdated', '--unit', 'p1')).toEqual(['p1/draft', 'p1/lint']);
    expect((await pawl(work, 'run', '--outdated', '--unit', 'p1')).code).toBe(0);
    expect(stepsCalled(work, before)).toEqual(['p1/draft', 'p1/lint']);
    expect(eventsOf(work, 'override_used').at(-1)).toMatchObject({ flag: '--outdated', facts: { steps: 1 } });
  });

  it('leaves consumers alone where the bytes are the same', async () => {
    work = workspaceWith(constant, { 'prompt.md': 'one\n' });
    expect((await pawl(work, 'run')).code).toBe(0);
    write(work, 'prompt.md', 'two\n');
    expect((await pawl(work, 'run', '--keep-changed', '--reason', 'same')).code).toBe(0);
    expect(await planned('--outdated')).toEqual(['u/make', 'u/use']);
    expect((await pawl(work, 'run', '--outdated')).code).toBe(0);
    expect(eventsOf(work, 'attempt_started').map(({ phase }) => phase)).toEqual(['make', 'use', 'make']);
    expect(await planned('--outdated')).toEqual([]);
  });
});

describe('run --max-usd', () => {
  it('starts nothing more once this call has spent so much, asks no one, and can be resumed', async () => {
    work = workspaceWith(paid, { 'paid.mjs': paidModule });
    const first = await pawl(work, 'run', '--max-usd', '0.9');
    expect(first.code).toBe(3);
    expect(first.stdout).toContain('this call of pawl run spent $1.00 of --max-usd 0.9');
    expect(first.stdout.trimEnd()).toMatch(/to go on:\s+pawl run --max-usd 0.9$/);
    expect(eventsOf(work, 'attempt_succeeded')).toHaveLength(2);
    expect(eventsOf(work, 'checkpoint_asked')).toEqual([]);
    const second = await pawlJson<Ran>(work, 'run', '--max-usd', '0.5');
    expect(second).toMatchObject({ exitCode: 3, reason: 'spending-limit', spending: { usd: 0.5 } });
    expect((await pawl(work, 'run', '--max-usd', '2')).code).toBe(0);
    expect(eventsOf(work, 'attempt_succeeded')).toHaveLength(4);
  });
});

describe('what a selected step waits for', () => {
  it('are the units before it in a chain', async () => {
    work = workspaceWith(chain, { 'seed.json': '{"count":0,"log":[]}' });
    expect(await planned('--unit', 'b', '--phase', 'write')).toEqual(['a/commit', 'a/write', 'b/write']);
    expect((await pawl(work, 'run', '--until', 'write')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/write']);
    expect((await pawl(work, 'run', '--unit', 'b', '--phase', 'write')).code).toBe(0);
    expect(stepsCalled(work, 1)).toEqual(['a/commit', 'b/write']);
    const before = calls(work).length;
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work, before)).toEqual(['b/commit', 'c/write', 'c/commit']);
  });

  it('are the rounds of its loop, and no person is asked about others', async () => {
    work = workspaceWith(loop);
    expect((await pawl(work, 'run', '--unit', 'a', '--phase', 'judge')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/draft', 'a/judge', 'a/draft', 'a/judge']);
    expect(eventsOf(work, 'checkpoint_asked')).toEqual([]);
    expect((await pawl(work, 'run', '--unit', 'a')).code).toBe(3);
    expect(eventsOf(work, 'checkpoint_asked')).toHaveLength(1);
  });
});

const files = { 'prompt.md': 'Write it.\n', 'lint.md': 'Look.\n' };

const book = `
pawl: 1
pipeline: book
pace: { concurrency: 4 }
stages:
  - name: pages
    units: [p1, p2, p3, p4]
    phases:
      draft:
        run: { function: ./phases.mjs#step }
        prompt: prompt.md
        outputs: { text: 'out/{unit}.draft' }
      lint:
        inputs: { text: draft.text }
        run: { function: ./phases.mjs#step }
        prompt: lint.md
        outputs: { text: 'out/{unit}.lint' }
  - name: whole
    units: [all]
    phases:
      bind:
        inputs: { texts: { from: draft.text, of: every } }
        run: { function: ./phases.mjs#step }
        outputs: { text: 'out/{unit}.book' }
`;

const failing = `
pawl: 1
pipeline: failing
pace: { concurrency: 1 }
units: [a, b]
phases:
  draft:
    run: { command: [sh, -c, 'echo "$PAWL_UNIT draft $PAWL_ATTEMPT 1" >> "$TEST_CALLS"; (test $PAWL_UNIT = a || test "$PAWL_ATTEMPT" -gt 3) && echo x > "$PAWL_OUTPUT_TEXT"'], env: { TEST_CALLS: $TEST_CALLS } }
    retries: { attempts: 2, backoff: 1ms }
    outputs: { text: 'out/{unit}.txt' }
  lint:
    inputs: { text: draft.text }
    run: { function: ./phases.mjs#step }
    outputs: { text: 'out/{unit}.lint' }
`;

const constant = `
pawl: 1
pipeline: constant
units: [u]
phases:
  make:
    run: { command: [sh, -c, 'echo same > "$PAWL_OUTPUT_TEXT"'] }
    prompt: prompt.md
    outputs: { text: 'out/{unit}.txt' }
  use:
    inputs: { text: make.text }
    run: { command: [sh, -c, 'cp "$PAWL_INPUT_TEXT" "$PAWL_OUTPUT_TEXT"'] }
    outputs: { text: 'out/{unit}.use' }
`;

const paid = `
pawl: 1
pipeline: paid
pace: { concurrency: 1 }
units: [a, b, c, d]
phases:
  buy:
    run: { function: ./paid.mjs#buy }
    outputs: { text: 'out/{unit}.txt' }
`;

const paidModule = `
export const buy = (task) => {
  task.cost({ usd: 0.5 });
  return { text: task.unit.id };
};
`;

const chain = `
pawl: 1
pipeline: chain
state: { path: state.json, initial: seed.json, snapshots: 'state/{unit}.json' }
units: { list: [a, b, c], order: chain }
phases:
  write:
    state: read
    run: { function: ./phases.mjs#step }
    outputs: { text: 'out/{unit}.txt' }
  commit:
    state: write
    run: { function: ./phases.mjs#commit }
    outputs: { text: 'out/{unit}.log' }
`;

const loop = `
pawl: 1
pipeline: loop
pace: { concurrency: 1 }
units: { list: [{ id: a, verdicts: [fail, pass] }, { id: b }] }
phases:
  draft:
    run: { function: ./phases.mjs#step }
    inputs: { report: judge.report }
    outputs: { text: 'out/{unit}.txt' }
  judge:
    inputs: { text: draft.text }
    run: { function: ./phases.mjs#judge }
    outputs: { report: 'out/{unit}.json' }
    gate: { verdict: report.status, pass: [pass], back_to: draft, iterations: 3, then: stop }
  publish:
    inputs: { text: draft.text }
    needs: [judge]
    checkpoint: { name: Publish, when: before }
    run: { function: ./phases.mjs#step }
    outputs: { text: 'out/{unit}.final' }
`;
