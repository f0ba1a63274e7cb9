import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { events, eventsOf } from '../support/journal.ts';
import { read, write } from '../support/workspace.ts';
import { ids, manifest, phase, ran, three, workspace } from './people-work.ts';

describe('a changed file', () => {
  const done = async () => {
    const work = workspace();
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1', '--continue');
    expect(ran(work)).toEqual(['draft', 'build', 'ship']);
    return work;
  };

  it('that a person is to be asked about stops everything, shows the difference, and waits', async () => {
    const work = await done();
    write(work, 'idea.md', 'two\n');
    expect((await pawl(work, 'plan')).code).toBe(3);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1', 'C2']);
    const shown = await pawl(work, 'show', 'C2');
    expect(shown.stdout).toContain('-one');
    expect(shown.stdout).toContain('+two');
    expect((await pawl(work, 'approve', 'C2')).code).toBe(2);
    expect((await pawl(work, 'approve', 'C2', '--restart-from', 'nowhere')).code).toBe(2);
    expect(await pawlJson(work, 'status')).toMatchObject({ heading: { status: 'waiting_human' } });
  });

  it('is kept to what was made, until it changes again', async () => {
    const work = await done();
    write(work, 'idea.md', 'two\n');
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C2', '--keep', '--note', 'a typo');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ran(work)).toHaveLength(3);
    expect((await pawl(work, 'run')).code).toBe(0);
    write(work, 'idea.md', 'three\n');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1', 'C2', 'C3']);
  });

  it('has everything done again from the phase that the person names', async () => {
    const work = await done();
    write(work, 'idea.md', 'two\n');
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C2', '--restart-from', 'build');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ran(work)).toEqual(['draft', 'build', 'ship', 'build', 'ship']);
    write(work, 'idea.md', 'three\n');
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C3', '--restart-from', 'draft');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(read(work, 'out/a.draft')).toContain('three');
  });

  it('whose change is undone is asked about no more', async () => {
    const work = await done();
    write(work, 'idea.md', 'two\n');
    await pawl(work, 'run');
    write(work, 'idea.md', 'one\n');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(await pawlJson(work, 'approve', 'C2', '--keep')).toMatchObject({ why: 'superseded' });
  });

  it('that is an output is asked about where the manifest says so', async () => {
    const text = manifest(three).replace('"out/{unit}.draft"', '{ path: "out/{unit}.draft", on_edit: ask }');
    const work = workspace(text);
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1', '--continue');
    write(work, 'out/a.draft', 'by hand\n');
    expect((await pawl(work, 'run')).code).toBe(3);
    await pawl(work, 'approve', 'C2', '--keep');
    // Whoever keeps it has been shown the new bytes: nobody is asked to approve them a second time.
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ids(work)).toEqual(['C1', 'C2']);
    expect(ran(work)).toEqual(['draft', 'build', 'ship']);
    expect(read(work, 'out/a.draft')).toBe('by hand\n');
  });
});

describe('attempts that are used up', () => {
  const failing = `
  try:
    run: { command: [node, try.mjs] }
    retries: { attempts: 2, backoff: 1ms, then: ask }
`;
  const trying = `
import { appendFileSync, existsSync } from 'node:fs';
appendFileSync('ran.log', 'try\\n');
if (!existsSync('good')) {
  console.error('it is not good');
  process.exit(1);
}
`;

  it('are told of to a person, who grants as many again or says no; the run does not spin', async () => {
    const work = workspace(manifest(failing));
    write(work, 'try.mjs', trying);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ran(work)).toHaveLength(2);
    const shown = await pawl(work, 'show', 'C1');
    expect(shown.stdout).toContain('attempt 1');
    expect(shown.stdout).toContain('attempt 2');
    expect(shown.stdout).toContain('it is not good');
    await pawl(work, 'approve', 'C1');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ran(work)).toHaveLength(4);
    write(work, 'good', '');
    await pawl(work, 'approve', 'C2');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ran(work)).toHaveLength(5);
  });

  it('stay used up when the person says no', async () => {
    const work = workspace(manifest(failing));
    write(work, 'try.mjs', trying);
    await pawl(work, 'run');
    await pawl(work, 'reject', 'C1', '--feedback', 'leave it');
    expect((await pawl(work, 'run')).code).toBe(1);
    expect(ran(work)).toHaveLength(2);
    expect(ids(work)).toEqual(['C1']);
  });
});

describe('a later phase', () => {
  const revising = (reason: string) => `${phase('design')}
  build:
    run: { command: [node, build.mjs] }
    revises: [design]
    outputs: { text: "out/{unit}.build" }
${reason}`;
  const build = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
appendFileSync('ran.log', 'build\\n');
const design = readFileSync(process.env.PAWL_INPUT_TEXT, 'utf8');
if (design.includes('feedback too big')) writeFileSync(process.env.PAWL_OUTPUT_TEXT, 'built');
else writeFileSync(process.env.PAWL_REVISE, JSON.stringify({ phase: process.env.ASK ?? 'design', reason: 'too big' }));
`;

  it('asks for an earlier one to be done again, on record, and then goes on', async () => {
    const work = workspace(manifest(revising('')));
    write(work, 'build.mjs', build);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ran(work)).toEqual(['design', 'build', 'design', 'build']);
    expect(eventsOf(work, 'revision_requested')).toMatchObject([
      { phase: 'build', to: 'design', reason: 'too big' },
    ]);
    expect(events(work).some(({ type }) => type === 'attempt_failed')).toBe(false);
  });

  it('may not ask for what the manifest does not let it revise, and not for ever', async () => {
    const work = workspace(manifest(revising('').replace('revises: [design]', '')));
    write(work, 'build.mjs', build);
    const run = await pawlJson<{ stops: unknown }>(work, 'run');
    expect(run.stops).toMatchObject([{ why: { failure: 'revision-refused' } }]);
    const never = workspace(manifest(revising('')));
    write(never, 'build.mjs', build.replace('feedback too big', 'nothing is ever good'));
    expect((await pawl(never, 'run')).code).toBe(1);
    expect(eventsOf(never, 'revision_requested')).toHaveLength(3);
  });
});

describe('a cancelled run', () => {
  it('is never gone on with: the next one starts fresh, and says so', async () => {
    const work = workspace();
    await pawl(work, 'run');
    expect((await pawl(work, 'cancel', '--yes')).code).toBe(2);
    expect((await pawl(work, 'cancel', '--reason', 'wrong idea')).code).toBe(2);
    expect((await pawl(work, 'cancel', '--reason', 'wrong idea', '--yes')).code).toBe(0);
    expect((await pawl(work, 'approve', 'C1')).code).not.toBe(0);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('never gone on with: wrong idea; this one starts fresh');
    expect(ran(work)).toEqual(['draft', 'draft']);
  });
});

it('a change is done again from a later stage, where the person says so', async () => {
  const work = workspace(`
pawl: 1
pipeline: stages
channels: [terminal, script]
inputs: { idea: { path: idea.md, on_change: ask } }
stages:
  - name: first
    units: [a]
    phases:${phase('draft', 'inputs: { idea: idea }').replaceAll('\n', '\n    ')}
  - name: second
    units: [b, c]
    phases:${phase('build').replaceAll('\n', '\n    ')}
`);
  expect((await pawl(work, 'run')).code).toBe(0);
  write(work, 'idea.md', 'two\n');
  await pawl(work, 'run');
  await pawl(work, 'approve', 'C1', '--restart-from', 'build');
  expect((await pawl(work, 'run')).code).toBe(0);
  expect(ran(work)).toEqual(['draft', 'build', 'build', 'build', 'build']);
});
