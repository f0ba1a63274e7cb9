import { describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { has, read, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

/** A backtracking matcher tries every way to place the stars on a name of many a: longer than anyone waits. */
const stars = `${'*a'.repeat(24)}*b`;
const name = 'a'.repeat(60);

const manifest = (units: string) => `pawl: 1
pipeline: globs
units: ${units}
phases:
  copy:
    run: { command: [cp, "{unit.path}", "{output.copy}"] }
    outputs: { copy: "out/{unit}.txt" }
`;

describe('a glob with many stars', () => {
  it('is answered at once, for units and for --unit', async () => {
    const nothing = workspaceWith(manifest(`{ glob: '${stars}.txt' }`), { [`${name}.txt`]: '' });
    const plan = await pawl(nothing, 'plan');
    expect(plan.code).toBe(2);
    expect(plan.stderr).toContain(`no file matches ${stars}.txt`);

    const work = workspaceWith(manifest(`{ glob: '${'*a'.repeat(24)}*.txt' }`), { [`${name}.txt`]: 'yes' });
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(read(work, `out/${name}.txt`)).toBe('yes');
    for (const call of [
      ['plan', '--rerun-from', 'copy', '--unit', stars],
      ['inspect', '--unit', stars],
    ]) {
      const answer = await pawl(work, ...call);
      expect(answer.code, answer.stderr).toBe(2);
      expect(answer.stderr).toContain(stars);
    }
  });
});

describe('the path of an output that names the attempt many times', () => {
  it('is compared at once with a file of many digits', async () => {
    const path = `out/{unit}${'{attempt}'.repeat(15)}`;
    const work = workspaceWith(manifest('{ glob: "*.md" }').replace('out/{unit}.txt', `${path}b`), {
      'a.md': 'yes',
      [`out/a${'1'.repeat(60)}x`]: '',
    });
    expect((await pawl(work, 'plan')).code).toBe(0);
  });
});

describe('units by folder', () => {
  const specs = { 'specs/login/spec.md': 'in', 'specs/logout/spec.md': 'out' };
  const byFolder = manifest('{ glob: "specs/**/spec.md", id: "{folder}" }');

  it('are one per folder', async () => {
    const work = workspaceWith(byFolder, specs);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect([read(work, 'out/login.txt'), read(work, 'out/logout.txt')]).toEqual(['in', 'out']);
  });

  it('name both files where two give the same unit', async () => {
    expect(await problem(workspaceWith(byFolder, { ...specs, 'specs/old/login/spec.md': '' }))).toContain(
      'two files give the unit login: specs/login/spec.md and specs/old/login/spec.md',
    );
    expect(await problem(workspaceWith(manifest('{ glob: "specs/*/spec.md" }'), specs))).toContain(
      'two files give the unit spec: specs/login/spec.md and specs/logout/spec.md',
    );
  });

  it('need a folder', async () => {
    const work = workspaceWith(manifest('{ glob: "*.md", id: "{folder}" }'), { 'spec.md': '' });
    expect(await problem(work)).toContain(
      'there is no field folder (file spec.md); possible: path, name, stem',
    );
    expect(has(work, '.pawl')).toBe(false);
  });
});

async function problem(work: TestWorkspace): Promise<string> {
  const { code, stderr } = await pawl(work, 'plan');
  expect(code).toBe(2);
  return stderr;
}
