import { describe, expect, it } from 'vitest';
import { edit, read, write } from '../support/workspace.ts';
import {
  adrPath,
  asideOf,
  contextOf,
  demoAt,
  expectCode,
  journal,
  onlyQuestion,
  specPath,
  started,
  waiting,
} from './demo.ts';

const lastRequirement = '- R4: the reason that the customer was given\n';

describe('the guarded spec', () => {
  it('is shown with its difference; a person keeps what was made, and only that edit is settled', async () => {
    const demo = await demoAt('nothing');
    const before = started(demo);
    edit(demo, specPath, lastRequirement, `${lastRequirement}- R5: dates are days\n`);
    const stopped = await expectCode(demo, 3, 'run');
    expect(stopped.stdout).toContain(`${specPath} was edited by hand`);
    const question = await onlyQuestion(demo);
    expect(question).toEqual({ id: 'C5', name: `${specPath} changed` });
    expect((await expectCode(demo, 0, 'show', 'C5')).stdout).toContain('+- R5: dates are days');
    // Neither a yes alone nor another run says what is to become of the rest.
    await expectCode(demo, 2, 'approve', 'C5');
    await expectCode(demo, 3, 'run');
    expect(await onlyQuestion(demo)).toEqual(question);

    await expectCode(demo, 0, 'approve', 'C5', '--keep', '--note', 'it is so already');
    await expectCode(demo, 0, 'run');
    await expectCode(demo, 0, 'run');
    expect(started(demo)).toEqual(before);
    expect(await waiting(demo)).toEqual([]);

    edit(demo, specPath, '- R5: dates are days\n', '- R5: dates are days, in UTC\n');
    await expectCode(demo, 3, 'run');
    expect(await onlyQuestion(demo)).toEqual({ id: 'C6', name: `${specPath} changed` });
    expect(started(demo)).toEqual(before);
  });

  it('can be the start of everything after it', async () => {
    const demo = await demoAt('nothing');
    const before = started(demo).length;
    edit(demo, specPath, lastRequirement, `${lastRequirement}- R5: dates are days\n`);
    await expectCode(demo, 3, 'run');
    await expectCode(demo, 2, 'approve', 'C5', '--restart-from', 'architecture');
    await expectCode(demo, 3, 'approve', 'C5', '--restart-from', 'architect', '--continue');
    // The spec itself was just looked at; what is made from it is another one, and asked about.
    expect(await onlyQuestion(demo)).toEqual({ id: 'C6', name: 'Architecture approval' });
    expect(contextOf(demo, 'architect', 2)).toMatchObject({ mode: 'continue' });
    expect(read(demo, adrPath)).toContain('- R5: dates are days');
    await expectCode(demo, 3, 'approve', 'C6', '--continue');
    await expectCode(demo, 3, 'approve', 'C7', '--continue');
    expect(await onlyQuestion(demo)).toEqual({ id: 'C8', name: 'Release approval' });
    await expectCode(demo, 0, 'approve', 'C8', '--continue');
    // The module that is there is gone on with, and passes at once.
    expect(started(demo).slice(before)).toEqual([
      'architect',
      'tasks',
      'tdd',
      'programmer',
      'testrunner',
      'code-review',
      'security',
      'refactor',
    ]);
    expect(read(demo, specPath)).toContain('- R5: dates are days');
  });

  it('is not approved by whoever keeps an edit of one that never was', async () => {
    const demo = await demoAt('Spec approval');
    write(demo, specPath, `${read(demo, specPath)}- R5: dates are days\n`);
    await expectCode(demo, 4, 'approve', 'C1');
    await expectCode(demo, 3, 'run');
    await expectCode(demo, 3, 'approve', 'C2', '--keep', '--continue');
    expect(await onlyQuestion(demo)).toEqual({ id: 'C3', name: 'Spec approval' });
    expect(started(demo)).toEqual(['spec', 'clarify']);
  });

  it('asks nothing when the edit is undone', async () => {
    const demo = await demoAt('nothing');
    const text = read(demo, specPath);
    write(demo, specPath, `${text}- R5: dates are days\n`);
    await expectCode(demo, 3, 'run');
    write(demo, specPath, text);
    await expectCode(demo, 0, 'run');
    expect(await waiting(demo)).toEqual([]);
    await expectCode(demo, 4, 'approve', 'C5', '--keep');
  });

  it('is not the only file that is guarded: so is the constitution', async () => {
    const demo = await demoAt('Test approval');
    const before = started(demo);
    edit(
      demo,
      'constitution.md',
      '- People can undo',
      '- Words are short: nobody has to look one up\n- People can undo',
    );
    await expectCode(demo, 3, 'run');
    const changed = (await waiting(demo)).find(({ name }) => name === 'constitution.md changed');
    expect(changed).toBeDefined();
    await expectCode(demo, 3, 'approve', changed?.id ?? '', '--restart-from', 'architect', '--continue');
    expect(started(demo)).toEqual([...before, 'architect']);
    expect(read(demo, adrPath)).toContain('| Words are short | COMPLIES |');
  });
});

describe('the Constitution Check', () => {
  it.each([
    ['an exception without a justification', /\| EXCEPTION \| .* \|/, '| EXCEPTION | - |'],
    ['an empty table', /\| Tests first[\s\S]*$/, ''],
    ['the template left in', '| COMPLIES |', '| COMPLIES / EXCEPTION / N/A |'],
    ['no section at all', '## Constitution Check', '## Notes'],
  ])('with %s makes the architect do it again', async (_, found, put) => {
    const demo = await demoAt('Test approval');
    const before = started(demo);
    const good = read(demo, adrPath);
    const bad = good.replace(found, put);
    expect(bad).not.toBe(good);
    write(demo, adrPath, bad);

    await expectCode(demo, 3, 'run');
    expect(started(demo)).toEqual([...before, 'architect']);
    expect(contextOf(demo, 'architect', 2)).toMatchObject({
      mode: 'continue',
      existing: { research: expect.stringContaining('research.md') },
    });
    expect(read(demo, adrPath)).toBe(good);
    expect(asideOf(demo)).toHaveLength(1);
    // The same bytes were approved before, and the tests that wait are the same.
    expect(await onlyQuestion(demo)).toEqual({ id: 'C3', name: 'Test approval' });
    expect(journal(demo).filter(({ type }) => type === 'checkpoint_asked')).toHaveLength(3);
  });
});
