import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import { edit, has, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

const own = 'specs/001-x/.pipeline-state.md';
const foreign = 'specs/001-x/pipeline-state.md';

const manifest = `
pawl: 1
pipeline: feature
channels: [terminal, script]
units: [001-x]
layout: { status: "specs/{unit}/.pipeline-state.md", spec: spec.text }
phases:
  spec:
    run: { command: [node, step.mjs] }
    outputs: { text: { path: "out/{unit}.spec", on_edit: ask } }
    checkpoint: Spec approval
  build:
    run: { command: [node, step.mjs] }
    outputs: { text: { path: "out/{unit}.build", check: { regex: "^build" } } }
  ship:
    run: { command: [node, step.mjs] }
    outputs: { text: "out/{unit}.ship" }
`;

const program = `
import { appendFileSync, writeFileSync } from 'node:fs';
appendFileSync('ran.log', process.env.PAWL_PHASE + '\\n');
writeFileSync(process.env.PAWL_OUTPUT_TEXT, process.env.PAWL_PHASE + '\\n');
`;

const workspace = () => workspaceWith(manifest, { 'step.mjs': program });
const ran = (work: TestWorkspace) => (has(work, 'ran.log') ? read(work, 'ran.log').trim().split('\n') : []);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const lines = (work: TestWorkspace) => read(work, own).split('\n');

/** A page as somebody writes it by hand. */
function page({
  status = 'In Progress',
  stage = 'build',
  hash = hashOf('the spec\n'),
  more = '',
} = {}): string {
  return `# State of 001-x
Run ID: hand-made-1
Spec Hash: ${hash}
Status: ${status}
Current stage: ${stage}

## Completed stages
| Artifact | Stage | Hash |
|---|---|---|
| out/001-x.spec | Spec | ${hash} |
${more}
## Human checkpoints
- [x] Spec approval
`;
}

describe('the page of a unit', () => {
  it('follows the run: waiting, approved, complete', async () => {
    const work = workspace();
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(lines(work)).toContain('- **status**: WAITING_FOR_HUMAN');
    expect(lines(work)).toContain('- **current_stage**: spec');
    expect(read(work, own)).toMatch(/- \[ \] Spec approval \(C1, since /);
    await pawl(work, 'approve', 'C1', '--note', 'good');
    expect(read(work, own)).toMatch(/- \[x\] Spec approval \(C1, by .*, at /);
    expect(lines(work)).not.toContain('- **status**: WAITING_FOR_HUMAN');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(lines(work)).toContain('- **status**: COMPLETE');
    expect(lines(work)).toContain(`- **spec_hash**: sha256:${hashOf('spec\n')}`);
    for (const stage of ['spec', 'build', 'ship'])
      expect(read(work, own)).toContain(`| ${stage} | out/001-x.${stage} | sha256:${hashOf(`${stage}\n`)} |`);
    expect(read(work, own)).toContain('Resumed from checkpoint at ');
  });

  it('is made anew when it was deleted, and says what a crash left behind', async () => {
    const work = workspace();
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1');
    await pawlKilledAt(work, 'build succeeded', 'run');
    rmSync(join(work.root, own));
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(lines(work)).toContain('- **status**: COMPLETE');
    expect(read(work, own)).toMatch(/Prior session ended at stage: (build|ship)/);
  });

  it('with a box that was ticked by hand decides nothing: it is told of and asked about', async () => {
    const work = workspace();
    await pawl(work, 'run');
    edit(work, own, '- [ ] Spec approval', '- [x] Spec approval');
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('"Spec approval" was ticked by hand');
    expect(read(work, own)).toContain('- [ ] Spec approval (C1');
    expect(ran(work)).toEqual(['spec']);
  });

  it('says that a run was cancelled', async () => {
    const work = workspace();
    await pawl(work, 'run');
    await pawl(work, 'cancel', '--reason', 'no use', '--yes');
    expect(lines(work)).toContain('- **status**: CANCELLED');
  });
});

describe('a page that somebody else wrote', () => {
  it('is imported: what is done and there stands, a ticked box is an answer, the page is kept', async () => {
    const work = workspace();
    write(work, 'out/001-x.spec', 'the spec\n');
    write(work, foreign, page());
    const run = await pawl(work, 'run');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('spec taken as done');
    expect(run.stdout).toContain('approved by its ticked boxes: Spec approval');
    expect(read(work, own)).toMatch(/- \[x\] Spec approval \(C1, by unknown, at /);
    expect(read(work, `${runFolder(work)}/imported/001-x.md`)).toBe(page());
    expect(ran(work)).toEqual(['build', 'ship']);
    expect(read(work, 'out/001-x.spec')).toBe('the spec\n');
  });

  it('is what `pawl resume` goes on with', async () => {
    const work = workspace();
    expect((await pawl(work, 'resume')).code).toBe(5);
    write(work, 'out/001-x.spec', 'the spec\n');
    write(work, foreign, page());
    expect((await pawl(work, 'resume')).code).toBe(0);
    expect(ran(work)).toEqual(['build', 'ship']);
  });

  it('counts the stage under way as done only when its files pass their checks', async () => {
    const good = workspace();
    write(good, 'out/001-x.spec', 'the spec\n');
    write(good, 'out/001-x.build', 'build by hand\n');
    write(good, foreign, page());
    await pawl(good, 'run');
    expect(ran(good)).toEqual(['ship']);

    const bad = workspace();
    write(bad, 'out/001-x.spec', 'the spec\n');
    write(bad, 'out/001-x.build', 'half of it\n');
    write(bad, foreign, page());
    await pawl(bad, 'run');
    expect(ran(bad)).toEqual(['build', 'ship']);

    const unchecked = workspace();
    write(unchecked, 'out/001-x.spec', 'the spec\n');
    write(unchecked, 'out/001-x.build', 'build\n');
    write(unchecked, 'out/001-x.ship', 'somehow\n');
    const done = `| out/001-x.build | build | ${hashOf('build\n')} |\n`;
    write(unchecked, foreign, page({ stage: 'ship', more: done }));
    await pawl(unchecked, 'run');
    expect(ran(unchecked)).toEqual(['ship']);
  });

  it('with another spec than there is now waits for a person', async () => {
    const work = workspace();
    write(work, 'out/001-x.spec', 'another spec\n');
    write(work, foreign, page());
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('out/001-x.spec was edited by hand');
    expect((await pawl(work, 'approve', 'C1', '--keep')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ran(work)).toEqual([]);
  });

  it('with a shortened hash of another file than the spec cannot verify it, and says so', async () => {
    const work = workspace();
    write(work, 'out/001-x.spec', 'the spec\n');
    write(work, 'out/001-x.build', 'build\n');
    const more = `| out/001-x.build | build | ${hashOf('build\n').slice(0, 12)} |\n`;
    write(work, foreign, page({ stage: 'ship', more }));
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('without a full hash: out/001-x.build');
  });

  it.each(['failed', 'Cancelled'])('that says %s starts fresh, and that is said', async (status) => {
    const work = workspace();
    write(work, foreign, page({ status }));
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('hand-made-1');
    expect(run.stdout).toContain('starts fresh');
    expect(ran(work)).toEqual(['spec']);
  });

  it.each(['ABORTED', 'waiting-for-human', 'WAITING_FOR_HUMAN', 'in_progress'])(
    'that says %s is resumed',
    async (status) => {
      const work = workspace();
      write(work, 'out/001-x.spec', 'the spec\n');
      write(work, foreign, page({ status }));
      await pawl(work, 'run');
      expect(ran(work)).not.toContain('spec');
    },
  );

  it('with a status or a stage that nobody knows is never taken for a fresh start', async () => {
    const work = workspace();
    for (const text of [page({ status: 'MOSTLY' }), page({ stage: 'deploy' }), 'nothing at all\n']) {
      write(work, foreign, text);
      const run = await pawlJson(work, 'run');
      expect(run).toMatchObject({ ok: false, exitCode: 7, reason: 'status-unclear' });
      expect(has(work, '.pawl/runs')).toBe(false);
      expect(ran(work)).toEqual([]);
      expect(read(work, foreign)).toBe(text);
    }
    expect((await pawl(work, 'run', '--fresh')).code).toBe(3);
    expect(ran(work)).toEqual(['spec']);
  });

  it('brings back a run whose journal is gone, as far as files prove it', async () => {
    const work = workspace();
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1');
    await pawlKilledAt(work, 'build succeeded', 'run');
    const page = read(work, own).replace(/status\*\*: .*/, 'status**: IN_PROGRESS');
    rmSync(join(work.root, '.pawl'), { recursive: true });
    write(work, own, page);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('taken as done');
    expect(ran(work).filter((name) => name === 'spec')).toHaveLength(1);
  });

  it('is kept when a fresh start takes its place', async () => {
    const work = workspace();
    write(work, own, page({ status: 'FAILED' }));
    await pawl(work, 'run');
    expect(lines(work)).toContain('- **status**: WAITING_FOR_HUMAN');
    const aside = join(runFolder(work), 'aside', own.replaceAll('/', '__'));
    expect(read(work, aside)).toBe(page({ status: 'FAILED' }));
  });

  it('may name files from its own folder, and is held to what it says of them', async () => {
    const local = manifest.replaceAll('out/{unit}', 'specs/{unit}/out');
    const work = workspaceWith(local, { 'step.mjs': program });
    write(work, 'specs/001-x/out.spec', 'the spec\n');
    write(work, foreign, page({ hash: 'a'.repeat(64) }).replace('| out/001-x.spec', '| out.spec'));
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('specs/001-x/out.spec was edited by hand');
    const other = workspaceWith(local, { 'step.mjs': program });
    write(other, 'specs/001-x/out.spec', 'the spec\n');
    write(other, 'specs/001-x/out.build', 'build\n');
    write(
      other,
      foreign,
      page({ more: '| nowhere.md | build | — |\n' }).replace('| out/001-x.spec', '| out.spec'),
    );
    await pawl(other, 'run');
    await pawl(other, 'approve', 'C1', '--continue');
    expect(ran(other)).toEqual(['build', 'ship']);
  });

  it.each([
    [
      'a shortened hash that is not the file’s',
      page({ more: '| out/001-x.build | build | deadbeef1234 |\n' }),
    ],
    ['another unit', page().replace('Run ID', 'Unit: 002-y\nRun ID')],
    [
      'a spec hash that its own row contradicts',
      page().replace(/Spec Hash: .*/, `Spec Hash: ${'b'.repeat(64)}`),
    ],
  ])('with %s is not believed', async (_, text) => {
    const work = workspace();
    write(work, 'out/001-x.spec', 'the spec\n');
    write(work, 'out/001-x.build', 'build\n');
    write(work, foreign, text);
    expect(await pawlJson(work, 'run')).toMatchObject({ exitCode: 7, reason: 'status-unclear' });
    expect(ran(work)).toEqual([]);
  });

  it('that is no file is not taken for none', async () => {
    const work = workspace();
    mkdirSync(join(work.root, own), { recursive: true });
    expect(await pawlJson(work, 'run')).toMatchObject({ exitCode: 7, reason: 'status-unclear' });
    rmSync(join(work.root, own), { recursive: true });
    symlinkSync('elsewhere.md', join(work.root, own));
    expect(await pawlJson(work, 'run')).toMatchObject({ exitCode: 7, reason: 'status-unclear' });
  });
});
