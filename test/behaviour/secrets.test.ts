import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connect, textOf } from '../mcp/client.ts';
import { type Answer, pawl, pawlJson } from '../support/command.ts';
import { edit, has, read, type TestWorkspace, withEnv, workspaceWith, write } from '../support/workspace.ts';

// Put together here: the text of a test is no place for anything that looks like a key, either.
const token = `ghp_${'a1B2'.repeat(9)}`;
const literal: readonly (readonly [name: string, key: string])[] = [
  ['an Anthropic key', `sk-ant-api03-${'Zz9_'.repeat(8)}`],
  ['an API key', `sk-${'a1B2'.repeat(8)}`],
  // Cut into short parts by hyphens, as long keys are.
  ['an API key', `sk-proj-${'zsXxF9WtuWxb-AqP4c-MAig8NJs-'.repeat(3)}`],
  ['an API key', `sk-lf-${'62bf3dd0-6801-078b'}-9c99-92f70b0f3917`],
  ['a GitHub token', `github_pat_${'a1B2'.repeat(8)}`],
  ['an AWS access key', `AKIA${'A1B2'.repeat(4)}`],
  ['a Slack token', `xoxb-${'12345678901-'.repeat(2)}abc`],
  ['an access token', `gsk_${'a1B2'.repeat(10)}`],
  ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----`],
  ['a private key', `-----BEGIN PGP ${'PRIVATE'} KEY BLOCK-----`],
];

const manifest = (word: string) => `
pawl: 1
pipeline: keys
units:
  - { id: a, note: plain }
phases:
  write:
    run: { command: [sh, say.sh, ${word}], env: { K: plain } }
    outputs: { page: "pages/{unit}.md" }
`;

interface Invalid extends Answer {
  readonly problems: readonly { code: string; path: string; place: { line: number; column: number } }[];
}

describe('a key that stands in a manifest', () => {
  it('is refused by its shape wherever it stands, with its place, and never shown', async () => {
    const workspace = workspaceWith(manifest('x'));
    const places: readonly [string, string][] = [
      ['K: plain', 'phases.write.run.env.K'],
      ['note: plain', 'units[0].note'],
      ['say.sh, x', 'phases.write.run.command[1]'],
    ];
    for (const [index, [name, key]] of literal.entries()) {
      const [text = '', path = ''] = places[index % 3] ?? [];
      const written = manifest('x').replace(text, text.replace(/plain|say\.sh/, `"${key}"`));
      write(workspace, 'pawl.yaml', written);
      const before = written.slice(0, written.indexOf(`"${key}"`)).split('\n');
      const refused = await pawl(workspace, 'plan');
      expect(refused.code, name).toBe(2);
      expect(refused.stderr, name).toContain(
        `pawl.yaml:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: `,
      );
      expect(refused.stderr, name).toContain(`${path}: holds what looks like ${name}`);
      expect(refused.stderr, name).toContain('env: { TOKEN: $TOKEN }');
      expect(refused.stdout + refused.stderr, name).not.toContain(key);
      expect(has(workspace, '.pawl'), name).toBe(false);
    }
    // What is wrong beside it shows no line with it.
    write(workspace, 'pawl.yaml', manifest(`"${token}", { x: 1 }`));
    const both = await pawlJson<Invalid>(workspace, 'plan');
    expect(both.problems.map(({ code }) => code)).toContain('literal-secret');
    expect(both.problems.length).toBeGreaterThan(1);
    expect(JSON.stringify(both)).not.toContain(token);
    // The name of a field is written into the lock file, too.
    write(workspace, 'pawl.yaml', manifest('"{unit.nowhere}"').replace('note: plain', `${token}: plain`));
    const named = await pawlJson<Invalid>(workspace, 'plan');
    expect(named.problems.map(({ code, path }) => `${code} ${path}`)).toContain('literal-secret units[0]');
    expect(named.problems.length).toBeGreaterThan(1);
    expect(JSON.stringify(named)).not.toContain(token);
  });

  it('is not seen in words that only begin like one', async () => {
    const words = [
      'sk-circle-fade-dot-animation',
      'task-2026-11-internationalization',
      'ghp_notes',
      'AKIAIN',
    ];
    const workspace = workspaceWith(manifest(words.join(', ')));
    expect((await pawl(workspace, 'plan')).code).toBe(0);
  });

  it('is told of by doctor where a lock file of an earlier version holds it', async () => {
    const workspace = workspaceWith(manifest('x'), { 'say.sh': 'echo hi > "$PAWL_OUTPUT_PAGE"' });
    expect((await pawl(workspace, 'run')).code).toBe(0);
    const [run = ''] = readdirSync(`${workspace.root}/.pawl/runs`).filter((name) => !name.includes('.'));
    edit(workspace, `.pawl/runs/${run}/manifest.lock.json`, '"plain"', `"${token}"`);
    const told = await pawl(workspace, 'doctor');
    expect(told.stdout).toMatch(
      /manifest\.lock\.json holds a GitHub token \(ghp_…\) in clear, at units\[0\]\.note/,
    );
    expect(told.stdout).not.toContain(token);
  });
});

describe('a value of the environment that a step wrote into its output', () => {
  const canary = 'canary-of-the-test-01';

  async function leaked(): Promise<TestWorkspace> {
    const checked = `${manifest('x').replace('K: plain', 'K: $MY_CANARY')}    checkpoint: Page approval\n`;
    const script = 'echo "the key is $K and $T" | tee "$PAWL_OUTPUT_PAGE"\n';
    const files = { 'say.sh': `T=${token}\n${script}` };
    const workspace = withEnv(workspaceWith(checked, files), { MY_CANARY: canary });
    expect((await pawl(workspace, 'run')).code).toBe(3);
    expect(read(workspace, 'pages/a.md')).toContain(canary);
    return workspace;
  }

  it('is shown nowhere: not in report, show, logs, diff or their JSON', async () => {
    const workspace = await leaked();
    const shows = [
      ['show', 'C1'],
      ['logs', 'a/write', '--all'],
      ['inspect', 'a'],
    ];
    for (const call of shows)
      for (const args of [call, [...call, '--json']]) {
        const { stdout, stderr } = await pawl(workspace, ...args);
        expect(stdout + stderr, args.join(' ')).not.toContain(canary);
        expect(stdout + stderr, args.join(' ')).not.toContain(token);
      }
    expect((await pawl(workspace, 'show', 'C1')).stdout).toContain('the key is [MY_CANARY] and [key]');
    await pawl(workspace, 'report', '-o', 'report.html');
    expect(read(workspace, 'report.html')).toContain('the key is [MY_CANARY] and [key]');
    expect(read(workspace, 'report.html')).not.toContain(canary);
    const agent = await connect(workspace, { args: ['--actor', 'ann'] });
    const artifact = textOf(await agent.result('artifact_read', { path: 'pages/a.md' }));
    expect(artifact).toContain('the key is [MY_CANARY] and [key]');
    expect(artifact).not.toContain(canary);
    write(workspace, 'pages/a.md', `edited, ${canary}\n`);
    const diff = await pawl(workspace, 'diff');
    expect(diff.stdout).toContain('edited, [MY_CANARY]');
    expect(diff.stdout).not.toContain(canary);
  });
});
