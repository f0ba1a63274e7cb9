import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt, start } from '../support/command.ts';
import { events, eventsOf, type RawEvent, runFolder } from '../support/journal.ts';
import {
  edit,
  has,
  projectRoot,
  read,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

/** Each phase writes what it was handed, and a line for each time that it ran. */
const program = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
const { PAWL_PHASE: phase, PAWL_ATTEMPT: attempt, PAWL_MODE: mode, PAWL_CONTEXT: context } = process.env;
const { feedback, existing, inputs } = JSON.parse(readFileSync(context, 'utf8'));
appendFileSync('ran.log', phase + '\\n');
const words = feedback.map(({ text }) => text).join('; ');
const taken = Object.values(inputs).map((path) => readFileSync(path, 'utf8')).join('');
const same = process.argv[2] === 'same';
const text = same ? phase + '\\n' : [phase, 'mode ' + mode, 'existing ' + Object.keys(existing), 'feedback ' + words, taken].join('\\n');
writeFileSync(process.env.PAWL_OUTPUT_TEXT, text);
`;

const phase = (name: string, more = '', same = '') => `
  ${name}:
    run: { command: [node, step.mjs, "${same}"] }
    outputs: { text: "out/{unit}.${name}" }
    ${more}`;

const manifest = (phases: string, top = 'channels: [terminal, script]') => `
pawl: 1
pipeline: people
${top}
inputs: { idea: { path: idea.md, on_change: ask } }
units: [a]
phases:${phases}
`;

const three =
  phase('draft', 'inputs: { idea: idea }\n    again: continue\n    checkpoint: Draft approval') +
  phase('build') +
  phase('ship');

const workspace = (text = manifest(three)) =>
  workspaceWith(text, { 'step.mjs': program, 'idea.md': 'one\n' });
const ran = (work: TestWorkspace) => (has(work, 'ran.log') ? read(work, 'ran.log').trim().split('\n') : []);
/** What people have said lies in a journal of its own. */
function decisions(work: TestWorkspace): RawEvent[] {
  const folder = join(work.root, runFolder(work), 'events/people');
  if (!existsSync(folder)) return [];
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'checkpoint_decided');
}

const ids = (work: TestWorkspace) => eventsOf(work, 'checkpoint_asked').map(({ id }) => id);

describe('a checkpoint', () => {
  it('stops the run before anything is built on what it shows, and names the question', async () => {
    const work = workspace();
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('Draft approval (C1)');
    expect(ran(work)).toEqual(['draft']);
    expect(await pawlJson(work, 'checkpoints')).toMatchObject({
      ok: true,
      checkpoints: [
        {
          id: 'C1',
          name: 'Draft approval',
          unit: 'a',
          phase: 'draft',
          state: 'waiting',
          shown: [{ path: 'out/a.draft' }],
        },
      ],
    });
    const shown = await pawl(work, 'show', 'C1');
    expect(shown.stdout).toContain('mode fresh');
    // Asked once: whoever runs it again is told of the same question, and nothing runs.
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1']);
    expect(ran(work)).toEqual(['draft']);
  });

  it('is approved once: nothing before it runs again, and it is never asked again', async () => {
    const work = workspace();
    await pawl(work, 'run');
    const approved = await pawlJson(work, 'approve', 'C1', '--note', 'good');
    expect(approved).toMatchObject({ ok: true, decision: 'approved', already: false });
    expect(ran(work)).toEqual(['draft']);
    expect(await pawlJson(work, 'approve', 'C1')).toMatchObject({ ok: true, already: true });
    expect(decisions(work)).toHaveLength(1);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ran(work)).toEqual(['draft', 'build', 'ship']);
    expect(await pawlJson(work, 'checkpoints', '--history')).toMatchObject({
      checkpoints: [{ id: 'C1', state: 'approved', decided: { note: 'good', channel: 'script' } }],
    });
    const [decided] = decisions(work);
    expect(decided).toMatchObject({ note: 'good', channel: 'script' });
    expect(decided).toHaveProperty('by');
    expect(decided).toHaveProperty('host');
    expect(decided).toHaveProperty('at');
  });

  it('that was approved is not asked again after a crash before the next phase, nor in the middle of it', async () => {
    const work = workspace();
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1');
    await pawlKilledAt(work, 1, 'run');
    await pawlKilledAt(work, 'a/build started', 'run');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ids(work)).toEqual(['C1']);
    expect(ran(work).filter((name) => name === 'draft')).toHaveLength(1);
  });

  it('that is waited for survives a kill -9, and is asked under its own number', async () => {
    const work = workspace();
    await pawlKilledAt(work, 'a/draft succeeded', 'run');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1']);
    expect(ran(work)).toEqual(['draft']);
  });

  it('that is rejected has its phase done again with the feedback, and is asked again', async () => {
    const work = workspace();
    await pawl(work, 'run');
    expect((await pawl(work, 'reject', 'C1')).code).toBe(2);
    expect((await pawl(work, 'reject', 'C1', '--feedback', 'shorter')).code).toBe(0);
    expect(ran(work)).toEqual(['draft']);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(3);
    expect(run.stderr).toContain('rejected (C1): shorter');
    expect(ran(work)).toEqual(['draft', 'draft']);
    expect(read(work, 'out/a.draft')).toContain('feedback shorter');
    expect(read(work, 'out/a.draft')).toContain('mode continue\nexisting text');
    expect(ids(work)).toEqual(['C1', 'C2']);
    const shown = await pawl(work, 'show', 'C2');
    expect(shown.stdout).toContain('+feedback shorter');
    // A second one: both are handed over.
    await pawl(work, 'reject', 'C2', '--feedback', 'with a title');
    await pawl(work, 'run');
    expect(read(work, 'out/a.draft')).toContain('feedback shorter; with a title');
    expect((await pawl(work, 'approve', 'C3', '--continue')).code).toBe(0);
    expect(ran(work)).toEqual(['draft', 'draft', 'draft', 'build', 'ship']);
  });

  it('is asked again when the redone work is the very same: the redo is no approval', async () => {
    const work = workspace(manifest(phase('draft', 'checkpoint: Draft approval', 'same') + phase('build')));
    await pawl(work, 'run');
    await pawl(work, 'reject', 'C1', '--feedback', 'no');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1', 'C2']);
    expect(ran(work)).toEqual(['draft', 'draft']);
    await pawl(work, 'approve', 'C2');
    expect((await pawl(work, 'run')).code).toBe(0);
  });

  it('is bound to what was shown: after a change the old question takes no answer', async () => {
    const work = workspace();
    await pawl(work, 'run');
    write(work, 'out/a.draft', 'by hand\n');
    const late = await pawlJson(work, 'approve', 'C1');
    expect(late).toMatchObject({ ok: false, exitCode: 4, reason: 'question-closed' });
    expect(decisions(work)).toEqual([]);
    expect((await pawl(work, 'adopt', 'out/a.draft', '--reason', 'better')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1', 'C2']);
    expect(await pawlJson(work, 'approve', 'C1')).toMatchObject({
      reason: 'question-closed',
      why: 'changed',
    });
    const history = await pawlJson<{ checkpoints: { id: string; state: string }[] }>(
      work,
      'checkpoints',
      '--history',
    );
    expect(history.checkpoints.map(({ id, state }) => [id, state])).toEqual([
      ['C2', 'waiting'],
      ['C1', 'superseded'],
    ]);
    await pawl(work, 'approve', 'C2');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(read(work, 'out/a.ship')).toContain('by hand');
  });

  it('stays approved when the work is done again with the same bytes, and not with others', async () => {
    const same = manifest(phase('draft', 'checkpoint: Draft approval', 'same') + phase('build'));
    const work = workspace(same);
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1', '--continue');
    expect((await pawl(work, 'run', '--rerun-from', 'draft')).code).toBe(0);
    expect(ids(work)).toEqual(['C1']);
    edit(work, 'step.mjs', 'same ? phase', "same ? '!' + phase");
    expect((await pawl(work, 'run', '--rerun-from', 'draft')).code).toBe(3);
    expect(ids(work)).toEqual(['C1', 'C2']);
  });

  it('of the same name as another is asked by itself', async () => {
    const work = workspace(
      manifest(phase('draft', 'checkpoint: [Approval, Approval]') + phase('build', 'checkpoint: Approval')),
    );
    for (const id of ['C1', 'C2', 'C3']) {
      expect((await pawl(work, 'run')).code).toBe(3);
      expect((await pawl(work, 'approve', id)).code).toBe(0);
    }
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ids(work)).toEqual(['C1', 'C2', 'C3']);
  });

  it('before a phase keeps it from being paid for', async () => {
    const work = workspace(
      manifest(phase('draft') + phase('build', 'checkpoint: { name: Go, when: before, back_to: draft }')),
    );
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ran(work)).toEqual(['draft']);
    await pawl(work, 'reject', 'C1', '--feedback', 'again');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ran(work)).toEqual(['draft', 'draft']);
    await pawl(work, 'approve', 'C2');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ran(work)).toEqual(['draft', 'draft', 'build']);
  });

  it('that has expired takes no answer, and is asked again', async () => {
    const work = workspace(manifest(phase('draft', 'checkpoint: { name: Soon, expires: 1ms }')));
    await pawl(work, 'run');
    expect(await pawlJson(work, 'approve', 'C1')).toMatchObject({ ok: false, why: 'expired' });
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1', 'C2']);
  });
});

describe('who may answer', () => {
  it('is nobody without a terminal, unless the manifest says so', async () => {
    const work = workspace(manifest(three, ''));
    await pawl(work, 'run');
    const answer = await pawlJson(work, 'approve', 'C1', '--note', 'yes, approved');
    expect(answer).toMatchObject({
      ok: false,
      exitCode: 4,
      reason: 'channel-closed',
      allowed: ['terminal', 'page'],
    });
    expect(decisions(work)).toEqual([]);
    expect((await pawl(work, 'approve')).code).toBe(2);
  });

  it('is never a phase of the run', async () => {
    const work = workspace(
      manifest(`${phase('draft', 'checkpoint: Draft approval')}
  sneak:
    needs: []
    run: { command: [node, "${join(projectRoot, 'bin/pawl.js')}", approve, C1] }
`),
    );
    expect((await pawl(work, 'run')).code).not.toBe(0);
    expect(decisions(work)).toEqual([]);
  });

  it('is one of two who answer at once', async () => {
    const work = workspace();
    await pawl(work, 'run');
    const answers = await Promise.all([
      start(work, ['approve', 'C1', '--json']).ended,
      start(work, ['reject', 'C1', '--feedback', 'no', '--json']).ended,
      start(work, ['approve', 'C1', '--json']).ended,
    ]);
    expect(decisions(work)).toHaveLength(1);
    const [decided] = decisions(work);
    const won = answers.filter(({ code }) => code === 0).length;
    expect(won).toBe(decided?.decision === 'approved' ? 2 : 1);
  });
});

const canPretend = spawnSync('script', ['--version']).status === 0;

describe.skipIf(!canPretend)('in a terminal', () => {
  it('a person approves by id, or chooses from a list; words and a return are no approval', async () => {
    const work = workspace(manifest(three, ''));
    await pawl(work, 'run');
    const no = await inTerminal(work, 'approve', 'Which one', 'no, stop\r');
    expect(no.code).toBe(4);
    expect(decisions(work)).toEqual([]);
    const down = `${String.fromCharCode(27)}[B\r`;
    const yes = await inTerminal(work, 'approve --note fine', 'Which one', down);
    expect(yes.screen).toContain('approved and recorded');
    expect(decisions(work)).toMatchObject([{ channel: 'terminal', note: 'fine' }]);
    expect((await pawl(work, 'run')).code).toBe(0);
  });
});

function inTerminal(work: TestWorkspace, command: string, question: string, answer: string) {
  const line = `stty cols 100 rows 30; "${process.execPath}" "${join(projectRoot, 'bin/pawl.js')}" ${command}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: work.root,
    env: { ...work.env, TERM: 'xterm' },
  });
  let screen = '';
  let isAnswered = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (isAnswered || !screen.includes(question)) return;
    isAnswered = true;
    child.stdin.write(answer);
  });
  return new Promise<{ code: number | null; screen: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, screen })),
  );
}

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
    expect(events(work).some(({ type }) => type === 'phase_failed')).toBe(false);
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

