import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { expectSound } from '../support/library.ts';
import { has, read, workspaceWith } from '../support/workspace.ts';

const crowd = 50;
const ids = Array.from({ length: crowd + 1 }, (_, at) => `t${String(at).padStart(3, '0')}`);
const manifest = `
pawl: 1
pipeline: crowd
units: ${JSON.stringify(ids)}
phases:
  work: { run: { agent: worker } }
`;

interface Handed {
  readonly task?: { readonly unit: string };
}

describe('a crowd that asks at once', { timeout: 120_000 }, () => {
  it('is handed another task each, by what was remembered for the first', async () => {
    const workspace = workspaceWith(manifest);
    expect((await pawl(workspace, 'run')).code).toBe(75);
    await pawlJson(workspace, 'next', '--actor', 'first');
    const [, plannedBefore] = read(workspace, '.pawl/next').split('\n');
    const answers = await Promise.all(
      Array.from({ length: crowd }, (_, at) => pawlJson<Handed>(workspace, 'next', '--actor', `a${at}`)),
    );
    expect(new Set(answers.map(({ task }) => task?.unit)).size).toBe(crowd);
    const lines = read(workspace, '.pawl/next').trimEnd().split('\n');
    // Nobody has made a plan since, and nothing is left of the first one.
    expect(JSON.parse(lines[1] ?? '').at).toBe(JSON.parse(plannedBefore ?? '').at);
    expect(lines).toHaveLength(3);
    await expectSound(workspace);
  });

  it('is answered the same without it', async () => {
    const [quick, slow] = [workspaceWith(manifest), workspaceWith(manifest)];
    for (const workspace of [quick, slow]) {
      expect((await pawl(workspace, 'run')).code).toBe(75);
      await pawl(workspace, 'next', '--actor', 'first');
    }
    rmSync(join(slow.root, '.pawl/next'));
    const [one, other] = [
      await pawl(quick, 'next', '--actor', 'ann'),
      await pawl(slow, 'next', '--actor', 'ann'),
    ];
    const plain = (text: string) =>
      text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d{8}-\d{4}-\S{10}/g, 'T');
    expect(plain(one.stdout)).toBe(plain(other.stdout));
    expect(one.stdout).toContain('t001/work');
    expect(has(slow, '.pawl/next')).toBe(true);
  });
});
