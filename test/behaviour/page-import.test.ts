import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { eventsOf, runFolder } from '../support/journal.ts';
import { edit, has, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/* A feature of which another tool keeps the status page: judged before anything runs, and imported by the first run. */

const unit = '007-x';
const foreign = `specs/${unit}/pipeline-state.md`;
const own = `specs/${unit}/.pipeline-state.md`;

const phase = (name: string, more = '') => `
  ${name}:
    run: { command: [node, step.mjs] }
    outputs: { text: { path: "specs/{unit}/${name}.md" } }${more}`;

const manifest = `
pawl: 1
pipeline: feature
channels: [terminal, script]
units: [${unit}]
layout: { status: "specs/{unit}/.pipeline-state.md", spec: spec.text }
phases:
  spec:
    run: { command: [node, step.mjs] }
    outputs: { text: { path: "specs/{unit}/feature.spec.md", on_edit: ask } }
    checkpoint: Spec approval${phase('redteam', '\n    inputs: { spec: spec.text }')}
  architect:
    run: { command: [node, step.mjs] }
    inputs: { findings: redteam.text }
    outputs: { text: { path: "specs/{unit}/adr.md", check: { regex: "^# ADR" } } }
    checkpoint: Architecture approval${phase('tasks', '\n    inputs: { adr: architect.text }')}
  programmer:
    run: { command: [node, step.mjs] }
    inputs: { tasks: tasks.text, report: testrunner.report }
    outputs: { source: "src/{unit}.ts" }
    again: continue
    on_interrupt: continue
  testrunner:
    run: { command: [node, step.mjs] }
    inputs: { source: programmer.source }
    outputs: { report: "specs/{unit}/report.json" }
    gate: { verdict: report.status, pass: [pass], defects: report.failures, back_to: programmer, iterations: 5, cluster: 3, then: ask }
`;

const program = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const { PAWL_PHASE: phase, PAWL_MODE: mode, PAWL_CONTEXT: context } = process.env;
const { existing, previous, why } = JSON.parse(readFileSync(context, 'utf8'));
const had = Object.values(existing).map((path) => readFileSync(path, 'utf8')).join('');
appendFileSync('ran.log', [phase, mode, had.trim(), previous ? 'previous' : ''].join(' ').trim() + '\\n');
const made = { architect: '# ADR\\n', spec: 'spec\\n', redteam: existsSync('other') ? 'other\\n' : 'redteam\\n' };
if (phase === 'testrunner') writeFileSync(process.env.PAWL_OUTPUT_REPORT, readFileSync('report.json'));
else writeFileSync(process.env.PAWL_OUTPUT_TEXT ?? process.env.PAWL_OUTPUT_SOURCE, made[phase] ?? had + phase + '\\n');
`;

const files = {
  spec: ['feature.spec.md', 'spec\n'],
  redteam: ['redteam.md', 'redteam\n'],
  architect: ['adr.md', '# ADR\n'],
  tasks: ['tasks.md', 'tasks by hand\n'],
} as const;

type Stage = keyof typeof files;
const allStages = Object.keys(files) as Stage[];
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

interface PageParts {
  readonly status?: string;
  readonly stage?: string;
  readonly specHash?: string;
  readonly boxes?: string;
  readonly more?: string;
  /** What the page records instead of the hash of a stage's file. */
  readonly hashes?: Partial<Record<Stage, string>>;
}

function page({
  status = 'IN_PROGRESS',
  stage = 'programmer',
  specHash = hashOf('spec\n'),
  boxes = '- [x] Spec approval (by ann, at 2026-11-10)\n- [x] Architecture approval',
  more = '',
  hashes = {},
}: PageParts = {}): string {
  const rows = allStages.map((name) => {
    const [file, text] = files[name];
    return `| ${name} | ${file} | ${hashes[name] ?? hashOf(text)} |`;
  });
  return `# Pipeline State
run_id: theirs-1
spec_hash: ${specHash}
status: ${status}
current_stage: ${stage}

## Completed Stages
| Stage | Artifact | Hash |
|---|---|---|
${rows.join('\n')}

## Human Checkpoints
${boxes}
${more}`;
}

function workspace(text: string, without: readonly Stage[] = []): TestWorkspace {
  const work = workspaceWith(manifest, { 'step.mjs': program });
  write(work, 'report.json', '{"status":"pass","failures":[]}\n');
  for (const name of allStages)
    if (!without.includes(name)) write(work, `specs/${unit}/${files[name][0]}`, files[name][1]);
  write(work, foreign, text);
  return work;
}

const ran = (work: TestWorkspace) => (has(work, 'ran.log') ? read(work, 'ran.log').trim().split('\n') : []);
const phasesRan = (work: TestWorkspace) => ran(work).map((line) => line.split(' ')[0]);
const aside = (work: TestWorkspace) => {
  const folder = join(work.root, runFolder(work), 'aside');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const isUntouched = (work: TestWorkspace) => !has(work, '.pawl/runs') && !has(work, own);

describe('a status page of another tool', () => {
  it('is judged alike by plan, status and run, and half-written files are handed over', async () => {
    const more = [
      '\n## Failure Clusters\n- AC-06: 2\n',
      '## Retry Counts\n- programmer: 2/5\n',
      '## Notes\n- ask finance about rounding\n',
    ].join('\n');
    const work = workspace(page({ more }));
    write(work, `src/${unit}.ts`, 'half of it\n');

    const plan = await pawl(work, 'plan');
    expect(plan.code, plan.stderr).toBe(0);
    for (const said of [
      'spec, redteam, architect and tasks taken as done',
      `programmer not taken: under way, and no check proves its files, continues with src/${unit}.ts`,
      'approved by its ticked boxes: Spec approval and Architecture approval',
      'testrunner 2/5',
      'AC-06 2',
      '1 note kept',
      `run      programmer of ${unit}: attempt 1 was cut off`,
    ])
      expect(plan.stdout).toContain(said);
    expect(plan.stdout).not.toContain('never ran');
    const status = await pawlJson<{
      units: readonly { cells: readonly { phase: string; status: string }[] }[];
    }>(work, 'status');
    const steps = status.units[0]?.cells.map(({ phase: name, status: is }) => `${name} ${is}`);
    expect(steps?.slice(0, 4)).toEqual(allStages.map((name) => `${name} succeeded`));
    expect((await pawl(work, 'why', `${unit}/architect`)).stdout).not.toContain('never ran');
    expect(isUntouched(work)).toBe(true);

    const run = await pawl(work, 'run');
    expect(run.code, run.stdout + run.stderr).toBe(0);
    expect(ran(work)).toEqual(['programmer continue half of it previous', 'testrunner fresh']);
    expect(read(work, `src/${unit}.ts`)).toBe('half of it\nprogrammer\n');
    expect(aside(work)).toEqual([]);
    const partial = `${runFolder(work)}/attempts/${unit}/programmer/1/outputs/source`;
    expect(read(work, partial)).toBe('half of it\n');
    const shown = read(work, own);
    expect(shown).toMatch(/- \[x\] Spec approval \(C1, by ann, at /);
    expect(shown).toMatch(/- \[x\] Architecture approval \(C2, by unknown, at /);
    expect(shown).toContain('| testrunner | 3 | 5 |');
    expect(shown).toContain('| AC-06 | 2 | 3 |');
    expect(shown).toContain('- ask finance about rounding');
    expect(shown).toContain('Prior session ended at stage: programmer.');
    expect(eventsOf(work, 'checkpoint_decided')).toMatchObject([
      { channel: 'import', by: 'ann' },
      { channel: 'import', by: 'unknown' },
    ]);
  });

  it('has its rounds and clusters counted on', async () => {
    const more = '\n## Iteration Counts\n| Loop | Used | Budget |\n|---|---|---|\n| testrunner | 4 | 5 |\n';
    const work = workspace(page({ more }));
    write(work, 'report.json', '{"status":"fail","failures":["AC-07"]}\n');
    const run = await pawl(work, 'run');
    expect(run.code, run.stderr).toBe(3);
    expect(run.stdout).toContain('5 rounds');
    expect(phasesRan(work)).toEqual(['programmer', 'testrunner']);

    const clustered = workspace(page({ more: '\n## Failure Clusters\n- AC-06: 2\n' }));
    write(clustered, 'report.json', '{"status":"fail","failures":["AC-06"]}\n');
    expect((await pawl(clustered, 'run')).code).toBe(3);
    expect(phasesRan(clustered)).toEqual(['programmer', 'testrunner']);

    const detailed = workspace(
      page({ more: '\n## Current Stage Detail\n- stage: programmer\n- retry_count: 3\n' }),
    );
    expect((await pawl(detailed, 'plan')).stdout).toContain('used so far: testrunner 3/5');
  });

  it('that waits for a person is put to one before anything runs', async () => {
    const boxes = '- [x] Spec approval\n- [x] Architecture approval\n- [ ] Convergence escalation';
    const work = workspace(page({ status: 'WAITING_FOR_HUMAN', boxes }));
    expect((await pawl(work, 'plan')).stdout).toContain('waits for a person: Convergence escalation');
    const run = await pawl(work, 'run');
    expect(run.code, run.stdout + run.stderr).toBe(3);
    expect(run.stdout).toContain('Convergence escalation (C3)');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ran(work)).toEqual([]);
    expect(run.stdout.match(/\(C3\)/g)).toHaveLength(1);
    expect(read(work, own)).toContain('- [ ] Convergence escalation (C3');
    expect(read(work, own)).toContain('Prior session ended at stage: programmer.');
    const shown = await pawl(work, 'show', 'C3');
    expect(shown.stdout).toContain('tasks by hand');
    expect((await pawl(work, 'approve', 'C3', '--continue')).code).toBe(0);
    expect(phasesRan(work)).toEqual(['programmer', 'testrunner']);

    const rejected = workspace(page({ status: 'WAITING_FOR_HUMAN', boxes }));
    expect((await pawl(rejected, 'run')).code).toBe(3);
    expect((await pawl(rejected, 'reject', 'C3', '--feedback', 'smaller tasks', '--continue')).code).toBe(0);
    expect(phasesRan(rejected)).toEqual(['tasks', 'programmer', 'testrunner']);
  });

  it('has its ticked boxes put to a person in one question where a hash is not complete', async () => {
    const work = workspace(page({ hashes: { redteam: hashOf('redteam\n').slice(0, 12) } }));
    const run = await pawl(work, 'run');
    expect(run.code, run.stdout + run.stderr).toBe(3);
    expect(run.stdout).toContain(
      `Accept what is ticked in ${foreign}: Spec approval, Architecture approval (C1)`,
    );
    expect(run.stdout).not.toContain('decides nothing');
    expect(ran(work)).toEqual([]);
    expect((await pawl(work, 'approve', 'C1', '--continue')).code).toBe(0);
    expect(phasesRan(work)).toEqual(['programmer', 'testrunner']);
    expect(read(work, own)).toMatch(/- \[x\] Architecture approval \(C3, by /);

    // On a page that Pawl wrote a tick is a copy of the journal, and anybody could have made it.
    const copy = workspace(page());
    write(
      copy,
      foreign,
      page().replace('# Pipeline State\n', '# Pipeline State\n\n> Made by Pawl from its journal.\n\n'),
    );
    expect((await pawl(copy, 'run')).code).toBe(3);
    expect((await pawl(copy, 'reject', 'C1', '--feedback', 'who ticked them?')).code).toBe(0);
    const asked = await pawl(copy, 'run');
    expect(asked.code).toBe(3);
    expect(asked.stdout).toContain('Spec approval (C2)');
    expect(ran(copy)).toEqual([]);
  });

  it('has only that stage run again whose file is missing, unless it comes out otherwise', async () => {
    const work = workspace(page(), ['redteam']);
    const plan = await pawl(work, 'plan');
    expect(plan.stdout).toMatch(
      /redteam \(line 11\) not taken: specs\/007-x\/redteam\.md is missing|redteam \(line 11\) not taken: redteam\.md is missing/,
    );
    // A missing file leaves a hash that does not match, so its ticks are put to a person.
    expect((await pawl(work, 'run')).code).toBe(3);
    expect((await pawl(work, 'approve', 'C1', '--continue')).code).toBe(3);
    expect(phasesRan(work)).toEqual(['redteam']);
    const [waiting] = (
      await pawlJson<{ checkpoints: readonly { id: string; name: string }[] }>(work, 'checkpoints')
    ).checkpoints;
    expect(waiting?.name).toBe('Architecture approval');
    expect((await pawl(work, 'approve', waiting?.id ?? '', '--continue')).code).toBe(0);
    expect(phasesRan(work)).toEqual(['redteam', 'programmer', 'testrunner']);
    expect(read(work, `specs/${unit}/tasks.md`)).toBe('tasks by hand\n');

    const other = workspace(page({ boxes: '- [ ] Spec approval' }), ['redteam']);
    write(other, 'other', '');
    edit(other, 'pawl.yaml', '    checkpoint: Spec approval', '');
    edit(other, 'pawl.yaml', '    checkpoint: Architecture approval', '');
    expect((await pawl(other, 'run')).code).toBe(0);
    // The architecture comes out the same, so the tasks stay.
    expect(phasesRan(other)).toEqual(['redteam', 'architect', 'programmer', 'testrunner']);
  });

  it('names the check that a stage fails', async () => {
    const work = workspace(page());
    write(work, `specs/${unit}/adr.md`, 'no heading\n');
    const plan = await pawl(work, 'plan');
    expect(plan.stdout).toMatch(
      /architect \(line 12\) not taken: specs\/007-x\/adr\.md fails its check regex/,
    );
  });

  it('has its boxes taken for the checkpoint that they are about, and others reported', async () => {
    const boxes =
      '- [x] Spec approval (by ann)\n- [x] Architecture approval (includes the check)\n- [x] Security';
    const work = workspace(page({ boxes }));
    const run = await pawl(work, 'run');
    expect(run.code, run.stdout + run.stderr).toBe(0);
    expect(run.stdout).toContain('ticked boxes: Spec approval and Architecture approval;');
    expect(run.stdout).toContain('ticked, but no checkpoint: Security');
    expect(phasesRan(work)).toEqual(['programmer', 'testrunner']);
    expect((await pawl(work, 'run')).stdout).not.toContain('ticked by hand');

    // Each of two boxes may be the one that is meant.
    const two =
      '- [x] Spec approval\n- [x] Architecture approval (data)\n- [ ] Architecture approval (costs)';
    const unclear = workspace(page({ boxes: two }));
    expect((await pawl(unclear, 'run')).code).toBe(3);
    expect(ran(unclear)).toEqual([]);
  });

  it('hands a stage that runs again what is there of its files, and keeps a copy', async () => {
    const work = workspace(page());
    edit(
      work,
      'pawl.yaml',
      '    inputs: { findings: redteam.text }',
      '    inputs: { findings: redteam.text }\n    again: continue',
    );
    write(work, `specs/${unit}/adr.md`, 'no heading\n');
    expect((await pawl(work, 'plan')).stdout).toContain(`/, continues with specs/${unit}/adr.md`);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect((await pawl(work, 'approve', 'C1', '--continue')).code).toBe(3);
    expect(ran(work)).toEqual(['architect continue no heading']);
    expect(read(work, `specs/${unit}/adr.md`)).toBe('# ADR\n');
    expect(aside(work)).toEqual([]);
    expect(read(work, `${runFolder(work)}/imported/${unit}/architect/text`)).toBe('no heading\n');
  });

  it.each([
    ['is shortened', page({ specHash: hashOf('spec\n').slice(0, 16) }), [] as Stage[]],
    ['is no sha256', page({ specHash: 'see the wiki' }), []],
    ['is missing', page(), ['spec'] as Stage[]],
    [
      'is missing',
      page()
        .replace(/^spec_hash: .*\n/m, '')
        .replace(hashOf('spec\n'), ''),
      ['spec'] as Stage[],
    ],
  ])('blocks where the spec %s', async (words, text, without) => {
    const work = workspace(text, without);
    for (const command of ['plan', 'status', 'run', 'resume']) {
      const answer = await pawlJson(work, command);
      expect(answer, command).toMatchObject({ ok: false, exitCode: 4, reason: 'status-blocked' });
      expect(answer.message).toContain('cannot verify the spec: ');
      expect(answer.message).toContain(words);
      expect(answer.next).toContain('to start over: pawl run --fresh');
    }
    expect(ran(work)).toEqual([]);
    expect(isUntouched(work)).toBe(true);
  });

  it.each([
    ['is shortened', hashOf('spec\n').slice(0, 16), 'write the full sha256 of the spec'],
    ['is no sha256', 'see the wiki', 'write the full sha256 of the spec'],
    ['the manifest does not name the spec', hashOf('another\n'), 'layout: { spec: PHASE.OUTPUT }'],
  ])('blocks where no manifest names the spec, and its hash: %s', async (words, specHash, next) => {
    const work = workspace(page({ specHash }));
    edit(work, 'pawl.yaml', ', spec: spec.text', '');
    const refused = await pawlJson(work, 'run');
    expect(refused).toMatchObject({ exitCode: 4, reason: 'status-blocked' });
    expect(refused.message).toContain(words);
    expect(refused.next?.join('\n')).toContain(next);
    expect(isUntouched(work)).toBe(true);
    write(work, foreign, page());
    expect((await pawl(work, 'plan')).stdout).toContain('taken as done');
  });

  it('that says COMPLETE is verified, and nothing runs', async () => {
    const done = { status: 'COMPLETE', stage: 'done', more: '\n## Current Stage Detail\n- stage: done\n' };
    const work = workspace(page(done));
    const run = await pawl(work, 'run');
    expect(run.code, run.stdout + run.stderr).toBe(0);
    expect(run.stdout).toContain(`${unit} is complete; 4 files verified`);
    expect((await pawl(work, 'plan')).stdout).toContain('is complete; 4 files verified');
    expect(await pawlJson(work, 'status')).toMatchObject({
      heading: { run: 'theirs-1', status: 'completed' },
    });
    expect(await pawlJson(work, 'resume')).toMatchObject({ exitCode: 4, reason: 'run-terminal' });
    expect(ran(work)).toEqual([]);
    expect(isUntouched(work)).toBe(true);

    write(work, `specs/${unit}/tasks.md`, 'others\n');
    const changed = await pawlJson(work, 'run');
    expect(changed).toMatchObject({ exitCode: 4, reason: 'status-blocked' });
    expect(changed.message).toContain('tasks.md (line 13) has other bytes than recorded');
    expect(isUntouched(work)).toBe(true);

    // The spec counts where no row lists it, too.
    write(work, `specs/${unit}/tasks.md`, files.tasks[1]);
    edit(work, foreign, `| spec | feature.spec.md | ${hashOf('spec\n')} |\n`, '');
    write(work, `specs/${unit}/feature.spec.md`, 'another\n');
    const other = await pawlJson(work, 'run');
    expect(other).toMatchObject({ exitCode: 4, reason: 'status-blocked' });
    expect(other.message).toContain('feature.spec.md (line 1) has other bytes than recorded');
    expect((await pawl(work, 'run', '--fresh')).code).toBe(3);
    expect(phasesRan(work)).toEqual(['spec']);
  });

  it.each(['FAILED', 'Cancelled'])(
    'that says %s is started over, with its notes in sight',
    async (status) => {
      const work = workspace(page({ status, more: '\n## Notes\n- the export was too slow\n' }));
      expect(await pawlJson(work, 'resume')).toMatchObject({ exitCode: 4, reason: 'run-terminal' });
      const run = await pawl(work, 'run');
      expect(run.code, run.stdout + run.stderr).toBe(3);
      expect(run.stdout).toContain(`theirs-1 is ${status.toUpperCase()}`);
      expect(run.stdout).toContain(`its notes are in ${foreign}`);
      expect(phasesRan(work)).toEqual(['spec']);
    },
  );

  it('is judged by itself beside pages of other units', async () => {
    const units = ['007-x', '008-y', '009-z'];
    const work = workspace(page());
    edit(work, 'pawl.yaml', `units: [${unit}]`, `units: [${units.join(', ')}]`);
    for (const other of units.slice(1))
      for (const name of allStages) write(work, `specs/${other}/${files[name][0]}`, files[name][1]);
    write(
      work,
      'specs/008-y/pipeline-state.md',
      page({ status: 'COMPLETE', stage: '—', boxes: '- [x] Spec approval' }),
    );
    write(
      work,
      'specs/009-z/pipeline-state.md',
      page({ status: 'FAILED', more: '\n## Notes\n- too slow\n' }),
    );
    const run = await pawl(work, 'run');
    expect(run.code, run.stdout + run.stderr).toBe(3);
    const told = (of: string) => run.stdout.split('\n').find((line) => line.includes(`where ${of} stands`));
    expect(told('007-x')).toMatch(/ticked boxes: Spec approval and Architecture approval(;|$)/);
    expect(told('008-y')).toMatch(/ticked boxes: Spec approval(;|$)/);
    expect(run.stdout).toContain('its notes are in specs/009-z/pipeline-state.md');
    expect(run.stdout).not.toContain('ticked by hand');
    expect(phasesRan(work).sort()).toEqual(['programmer', 'spec', 'testrunner']);
  });

  it('under both names is refused where the two contradict each other', async () => {
    const work = workspace(page());
    write(work, own, page({ stage: 'tasks' }));
    const refused = await pawlJson(work, 'run');
    expect(refused).toMatchObject({ exitCode: 4, reason: 'status-blocked' });
    expect(refused.message).toContain(`${own} and ${foreign} contradict each other (current stage)`);
    expect(has(work, '.pawl/runs')).toBe(false);
    write(work, own, page());
    const plan = await pawl(work, 'plan');
    expect(plan.stdout).toContain(`${own} and ${foreign} say the same`);
    expect((await pawl(work, 'run')).code).toBe(0);
    rmSync(join(work.root, foreign));
    expect((await pawl(work, 'run')).stdout).not.toContain('ticked by hand');
  });
});