describe('what was said of something else', () => {
  it('never counts: an approval of one checkpoint is none of another that is put before it', async () => {
    const work = workspace(manifest(phase('draft', 'checkpoint: Wording') + phase('send')));
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1');
    edit(work, 'pawl.yaml', 'checkpoint: Wording', 'checkpoint: [Legal, Wording]');
    expect((await pawl(work, 'run', '--force')).code).toBe(3);
    expect(await pawlJson(work, 'checkpoints')).toMatchObject({ checkpoints: [{ id: 'C2', name: 'Legal' }] });
    await pawl(work, 'approve', 'C2');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(ids(work)).toEqual(['C1', 'C2']);
  });

  it('never counts: what was approved before a rejection is asked about again when the redo comes back to it', async () => {
    const work = workspace(manifest(phase('draft', 'checkpoint: Wording', 'same') + phase('send')));
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1');
    edit(work, 'step.mjs', 'same ? phase', "same ? '!' + phase");
    await pawl(work, 'run', '--rerun-from', 'draft');
    await pawl(work, 'reject', 'C2', '--feedback', 'no');
    edit(work, 'step.mjs', "same ? '!' + phase", 'same ? phase');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1', 'C2', 'C3']);
    expect(ran(work)).not.toContain('send');
  });

  it('never counts: a change is from something to something', async () => {
    const work = workspace();
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C1', '--continue');
    write(work, 'idea.md', 'two\n');
    await pawl(work, 'run');
    await pawl(work, 'approve', 'C2', '--keep', '--continue');
    write(work, 'idea.md', 'nine\n');
    expect((await pawl(work, 'run', '--rerun-from', 'draft')).code).toBe(3);
    await pawl(work, 'approve', 'C3', '--continue');
    write(work, 'idea.md', 'two\n');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(ids(work)).toEqual(['C1', 'C2', 'C3', 'C4']);
  });

  it('is no more than a yes or a no where nothing has changed', async () => {
    const work = workspace();
    await pawl(work, 'run');
    expect((await pawl(work, 'approve', 'C1', '--restart-from', 'draft')).code).toBe(2);
    expect((await pawl(work, 'approve', 'C1', '--keep')).code).toBe(2);
    expect(decisions(work)).toEqual([]);
  });
});

it('many questions at once have a number each, and each is asked once', async () => {
  const parallel = ['one', 'two', 'three', 'four'].map((name) =>
    phase(name, `needs: []\n    checkpoint: Approve ${name}`),
  );
  const text = manifest(parallel.join('')).replace('units: [a]', 'units: [a, b, c, d, e, f]');
  const work = workspace(`${text}pace: { concurrency: 8 }\n`);
  expect((await pawl(work, 'run')).code).toBe(3);
  const asked = ids(work).map((id) => Number(String(id).slice(1)));
  expect(asked.sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, at) => at + 1));
});

it('what was judged is handed over with the feedback, as it was then', async () => {
  const work = workspace();
  await pawl(work, 'run');
  const judged = read(work, 'out/a.draft');
  await pawl(work, 'reject', 'C1', '--feedback', 'shorter');
  await pawl(work, 'run');
  const context = JSON.parse(read(work, `${runFolder(work)}/attempts/a/draft/2/context.json`));
  expect(context.feedback).toMatchObject([{ from: 'C1', kind: 'rejection', text: 'shorter' }]);
  expect(readFileSync(context.feedback[0].files['draft.text'], 'utf8')).toBe(judged);
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
