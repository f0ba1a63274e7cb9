import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { edit, workspaceWith, write } from '../support/workspace.ts';

interface Listed {
  readonly runs: readonly {
    readonly run: string;
    readonly status: string;
    readonly folder: string;
    readonly units: { readonly done: number; readonly total?: number };
    readonly workedMs: number;
    readonly ageMs: number;
  }[];
}

describe('pawl runs', () => {
  it('lists the newest first, each with its units, time, age and folder', async () => {
    const work = workspaceWith(manifest);
    write(work, 'bad.b', '');
    expect((await pawl(work, 'run')).code).toBe(1);
    rmSync(join(work.root, 'bad.b'));
    expect((await pawl(work, 'run', '--fresh')).code).toBe(0);
    const { runs } = await pawlJson<Listed>(work, 'runs');
    expect(runs).toMatchObject([
      { status: 'completed', units: { done: 2, total: 2 } },
      { status: 'stopped', units: { done: 1, total: 2 } },
    ]);
    for (const { workedMs, ageMs } of runs) expect(ageMs).toBeGreaterThanOrEqual(workedMs);
    expect(runs.map(({ folder }) => folder)).toEqual(runs.map(({ run }) => `.pawl/runs/${run}`));

    const { stdout } = await pawl(work, 'runs');
    expect(stdout).toMatch(/^run +status +units +time +age/);
    const [newer, older] = runs.map(({ run }) => stdout.indexOf(`\n${run} `));
    expect(newer).toBeGreaterThan(0);
    expect(older).toBeGreaterThan(newer ?? 0);
    expect(stdout).toContain(`abandoned: replaced by ${runs[0]?.run}`);
    for (const { folder } of runs) expect(stdout).toContain(folder);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(100);
  });

  it('counts the units of a run of another manifest as far as its journal knows them', async () => {
    const work = workspaceWith(manifest);
    expect((await pawl(work, 'run')).code).toBe(0);
    edit(work, 'pawl.yaml', 'pipeline: listed', 'pipeline: other');
    write(work, 'bad.b', '');
    expect((await pawl(work, 'run', '--replace-existing')).code).toBe(1);
    edit(work, 'pawl.yaml', 'pipeline: other', 'pipeline: listed');
    const { runs } = await pawlJson<Listed>(work, 'runs');
    expect(runs.map(({ status, units }) => ({ status, units }))).toEqual([
      { status: 'stopped', units: { done: 1 } },
      { status: 'completed', units: { done: 2, total: 2 } },
    ]);
  });
});

const manifest = `
pawl: 1
pipeline: listed
units: [a, b]
phases:
  one:
    run: { command: [sh, -c, '[ ! -e "bad.$1" ] && echo "$1" > "$PAWL_OUTPUT_TEXT"', sh, "{unit}"] }
    outputs: { text: "out/{unit}.txt" }
`;
