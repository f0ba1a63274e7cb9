import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contextOf, TestSpace } from '../../../test/fixtures/hooks.ts';

const prompt = async (space: TestSpace, session = 's1') =>
  contextOf(
    await space.send('claude', { hook_event_name: 'UserPromptSubmit', session_id: session, cwd: space.root }),
  );

const setFill = (space: TestSpace, used_percentage: number | null) =>
  space.status({
    session_id: 's1',
    workspace: { current_dir: space.root },
    context_window: { used_percentage },
  });

describe('a prompt', () => {
  it('is told the fill, the tier and the staleness, once', async () => {
    const space = new TestSpace();
    space.putRun();
    await setFill(space, 62);
    expect(await prompt(space)).toBe(
      '<context-monitor>\nContext fill: 62% (WARNING)\nResumption staleness: FRESH\n</context-monitor>',
    );
    expect(await prompt(space)).toBeUndefined();
  });

  it('is told again when one of them has changed', async () => {
    const space = new TestSpace();
    space.putRun();
    await setFill(space, 62);
    await prompt(space);
    await setFill(space, 63);
    expect(await prompt(space)).toContain('63% (WARNING)');
    space.setJournal(20);
    space.now += 31 * 60_000;
    expect(await prompt(space)).toContain('Resumption staleness: STALE');
    expect(await prompt(space)).toBeUndefined();
  });

  it('is told of the unknown that it is unknown', async () => {
    const space = new TestSpace();
    space.putRun();
    expect(await prompt(space)).toContain('Context fill: unknown (UNKNOWN)');
    expect(await prompt(space)).toBeUndefined();
    expect(space.notes()).toEqual([]);
  });

  it('is told for each session', async () => {
    const space = new TestSpace();
    space.putRun();
    await prompt(space, 's1');
    expect(await prompt(space, 's2')).toBeDefined();
  });

  it('does not mind that somebody is a few events ahead in the same phase', async () => {
    const space = new TestSpace();
    space.putRun({ status: 'running' });
    space.setJournal(20);
    expect(await prompt(space)).toContain('Resumption staleness: FRESH');
    expect(space.log).toEqual([]);
  });

  it.each([
    ['was edited', 'resumption: { recovery_state: {} }\n', 'CRITICAL', 'was edited since'],
    ['is gone', undefined, 'CRITICAL', 'is missing'],
  ])('is told that the document %s', async (_, text, level, words) => {
    const space = new TestSpace();
    const { path } = space.putRun();
    if (text === undefined) rmSync(space.path(path));
    else space.write(path, text);
    const answer = await prompt(space);
    expect(answer).toContain(`Resumption staleness: ${level}`);
    expect(answer).toContain(words);
  });

  it('takes the document before the last for ours: a crash may have left it', async () => {
    const space = new TestSpace();
    const { path, hash } = space.putRun();
    space.putRun({ hash: 'sha256:00', hashBefore: hash });
    expect(space.read(path)).not.toBe('');
    expect(await prompt(space)).toContain('FRESH');
  });

  it('is told nothing without a run that can go on', async () => {
    const space = new TestSpace();
    expect(await prompt(space)).toBeUndefined();
    space.putRun({ status: 'completed' });
    expect(await prompt(space)).toBeUndefined();
  });

  it('does not lose a session to a file that is torn', async () => {
    const space = new TestSpace();
    space.putRun();
    space.write('.pawl/context/s1.json', '{"fill":');
    space.write('.pawl/context/s1.said.json', '7');
    expect(await prompt(space)).toContain('unknown');
    expect(await prompt(space)).toBeUndefined();
  });
});

describe('a tier', () => {
  it('that is left is told to the engine, in either direction', async () => {
    const space = new TestSpace();
    space.putRun();
    for (const fill of [10, 59.9, 60, 79, 80, 99, 20]) {
      await setFill(space, fill);
      await prompt(space);
      space.now += 1000;
    }
    expect(space.notes().map(({ kind, fill, tier }) => [kind, fill, tier])).toEqual([
      ['context-crossed', 60, 'WARNING'],
      ['context-crossed', 80, 'SEVERE'],
      ['context-crossed', 20, 'NOMINAL'],
    ]);
  });

  it('that is not known is no crossing', async () => {
    const space = new TestSpace();
    space.putRun();
    for (const fill of [null, 30, null]) {
      await setFill(space, fill);
      await prompt(space);
    }
    expect(space.notes()).toEqual([]);
  });

  it('that a session begins in is one, unless there is room', async () => {
    const space = new TestSpace();
    space.putRun();
    await setFill(space, 85);
    await prompt(space);
    expect(space.notes()).toMatchObject([{ kind: 'context-crossed', tier: 'SEVERE' }]);
  });
});

describe('a prompt after a compaction', () => {
  const compact = (space: TestSpace, session: string) =>
    space.send('gemini', {
      hook_event_name: 'PreCompress',
      session_id: session,
      cwd: space.root,
      trigger: 'manual',
    });
  const prompted = async (space: TestSpace) => {
    const payload = { hook_event_name: 'BeforeAgent', session_id: 's1', cwd: space.root, prompt: 'go on' };
    return contextOf(await space.send('gemini', payload));
  };

  it('of an agent that says nothing then is told where the work stands, once', async () => {
    const space = new TestSpace();
    space.putRun();
    await prompted(space);
    await compact(space, 's1');
    space.now += 1000;
    expect(await prompted(space)).toMatch(/^The context was compacted \(CX-001.*Write scene 4\./s);
    expect(space.notes()).toMatchObject([{ kind: 'reoriented', upTo: 'CX-001' }]);
    expect(await prompted(space)).toBeUndefined();
  });

  it('of another session is not', async () => {
    const space = new TestSpace();
    space.putRun();
    await prompted(space);
    await compact(space, 's2');
    expect(await prompted(space)).toBeUndefined();
  });
});
