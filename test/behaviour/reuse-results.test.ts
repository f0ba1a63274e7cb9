import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Finished, pawl, pawlJson } from '../support/command.ts';
import { eventsIn, type RawEvent } from '../support/journal.ts';
import { copyOf, edit, has, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/* A result of another run is taken instead of being made again, where it was made from exactly the same. */

const manifest = (top = '', phase = '') => `
pawl: 1
pipeline: pages
${top}
inputs: { style: style.css }
units: [{ id: home, title: Home }, { id: faq, title: FAQ }]
phases:
  draft:
    run: { command: [sh, draft.sh] }
    prompt: draft.md
    params: { words: 100 }
    inputs: { style: style }
    outputs: { text: "out/{unit}.txt" }
${phase}
  page:
    run: { function: page.mjs#page }
    inputs: { text: draft.text }
    outputs: { html: "out/{unit}.html" }
`;

/** Each phase notes its call, and reports what it cost. */
const files = {
  'style.css': 'p {}\n',
  'draft.md': 'Write about {{ unit.title }}.\n',
  'draft.sh': `echo "$PAWL_UNIT/draft" >> calls
printf '{"cost_usd":0.1}' > "$PAWL_RESULT"
cat "$PAWL_PROMPT" > "$PAWL_OUTPUT_TEXT"
chmod +x "$PAWL_OUTPUT_TEXT"
`,
  'page.mjs': `import { appendFileSync } from 'node:fs';
export function page(task) {
  appendFileSync('calls', task.unit.id + '/page\\n');
  return { html: '<p>' + task.inputs.text.text() };
}
`,
};

function workspace(top = '', phase = ''): TestWorkspace {
  return workspaceWith(manifest(top, phase), files);
}

/** What was run since the last look. */
function called(work: TestWorkspace): string[] {
  if (!has(work, 'calls')) return [];
  const lines = read(work, 'calls').trimEnd().split('\n').toSorted();
  rmSync(join(work.root, 'calls'));
  return lines;
}

const all = ['faq/draft', 'faq/page', 'home/draft', 'home/page'];

const fresh = (work: TestWorkspace, ...args: string[]) =>
  pawl(work, 'run', '--fresh', '--replace-existing', ...args);

/** Folders of runs, the oldest first. */
function runs({ root }: TestWorkspace): string[] {
  const folders = readdirSync(join(root, '.pawl/runs')).map((name) => `.pawl/runs/${name}`);
  return folders.toSorted(
    (a, b) => statSync(join(root, a)).birthtimeMs - statSync(join(root, b)).birthtimeMs,
  );
}

function succeededIn(work: TestWorkspace, run: string): RawEvent[] {
  return eventsIn(work, run).filter(({ type }) => type === 'attempt_succeeded');
}

describe('run --reuse', () => {
  let work: TestWorkspace;
  let plan: Finished;
  let second: Finished;
  let first: string;

  beforeAll(async () => {
    work = workspace();
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(called(work)).toEqual(all);
    first = runs(work)[0]?.slice('.pawl/runs/'.length) ?? '';
    plan = await pawl(work, 'run', '--fresh', '--replace-existing', '--reuse', '--dry-run');
    second = await fresh(work, '--reuse');
  }, 60_000);

  it('takes the results of another run and runs nothing', () => {
    expect(second.code, second.stderr).toBe(0);
    expect(called(work)).toEqual([]);
    expect(second.stderr).toContain(`home/draft reused from ${first} home/draft#1`);
    expect(second.stderr).toContain(`home/page reused from ${first} home/page#1`);
    expect(second.stdout).toContain('4 reused from other runs');
    expect(read(work, 'out/home.html')).toContain('Write about Home.');
    expect(statSync(join(work.root, 'out/home.txt')).mode & 0o100).toBe(0o100);
    const [, newest = ''] = runs(work);
    expect(
      succeededIn(work, newest).find(({ unit, phase }) => `${unit}/${phase}` === 'home/draft'),
    ).toMatchObject({
      reused: `${first} home/draft#1`,
      saved: { usd: 0.1 },
    });
    expect(succeededIn(work, newest).some(({ cost }) => cost !== undefined)).toBe(false);
  });

  it('is counted as free in the plan', () => {
    expect(plan.stdout).toContain(`draft of home and faq: reused from run ${first}, nothing is run or paid`);
    expect(plan.stdout).toContain('2 to reuse from other runs');
    expect(plan.stdout).not.toContain('2 to run');
  });

  it('shows where the results come from', async () => {
    expect((await pawl(work, 'status')).stdout).toContain(`reused: 4 steps of run ${first}`);
    expect((await pawl(work, 'why', 'home/page')).stdout).toContain(`reused from ${first} home/page#1`);
    expect((await pawl(work, 'logs', 'home/page')).stdout).toContain(`reused from ${first} home/page#1`);
    expect((await pawl(work, 'inspect')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      `reused from ${first} home/page#1`,
    );
    const { units } = await pawlJson<{ units: { cells: { reused?: string }[] }[] }>(work, 'status');
    expect(units[0]?.cells.map(({ reused }) => reused)).toEqual([
      `${first} home/draft#1`,
      `${first} home/page#1`,
    ]);
    const { total } = await pawlJson<{ total: { spent: object; saved: { usd?: number } } }>(work, 'cost');
    expect(total).toMatchObject({ spent: {}, saved: { usd: 0.2 } });
    expect((await pawl(work, 'verify')).code).toBe(0);
  });

  it('names the run that made a result, however often it was taken', async () => {
    const third = await fresh(work, '--reuse');
    expect(third.stderr).toContain(`home/page reused from ${first} home/page#1`);
    expect(called(work)).toEqual([]);
  });

  it('runs what it asked to re-run, and not its dependents where the bytes are the same', async () => {
    const again = await pawl(work, 'run', '--reuse', '--rerun-from', 'draft', '--reason', 'dull');
    expect(again.code, again.stderr).toBe(0);
    expect(called(work)).toEqual(all);
  });

  it('works in a copy of the workspace, and without the flag only where the manifest says so', async () => {
    const copy = copyOf(work);
    expect((await fresh(copy, '--reuse')).code).toBe(0);
    expect(called(copy)).toEqual([]);
    expect((await fresh(copy)).code).toBe(0);
    expect(called(copy)).toEqual(all);
    write(copy, 'pawl.yaml', manifest('reuse: content', '    reuse: never'));
    expect((await fresh(copy)).code).toBe(0);
    expect(called(copy)).toEqual(['faq/draft', 'home/draft']);
    expect((await fresh(copy, '--no-reuse')).code).toBe(0);
    expect(called(copy)).toEqual(all);
  });
});

describe('a result of another run', () => {
  it('is not taken where anything that it was made from differs', async () => {
    const work = workspace('reuse: content');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(called(work)).toEqual(all);
    const changes: readonly (readonly [string, string, string, readonly string[]])[] = [
      ['draft.md', 'Write about', 'Say something of', all],
      ['style.css', 'p {}', 'p { margin: 0 }', ['faq/draft', 'home/draft']],
      ['draft.sh', 'chmod +x', 'chmod  +x', ['faq/draft', 'home/draft']],
      ['page.mjs', 'task.unit.id +', 'task.unit.id  +', ['faq/page', 'home/page']],
      ['pawl.yaml', 'words: 100', 'words: 200', ['faq/draft', 'home/draft']],
      ['pawl.yaml', 'title: FAQ', 'title: Questions', ['faq/draft', 'faq/page']],
    ];
    for (const [path, from, to, expected] of changes) {
      edit(work, path, from, to);
      expect((await fresh(work)).code).toBe(0);
      expect(called(work), `${from} becomes ${to}`).toEqual(expected);
    }
    // Back to what one of the runs had.
    edit(work, 'pawl.yaml', 'title: Questions', 'title: FAQ');
    expect((await fresh(work)).code).toBe(0);
    expect(called(work)).toEqual([]);
  });

  it('is not taken where the own file of a unit differs', async () => {
    const work = workspaceWith(
      `
pawl: 1
pipeline: sources
reuse: content
units: { glob: "src/*.md" }
phases:
  page: { run: { command: [sh, page.sh] }, outputs: { html: "out/{unit}.html" } }
`,
      {
        'src/a.md': 'A\n',
        'src/b.md': 'B\n',
        'page.sh': 'echo "$PAWL_UNIT/page" >> calls; cp "$PAWL_INPUT_FILE" "$PAWL_OUTPUT_HTML"\n',
      },
    );
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(called(work)).toEqual(['a/page', 'b/page']);
    write(work, 'src/b.md', 'B, changed\n');
    expect((await fresh(work)).code).toBe(0);
    expect(called(work)).toEqual(['b/page']);
  });

  it('is not taken where its code was not recorded', async () => {
    const untracked = 'reuse: content\ncode: ignore';
    const work = workspace(untracked);
    expect((await pawl(work, 'run')).code).toBe(0);
    called(work);
    write(work, 'pawl.yaml', manifest('reuse: content'));
    expect((await fresh(work)).code).toBe(0);
    expect(called(work)).toEqual(all);
  });

  it('is made again where its bytes are gone or its check turns them down', async () => {
    const work = workspace('reuse: content');
    const checked = manifest('reuse: content').replace(
      'outputs: { html: "out/{unit}.html" }',
      'outputs: { html: { path: "out/{unit}.html", check: { command: [sh, check.sh, "{file}"] } } }',
    );
    write(work, 'pawl.yaml', checked);
    write(work, 'check.sh', 'exit 0\n');
    expect((await pawl(work, 'run')).code).toBe(0);
    called(work);
    // Says no to the first file that it sees, as a check does whose ground has changed.
    write(work, 'check.sh', 'if mkdir refused 2>/dev/null; then exit 1; fi\n');
    const third = await fresh(work);
    expect(third.code, third.stdout).toBe(0);
    expect(called(work)).toHaveLength(1);
    rmSync(join(work.root, '.pawl/objects'), { recursive: true });
    expect((await fresh(work)).code).toBe(0);
    expect(called(work)).toEqual(all);
  });

  it('is taken for the first round of a gate only, and is asked about again', async () => {
    const work = workspaceWith(
      `
pawl: 1
pipeline: gated
channels: [terminal, script]
reuse: content
units: [a]
phases:
  draft: { run: { command: [sh, draft.sh] }, outputs: { text: "out/{unit}.txt" } }
  judge:
    run: { command: [sh, judge.sh] }
    inputs: { text: draft.text }
    outputs: { report: "out/{unit}.json" }
    gate: { score: report.score, bar: 1, back_to: draft, iterations: 3 }
    checkpoint: Approval
`,
      {
        'draft.sh':
          'echo "$PAWL_UNIT/draft$PAWL_ITERATION" >> calls; echo "$PAWL_ITERATION" > "$PAWL_OUTPUT_TEXT"\n',
        'judge.sh': `echo "$PAWL_UNIT/judge$PAWL_ITERATION" >> calls
if grep -q 1 "$PAWL_INPUT_TEXT"; then echo '{"score":0}'; else echo '{"score":1}'; fi > "$PAWL_OUTPUT_REPORT"
`,
      },
    );
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(called(work)).toEqual(['a/draft1', 'a/draft2', 'a/judge1', 'a/judge2']);
    expect((await pawl(work, 'approve', 'C1')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect((await fresh(work)).code).toBe(3);
    expect(called(work)).toEqual(['a/draft2', 'a/judge2']);
  });
});

it('refuses reuse for what is claimed and done outside', async () => {
  const work = workspaceWith(`
pawl: 1
pipeline: crew
units: [a]
phases:
  do: { run: { task: executor }, reuse: content, outputs: { text: "out/{unit}.txt" } }
`);
  const { code, stdout, stderr } = await pawl(work, 'run');
  expect(code).toBe(2);
  expect(stdout + stderr).toContain('phases.do.reuse');
});
