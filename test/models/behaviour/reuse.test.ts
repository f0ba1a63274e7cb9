import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, pawlJson } from '../../support/command.ts';
import { copyOf, read, type TestWorkspace, write } from '../../support/workspace.ts';
import type { ModelServer } from '../server.ts';
import { answer, asking, inTurn, manifest, of, refuse, serve, unitAsked, workspaceFor } from '../support.ts';

/* The same call is paid once: whichever unit, run or order asks for it. */

const cold: JsonObject = { use: 'local/writer', temperature: 0 };
const priced: JsonObject = { prices: { 'local/writer': { input: 1000, output: 1000 } } };
const usage = { input: 10, output: 5 };
const usd = 0.015;
/** What is said hangs on the unit's field, and not on its name. */
const files = { 'prompt.md': 'Say {{ unit.word }}.\n' };

function words(...list: string[]): JsonObject[] {
  return list.map((word, at) => ({ id: `u${at + 1}`, word }));
}

interface Total {
  readonly calls: number;
  readonly spent: { readonly usd?: number };
  readonly saved: { readonly usd?: number };
}

async function totalOf(workspace: TestWorkspace, ...args: string[]): Promise<Total> {
  return (await pawlJson<{ total: Total }>(workspace, 'cost', ...args)).total;
}

