import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { edit, has, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

let work: TestWorkspace;

beforeEach(() => {
  work = workspaceWith(manifest, { 'phases.mjs': phases, 'draft.md': 'Greetings from {{ unit.town }}.' });
});

describe('a module that is missing', () => {
  const told =
    'pawl.yaml:7:22: phases.draft.run.function: there is no file phase.mjs; did you mean phases.mjs?';

  it.each([['run'], ['plan'], ['doctor']])(
    'is told of by %s before anything is done, with its place',
    async (command) => {
      edit(work, 'pawl.yaml', './phases.mjs#draft', './phase.mjs#draft');
      const { code, stdout, stderr } = await pawl(work, command);
      expect(code).toBe(command === 'doctor' ? 1 : 2);
      expect(`${stdout}${stderr}`).toContain(told);
      expect(has(work, '.pawl')).toBe(false);
    },
  );

  it('is told of in a run that was begun, while there is something that needs it', async () => {
    edit(work, 'phases.mjs', 'export const draft =', 'export const drafted =');
    expect((await pawl(work, 'run')).code).toBe(1);
    rmSync(join(work.root, 'phases.mjs'));
    for (const command of ['run', 'plan']) {
      const { code, stderr } = await pawl(work, command);
      expect(code).toBe(2);
      expect(stderr).toContain('phases.draft.run.function: there is no file phases.mjs');
    }
    write(work, 'phases.mjs', phases);
    expect((await pawl(work, 'run')).code).toBe(0);
    // What is done needs nothing.
    rmSync(join(work.root, 'phases.mjs'));
    expect((await pawl(work, 'run')).code).toBe(0);
  });

  it('is left to the phase that needs it where one before it may make it', async () => {
    edit(work, 'pawl.yaml', './phases.mjs#polish', './phase.mjs#polish');
    expect((await pawl(work, 'doctor')).stdout).toContain('phase.mjs');
    const { code, stdout } = await pawl(work, 'run');
    expect(code).toBe(1);
    expect(stdout).toContain('oslo/polish failed: the function could not be loaded');
    expect(has(work, 'drafts/oslo.md')).toBe(true);
  });

  it('is no trouble where a phase before it makes it', async () => {
    edit(work, 'pawl.yaml', 'run: { function: ./phases.mjs#draft }', 'run: { command: [node, build.mjs] }');
    edit(work, 'pawl.yaml', './phases.mjs#polish', './dist/polish.mjs#polish');
    write(work, 'build.mjs', build);
    expect((await pawl(work, 'plan')).code).toBe(0);
    const { code, stderr } = await pawl(work, 'run');
    expect(stderr).not.toContain('could not be loaded');
    expect(code).toBe(0);
  });
});

describe('a function that is missing', () => {
  it('is told with the one that was meant, and how to go on', async () => {
    edit(work, 'pawl.yaml', '#draft', '#drft');
    const { code, stdout } = await pawl(work, 'run');
    expect(code).toBe(1);
    expect(stdout).toContain('(phases.mjs exports no function drft; did you mean draft?)');
    expect(stdout).toContain(
      'to mend it: export a function of that name, or correct the name in the manifest',
    );
    const logs = await pawl(work, 'logs', 'oslo/draft');
    expect(logs.stdout).toContain('phases.mjs exports no function drft; did you mean draft?');
  });

  it('is told with those that there are', async () => {
    edit(work, 'pawl.yaml', '#draft', '#compose');
    expect((await pawl(work, 'run')).stdout).toContain(
      '(phases.mjs exports no function compose; it exports draft, polish)',
    );
  });
});

it('a function that throws is told with the places of its own module alone', async () => {
  edit(work, 'phases.mjs', '({ text: task.prompt.text })', 'task.none.text');
  const { stdout } = await pawl(work, 'run');
  expect(stdout).toMatch(/ \| TypeError: .+\n {4}\| {5}at .*phases\.mjs:1:\d+\)?\n {4}log:/);
});

describe('a module with a slip', () => {
  const slip = 'export const a = 1;\nexport const b = ;\n';

  it.each([
    ['itself', { 'phases.mjs': slip }, 'phases.mjs:2:18'],
    ['what it imports', { 'phases.mjs': 'import "./below.mjs";\n', 'below.mjs': slip }, 'below.mjs:2:18'],
    [
      'a name that it imports',
      { 'phases.mjs': '\nimport { none } from "./below.mjs";\n', 'below.mjs': 'export const a = 1;' },
      'phases.mjs:2:10',
    ],
  ])('is told with the place, and without a wall of frames: %s', async (_, files, place) => {
    for (const [path, text] of Object.entries(files)) write(work, path, text);
    const { code, stdout } = await pawl(work, 'run');
    expect(code).toBe(1);
    expect(stdout).toContain(`oslo/draft failed: the function could not be loaded (${place})`);
    expect(stdout).toMatch(/ \| SyntaxError: .+\n {4}log:/);
  });

  it('is told the same way of a manifest in code', async () => {
    rmSync(join(work.root, 'pawl.yaml'));
    write(work, 'pawl.config.mjs', slip);
    const { code, stderr } = await pawl(work, 'plan');
    expect(code).toBe(2);
    expect(stderr).toContain("could not be loaded: pawl.config.mjs:2:18: Unexpected token ';'");
  });
});

it('a variable that no unit has is told of before anything is done', async () => {
  write(work, 'draft.md', 'Greetings\nfrom {{ unit.twon }}.');
  for (const command of ['plan', 'run']) {
    const { code, stderr } = await pawl(work, command);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'draft.md:2:9: phases.draft.prompt: there is no variable unit.twon; did you mean unit.town?',
    );
  }
  expect(has(work, '.pawl')).toBe(false);
});

it('a template that is missing is told of by plan as by run', async () => {
  rmSync(join(work.root, 'draft.md'));
  const [plan, run] = [await pawl(work, 'plan'), await pawl(work, 'run')];
  expect(plan.code).toBe(2);
  expect(plan.stderr).toBe(run.stderr);
});

const manifest = `pawl: 1
pipeline: cards
units: [{ id: oslo, town: Oslo }]
phases:
  draft:
    prompt: draft.md
    run: { function: ./phases.mjs#draft }
    outputs: { text: "drafts/{unit}.md" }
  polish: { run: { function: ./phases.mjs#polish }, inputs: { text: draft.text }, outputs: { card: "cards/{unit}.md" } }
`;

const phases = [
  'export const draft = (task) => ({ text: task.prompt.text });',
  'export const polish = (task) => ({ card: task.inputs.text.text() });',
  '',
].join('\n');

const build = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist');
writeFileSync('dist/polish.mjs', 'export const polish = () => ({ card: "made" });');
writeFileSync(process.env.PAWL_OUTPUT_TEXT, 'built');
`;
