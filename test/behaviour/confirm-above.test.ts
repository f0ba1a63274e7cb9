import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import {
  copyOf,
  edit,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  withEnv,
  workspaceWith,
  write,
} from '../support/workspace.ts';

const limit = 'confirm_above: { steps: 3 }\n';
const question = '● Cancel';

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, { 'units.yaml': units('snow') });
  expect((await pawl(done, 'run')).code).toBe(0);
});

beforeEach(() => {
  work = copyOf(done);
});

describe('a re-run that only a policy asks for', () => {
  it('runs by itself up to confirm_above, and counts no new unit and no missing output', async () => {
    write(work, 'units.yaml', `${units('snow').replace('a, mood: snow', 'a, mood: fog')}- { id: e }\n`);
    write(work, 'pawl.yaml', read(work, 'pawl.yaml').replace(limit, 'confirm_above: { steps: 2 }\n'));
    const { rm } = await import('node:fs/promises');
    await rm(`${work.root}/out/b-one.txt`);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(expect.arrayContaining(['a/one', 'a/two', 'b/one', 'e/one', 'e/two']));
  });

  it('is refused above it, with complete commands; plan says so, and --yes is no answer', async () => {
    write(work, 'units.yaml', units('fog'));
    const before = hashes(work, '.');
    for (const args of [
      ['run'],
      ['run', '--yes'],
      ['resume', '--rerun-change', 'units.a', '--reason', 'x'],
    ]) {
      const { code, stderr } = await pawl(work, ...args);
      expect(code).toBe(4);
      expect(stderr).toContain('steps would run again, more than confirm_above allows (3 steps, $1.00)');
      expect(stderr).toContain("pawl run --rerun-changed --reason 'units.");
    }
    expect(hashes(work, '.')).toEqual(before);
    const plan = await pawl(work, 'plan');
    expect(plan.stdout).toContain('8 steps would run again, more than confirm_above allows');
    expect(await pawlJson(work, 'run')).toMatchObject({
      ok: false,
      exitCode: 4,
      reason: 'rerun-above',
      limit: { steps: 3, usd: 1 },
      next: expect.arrayContaining([expect.stringContaining('pawl run --keep-changed')]),
    });
  });

  it('runs with --rerun-changed, which is on record and not asked about again after a kill', async () => {
    write(work, 'units.yaml', units('fog'));
    await pawlKilledAt(work, 'b/one succeeded', 'run', '--rerun-changed', '--reason', 'foggy');
    expect(eventsOf(work, 'results_superseded').map(({ reason }) => reason)).toContain('foggy');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(new Set(stepsCalled(work)).size).toBe(8);
    await expectNothingToDo(work);
  });

  it('can be kept instead', async () => {
    write(work, 'units.yaml', units('fog'));
    const { code, stdout } = await pawl(work, 'run', '--keep-changed', '--reason', 'no matter');
    expect(code).toBe(0);
    expect(stdout).toContain('8 outdated (kept)');
    expect(stepsCalled(work)).toEqual([]);
  });

  it('needs no word where the manifest itself says so and there is no terminal', async () => {
    write(work, 'units.yaml', units('fog'));
    edit(work, 'pawl.yaml', 'from: list', 'from: list, on_change: rerun');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toHaveLength(8);
  });

  it.skipIf(!canPretend)('is asked about in a terminal, but not where a flag has answered', async () => {
    work = withEnv(work, { NO_COLOR: '1' });
    write(work, 'units.yaml', units('fog'));
    const before = hashes(work, '.');
    const no = await inTerminal(work, 'run', { question, answer: '\r' }, 80);
    expect(no.code).toBe(4);
    expect(no.screen).toContain('re-run: 8 steps again: one and two of 4 units');
    expect(hashes(work, '.')).toEqual(before);
    edit(work, 'pawl.yaml', 'from: list', 'from: list, on_change: rerun');
    const up = `${String.fromCharCode(27)}[A`;
    const yes = await inTerminal(work, 'run', [
      { question, answer: `${up}${up}${up}\r` },
      { question: 'Why re-run', answer: 'foggy\r' },
    ]);
    expect(yes.code).toBe(0);
    expect(stepsCalled(work)).toHaveLength(8);
    write(work, 'units.yaml', units('rain'));
    const flag = await inTerminal(work, "run --rerun-changed --reason 'rainy'");
    expect(flag.code).toBe(0);
    expect(flag.screen).not.toContain('What now?');
  });
});

function units(mood: string): string {
  return ['a', 'b', 'c', 'd'].map((id) => `- { id: ${id}, mood: ${mood} }\n`).join('');
}

const manifest = `
pawl: 1
pipeline: large
${limit}inputs: { list: units.yaml }
units: { from: list }
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}-one.txt" }
  two:
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}-two.txt" }
`;
