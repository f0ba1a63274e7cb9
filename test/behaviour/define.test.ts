import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { expectNothingToDo, library } from '../support/library.ts';
import { tempFolder } from '../support/temp.ts';
import {
  calls,
  projectRoot,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

const packageUrl = pathToFileURL(join(projectRoot, 'dist/index.js')).href;

describe('a pipeline in pawl.config.mjs', () => {
  it('runs its inline functions through the command, and is resumed like any other', async () => {
    const work = codeWorkspace(config('Dear'));
    expect((await pawlKilledAt(work, 'oslo/polish started', 'run')).signal).toBe('SIGKILL');
    const before = calls(work).length;
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work, before)).not.toContain('oslo/draft');
    expect(read(work, 'cards/oslo.md')).toBe('Dear oslo, snow!\n');
    await expectNothingToDo(work);
    expect((await pawl(work, 'why', 'oslo/polish')).code).toBe(0);
  });

  it('is refused with its file when it cannot be loaded, or exports no pipeline', async () => {
    for (const [text, said] of [
      ['export const pipelin = 1;', 'no export named pipeline'],
      ['throw new Error("out of ink");', 'out of ink'],
      ['this is no code', 'pawl.config.mjs'],
    ] as const) {
      const refused = await pawl(codeWorkspace(text), 'run');
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('pawl.config.mjs');
      expect(refused.stderr).toContain(said);
    }
  });

  it('is checked like a manifest', async () => {
    const work = codeWorkspace(
      config('Dear').replace('inputs: { text:', 'inputs: { txet: "draft.nothing", text:'),
    );
    const refused = await pawlJson<{ problems: { code: string; path: string }[] }>(work, 'run');
    expect(refused).toMatchObject({ exitCode: 2, reason: 'manifest-invalid' });
    expect(refused.problems).toMatchObject([{ code: 'unknown-input', path: 'phases.polish.inputs.txet' }]);
  });
});

describe('a pipeline that is given to the library', () => {
  it('runs in a folder that need not exist, says what it does, and answers with values', async () => {
    const { definePipeline, explain, plan, run, status, why, verify, systemEnvironment } = await library();
    // The run makes it.
    const root = join(tempFolder(), 'new/folder');
    const env = { ...systemEnvironment(), stateFolder: tempFolder() };
    const ran: string[] = [];
    const pipeline = definePipeline({
      pawl: 1,
      pipeline: 'sums',
      units: [{ id: 'a', numbers: [1, 2] }, 'b'],
      phases: {
        add: {
          run: (task) => {
            ran.push(`${task.unit.id}/${task.phase}`);
            const numbers = (task.unit.numbers ?? []) as number[];
            return { sum: { total: numbers.reduce((sum, number) => sum + number, 0) } };
          },
          outputs: { sum: { path: 'sums/{unit}.json', check: 'json' } },
        },
      },
    });
    const request = { path: root, pipeline };
    const told: string[] = [];
    const observer = {
      begun: () => void told.push('begun'),
      progress: ({ type }: { type: string }) => void told.push(type),
    };
    expect(await plan(request, env)).toMatchObject({ ok: true, value: { counts: { run: 2 } } });
    const first = await run({ ...request, observer }, env);
    expect(first).toMatchObject({ ok: true, value: { kind: 'new', ran: { succeeded: 2, failed: 0 } } });
    expect(ran.toSorted()).toEqual(['a/add', 'b/add']);
    expect(told).toEqual(
      expect.arrayContaining(['begun', 'attempt-started', 'attempt-succeeded', 'unit-finished']),
    );
    expect(JSON.parse(read({ root, env: {} }, 'sums/a.json'))).toEqual({ total: 3 });

    expect(await run(request, env)).toMatchObject({ ok: true, value: { kind: 'unchanged' } });
    expect(await status(request, env)).toMatchObject({
      ok: true,
      value: { heading: { status: 'completed' } },
    });
    expect(await verify(request, env)).toMatchObject({ ok: true, value: { findings: [] } });
    const unknown = await why({ ...request, cell: 'a/ad' }, env);
    expect(unknown).toMatchObject({ ok: false, failure: { reason: 'usage' } });
    if (!unknown.ok) expect(explain(unknown.failure).message).toContain('a/add');
    expect(ran).toHaveLength(2);
  });
});

function codeWorkspace(text: string): TestWorkspace {
  const work = workspaceWith('');
  const bare: TestWorkspace = { ...work, root: join(work.root, 'code') };
  write(bare, 'pawl.config.mjs', text);
  return bare;
}

function config(greeting: string): string {
  return `import { appendFileSync } from 'node:fs';
import { definePipeline } from ${JSON.stringify(packageUrl)};

const greeting = ${JSON.stringify(greeting)};
const note = (task) => {
  appendFileSync(process.env.TEST_CALLS, \`\${task.unit.id} \${task.phase} \${task.attempt} \${task.iteration}\\n\`);
};

export const pipeline = definePipeline({
  pawl: 1,
  pipeline: 'cards',
  units: { list: [{ id: 'lisbon', weather: 'sun' }, { id: 'oslo', weather: 'snow' }], order: 'chain' },
  phases: {
    draft: {
      run: (task) => {
        note(task);
        return { text: \`\${greeting} \${task.unit.id}, \${task.unit.weather}\` };
      },
      outputs: { text: 'drafts/{unit}.md' },
    },
    polish: {
      run: async (task) => {
        note(task);
        return { card: \`\${task.inputs.text.text()}!\\n\` };
      },
      inputs: { text: 'draft.text' },
      outputs: { card: { path: 'cards/{unit}.md', check: 'non-empty' } },
    },
  },
});
`;
}
