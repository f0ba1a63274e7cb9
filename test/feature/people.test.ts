import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { type RawEvent, runFolder } from '../support/journal.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import { edit, has, read, type TestWorkspace, write } from '../support/workspace.ts';
import {
  adrPath,
  attemptFile,
  contextOf,
  demoAt,
  expectCode,
  journal,
  newDemo,
  onlyQuestion,
  openDemo,
  specPath,
  started,
  unit,
  waiting,
} from './demo.ts';

describe('an approval of the feature', () => {
  it.skipIf(!canPretend)('is given by a person at a terminal, and by no program', async () => {
    const demo = await newDemo();
    await expectCode(demo, 3, 'run');
    const refused = await pawl(demo, 'approve', 'C1', '--note', 'yes, go on');
    expect(refused.code, refused.stderr).toBe(4);
    expect(decisions(demo)).toEqual([]);

    const which = { question: 'Which one do you decide on?', answer: `${String.fromCharCode(27)}[B\r` };
    const { code, screen } = await inTerminal(demo, 'approve --note "as I would say it" --continue', which);
    expect(code, screen).toBe(3);
    expect(await onlyQuestion(demo)).toEqual({ id: 'C2', name: 'Architecture approval' });
    const [approved] = decisions(demo);
    expect(approved).toMatchObject({ id: 'C1', decision: 'approved', channel: 'terminal' });
  });

  it('that is refused does the phase again with what was said, and asks again', async () => {
    const demo = await demoAt('Spec approval');
    await expectCode(demo, 3, 'reject', 'C1', '--feedback', 'say which encoding', '--continue');
    expect(started(demo)).toEqual(['spec', 'clarify', 'clarify']);
    expect(await onlyQuestion(demo)).toEqual({ id: 'C2', name: 'Spec approval' });
    expect(contextOf(demo, 'clarify', 2)).toMatchObject({
      mode: 'continue',
      existing: { spec: expect.stringContaining('feature.spec.md') },
      feedback: [{ from: 'C1', kind: 'rejection', text: 'say which encoding' }],
    });
    expect(read(demo, specPath)).toContain('## Changes asked for\n\n- C1: say which encoding\n');
    const shown = await expectCode(demo, 0, 'show', 'C2');
    expect(shown.stdout).toContain('+- C1: say which encoding');

    // What was asked for before is not forgotten.
    await expectCode(demo, 3, 'reject', 'C2', '--feedback', 'and which time zone', '--continue');
    expect(read(demo, specPath)).toMatch(/- C1: say which encoding\n- C2: and which time zone\n/);
    await expectCode(demo, 3, 'approve', 'C3', '--continue');
    expect(await onlyQuestion(demo)).toEqual({ id: 'C4', name: 'Architecture approval' });
    expect(started(demo)).toEqual(['spec', 'clarify', 'clarify', 'clarify', 'architect']);
  });

  it('is asked for after a crash that came before the question', async () => {
    const demo = await openDemo();
    expect((await pawlKilledAt(demo, 'clarify succeeded', 'run')).signal).toBe('SIGKILL');
    expect(journal(demo).filter(({ type }) => type === 'checkpoint_asked')).toEqual([]);
    await expectCode(demo, 3, 'run');
    expect(await onlyQuestion(demo)).toEqual({ id: 'C1', name: 'Spec approval' });
    expect(started(demo)).toEqual(['spec', 'clarify']);
  });

  it.each(['resumed run', 'architect started', 'architect succeeded'])(
    'is not asked for again after a crash at "%s"',
    async (moment) => {
      const demo = await demoAt('Spec approval');
      await expectCode(demo, 0, 'approve', 'C1');
      expect((await pawlKilledAt(demo, moment, 'run')).signal).toBe('SIGKILL');
      await expectCode(demo, 3, 'run');
      expect(await onlyQuestion(demo)).toEqual({ id: 'C2', name: 'Architecture approval' });
      const asked = journal(demo).filter(({ type }) => type === 'checkpoint_asked');
      expect(asked.map(({ name }) => name)).toEqual(['Spec approval', 'Architecture approval']);
      expect(started(demo).slice(0, 2)).toEqual(['spec', 'clarify']);
      expect(started(demo).slice(2)).toHaveLength(moment === 'architect started' ? 2 : 1);
    },
  );

  it('holds though the crash was in the command that gave it', async () => {
    const demo = await demoAt('Spec approval');
    const killed = await pawlKilledAt(demo, 'resumed run', 'approve', 'C1', '--continue');
    expect(killed.signal).toBe('SIGKILL');
    await expectCode(demo, 3, 'run');
    expect(await onlyQuestion(demo)).toEqual({ id: 'C2', name: 'Architecture approval' });
  });
});

