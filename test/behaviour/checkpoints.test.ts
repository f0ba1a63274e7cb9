import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt, start } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import { edit, projectRoot, read, write } from '../support/workspace.ts';
import { decisions, ids, manifest, phase, ran, three, workspace } from './people-work.ts';

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

  it.skipIf(!canPretend)('that is rejected in a terminal without feedback asks for it', async () => {
    const work = workspace();
    await pawl(work, 'run');
    const reply = { question: 'What has to change?', answer: 'shorter\r' };
    const asked = await inTerminal(work, 'reject C1', reply);
    expect(asked.code).toBe(0);
    expect((await pawl(work, 'run')).stderr).toContain('rejected (C1): shorter');
    await pawl(work, 'approve', 'C2');
    const none = await inTerminal(workspace(), 'reject C1', {
      question: 'What has to change?',
      answer: '\u0003',
    });
    expect(none.code).toBe(4);
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

describe.skipIf(!canPretend)('in a terminal', () => {
  it('a person approves by id, or chooses from a list; words and a return are no approval', async () => {
    const work = workspace(manifest(three, ''));
    await pawl(work, 'run');
    const no = await inTerminal(work, 'approve', { question: 'Which one', answer: 'no, stop\r' });
    expect(no.code).toBe(4);
    expect(decisions(work)).toEqual([]);
    const down = `${String.fromCharCode(27)}[B\r`;
    const yes = await inTerminal(work, 'approve --note fine', { question: 'Which one', answer: down });
    expect(yes.screen).toContain('approved and recorded');
    expect(decisions(work)).toMatchObject([{ channel: 'terminal', note: 'fine' }]);
    expect((await pawl(work, 'run')).code).toBe(0);
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