describe('an answer at temperature 0', () => {
  let server: ModelServer;
  let workspace: TestWorkspace;
  let first: Finished;
  let asked: number;

  beforeAll(async () => {
    server = await serve((asked) => answer(`${unitAsked(asked)}!`, { usage }));
    const text = asking({ model: cold }, { units: words('yes', 'no', 'yes'), models: priced });
    workspace = workspaceFor(server, text, files);
    first = await pawl(workspace, 'run');
    asked = server.asked.length;
  }, 60_000);

  it('is asked for once where two units say the same', async () => {
    expect(first.code, first.stderr).toBe(0);
    expect(server.asked.slice(0, 2).map(unitAsked)).toEqual(['yes', 'no']);
    expect(asked).toBe(2);
    expect(read(workspace, 'out/u3.md')).toBe('yes!\n');
    const [reused] = of(workspace, 'attempt_succeeded', 'u3/write');
    expect(reused?.call).toMatchObject({
      model: 'local/writer',
      reused: expect.stringMatching(/ u1\/write#1$/),
      saved: { usd },
    });
    expect(reused?.cost).toBeUndefined();
    expect(await totalOf(workspace)).toMatchObject({ calls: 2, spent: { usd: usd * 2 }, saved: { usd } });
  });

  it('is not asked for by another run, nor in another order of the units', async () => {
    const before = server.asked.length;
    const copy = copyOf(workspace);
    expect((await pawl(copy, 'run', '--fresh')).code).toBe(0);
    const text = asking(
      { model: cold },
      { units: words('no', 'yes'), models: priced, identity: { of: 'b' } },
    );
    write(copy, 'pawl.yaml', text);
    expect((await pawl(copy, 'run')).code).toBe(0);
    expect(server.asked).toHaveLength(before);
    expect(read(copy, 'out/u1.md')).toBe('no!\n');
    expect(await totalOf(copy)).toMatchObject({ calls: 0, spent: {}, saved: { usd: usd * 2 } });
  });

  it('is asked for anew with --no-reuse, for this once', async () => {
    const before = server.asked.length;
    const copy = copyOf(workspace);
    expect((await pawl(copy, 'run', '--fresh', '--no-reuse')).code).toBe(0);
    expect(server.asked.slice(before).map(unitAsked)).toEqual(['yes', 'no', 'yes']);
    expect((await pawl(copy, 'run', '--fresh')).code).toBe(0);
    expect(server.asked).toHaveLength(before + 3);
  });

  it('is asked for anew by another model, parameter, system prompt or attached file', async () => {
    const before = server.asked.length;
    const copy = copyOf(workspace);
    const phase = (name: string, more: JsonObject): JsonObject => ({
      prompt: 'prompt.md',
      outputs: { text: `out/{unit}.${name}.md` },
      ...more,
    });
    const phases = {
      write: phase('same', { model: cold }),
      other: phase('other', { model: { use: 'local/other', temperature: 0 } }),
      longer: phase('longer', { model: { ...cold, max_tokens: 9 } }),
      system: phase('system', { model: cold, prompt: { system: 'system.md', phase: 'prompt.md' } }),
      file: phase('file', { model: { ...cold, attach: ['notes'] }, inputs: { notes: 'notes' } }),
    };
    write(copy, 'system.md', 'Be brief.\n');
    write(copy, 'notes.md', 'Something.\n');
    const more = { units: words('yes'), identity: { of: 'others' }, inputs: { notes: 'notes.md' } };
    write(copy, 'pawl.yaml', manifest(phases, more));
    expect((await pawl(copy, 'run')).code).toBe(0);
    // All but the first.
    expect(server.asked).toHaveLength(before + 4);
  });
});

describe('what is kept of answers', () => {
  it('is proven by its hash: a damaged one is asked for again', async () => {
    const server = await inTurn(answer('first'), answer('second'), answer('third'));
    const workspace = workspaceFor(server, asking({ model: cold }));
    expect((await pawl(workspace, 'run')).code).toBe(0);
    damageAnswers(workspace, 'first');
    expect((await pawl(workspace, 'run', '--fresh')).code).toBe(0);
    expect(server.asked).toHaveLength(2);
    expect(read(workspace, 'out/a.md')).toBe('second\n');
    // The new one is as good as any.
    expect((await pawl(workspace, 'run', '--fresh')).code).toBe(0);
    expect(server.asked).toHaveLength(2);
    expect(read(workspace, 'out/a.md')).toBe('second\n');
  });

  it('is found no more when it is not there, and whatever stands in its place is no answer', async () => {
    const server = await inTurn();
    const workspace = workspaceFor(server, asking({ model: cold }));
    expect((await pawl(workspace, 'run')).code).toBe(0);
    for (const path of filesBelow(join(workspace.root, '.pawl/answers')))
      writeFileSync(path, '{"version":1}');
    expect((await pawl(workspace, 'run', '--fresh')).code).toBe(0);
    expect(server.asked).toHaveLength(2);
  });

  it('is never an error', async () => {
    const server = await inTurn(refuse(400, { message: 'No.' }));
    const workspace = workspaceFor(server, asking({ model: cold }));
    expect((await pawl(workspace, 'run')).code).toBe(1);
    expect((await pawl(workspace, 'run', '--fresh')).code).toBe(0);
    expect(server.asked).toHaveLength(2);
    expect(read(workspace, 'out/a.md')).toBe('answer 2\n');
  });
});

describe('whoever samples', () => {
  it('is asked anew each time, unless the manifest says otherwise', async () => {
    const warm: JsonObject = { use: 'local/writer', temperature: 0.7 };
    const server = await serve(({ prompt }) => answer(prompt));
    const phase = (name: string, more: JsonObject): JsonObject => ({
      prompt: `${name}.md`,
      outputs: { text: `out/{unit}.${name}.md` },
      ...more,
    });
    const phases = {
      plain: phase('plain', { model: 'local/writer' }),
      warm: phase('warm', { model: warm }),
      asked: phase('asked', { model: warm, reuse: 'content' }),
      cold: phase('cold', { model: cold }),
      never: phase('never', { model: cold, reuse: 'never' }),
    };
    const templates = Object.keys(phases).map((name) => [`${name}.md`, `Say ${name}.`]);
    const text = manifest(phases, { units: ['u1', 'u2'] });
    const workspace = workspaceFor(server, text, Object.fromEntries(templates));
    expect((await pawl(workspace, 'run')).code).toBe(0);
    const times = Object.keys(phases).map((name) => [
      name,
      server.asked.filter((one) => unitAsked(one) === name).length,
    ]);
    expect(Object.fromEntries(times)).toEqual({ plain: 2, warm: 2, asked: 1, cold: 1, never: 2 });
  });
});

/** Puts other bytes of the same length in the place of a text, wherever the content store has it. */
function damageAnswers({ root }: TestWorkspace, text: string): void {
  let found = 0;
  for (const path of filesBelow(join(root, '.pawl/objects'))) {
    const bytes = readFileSync(path);
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
      bytes.write('x'.repeat(text.length), at);
      found += 1;
    }
    writeFileSync(path, bytes);
  }
  expect(found).toBeGreaterThan(0);
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