describe('the programmer', () => {
  it('goes on from what it left when it was cut off', async () => {
    const demo = await demoAt('Test approval');
    await expectCode(demo, 0, 'approve', 'C3');
    expect((await pawlKilledAt(demo, 'programmer started', 'run')).signal).toBe('SIGKILL');
    // A kill a little later would have come in the middle of this.
    const half = 'export function exportRefunds(): string {\n  // half of it\n';
    write(demo, `${runFolder(demo)}/attempts/${unit}/programmer/1/outputs/source`, half);
    await expectCode(demo, 3, 'run');
    expect(contextOf(demo, 'programmer', 2)).toMatchObject({
      mode: 'continue',
      previous: expect.stringMatching(/attempts\/001-refund-export\/programmer\/1$/),
    });
    expect(attemptFile(demo, 'programmer', 2, 'stdout.log')).toContain(
      '(continue, round 1): gone on from 2 lines',
    );
    expect(attemptFile(demo, 'programmer', 2, 'outputs/source')).toBe(half);
    // This stand-in never ends what it did not begin: when the same was found three times, a person is asked.
    expect(await onlyQuestion(demo)).toEqual({ id: 'C4', name: 'testrunner gate' });
    expect((await expectCode(demo, 0, 'show', 'C4')).stdout).toContain('the tests do not run');
  });

  it('asks for the architecture to be revised when it says too little', async () => {
    const demo = await demoAt('Architecture approval');
    edit(demo, adrPath, '- Format: CSV as in RFC 4180\n', '');
    await expectCode(demo, 4, 'run');
    await expectCode(demo, 0, 'adopt', adrPath, '--reason', 'shorter');
    await expectCode(demo, 3, 'run');
    for (const name of ['Architecture approval', 'Test approval']) {
      const question = await onlyQuestion(demo);
      expect(question.name).toBe(name);
      await expectCode(demo, 3, 'approve', question.id, '--continue');
    }
    expect((await onlyQuestion(demo)).name).toBe('Architecture approval');
    const requested = journal(demo).filter(({ type }) => type === 'revision_requested');
    expect(requested).toMatchObject([{ phase: 'programmer', to: 'architect' }]);
    expect(read(demo, adrPath)).toContain('- Format: CSV');
    expect(read(demo, adrPath)).toContain('- programmer#1: the ADR does not say which format');
    const logs = await expectCode(demo, 0, 'logs', '001-refund-export/programmer');
    expect(logs.stdout).not.toContain('in doubt');
  });
});

describe('a feature that was cancelled', () => {
  it('is never gone on with: the next run starts fresh, and says so', async () => {
    const demo = await demoAt('Test approval');
    const before = await pawlJson<{ heading: { run: string } }>(demo, 'status');
    expect((await pawl(demo, 'cancel', '--reason', 'finance buys a tool')).code).toBe(2);
    await expectCode(demo, 0, 'cancel', '--reason', 'finance buys a tool', '--yes');
    expect((await pawl(demo, 'approve', 'C3')).code).not.toBe(0);

    const fresh = await expectCode(demo, 3, 'run');
    expect(fresh.stdout + fresh.stderr).toContain(before.heading.run);
    expect(fresh.stdout + fresh.stderr).toContain('finance buys a tool');
    expect(fresh.stdout + fresh.stderr).toContain('starts fresh');
    const after = await pawlJson<{ heading: { run: string } }>(demo, 'status');
    expect(after.heading.run).not.toBe(before.heading.run);
    expect(await waiting(demo)).toEqual([{ id: 'C1', name: 'Spec approval' }]);
    expect(has(demo, `.pawl/runs/${before.heading.run}/events`)).toBe(true);
  });
});

function decisions(demo: TestWorkspace): RawEvent[] {
  return journal(demo).filter(({ type }) => type === 'checkpoint_decided');
}
