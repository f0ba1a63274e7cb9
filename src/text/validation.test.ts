import { describe, expect, it } from 'vitest';
import type { Consequence, ValidatedSubject, ValidationRow } from '../engine/observe/task-answers.ts';
import { asciiSymbols, plainStyle } from './style/style.ts';
import { validationLines } from './validation.ts';

type About = Pick<ValidationRow, 'check' | 'result'> & Partial<ValidationRow>;

function row(about: About): ValidationRow {
  const { length } = about.subjects ?? [];
  return { count: length, of: length, subjects: [], follows: undefined, ...about };
}

/** What follows, in words. */
function follows(about: About): string {
  return validationLines([row(about)], plainStyle)[1]?.trim() ?? '';
}

const unit = '001-refund-export';
const left = `.pawl/runs/20261115-1203-shop-x7k2/attempts/${unit}/code/2`;

const rows = [
  row({
    check: 'sources',
    result: 'changed',
    subjects: [{ path: 'idea.md', id: 'C3' }],
    follows: { code: 'asks-person' },
  }),
  row({
    check: 'sources',
    result: 'changed',
    subjects: [{ path: 'tone.md' }],
    follows: { code: 'runs-again' },
  }),
  row({
    check: 'artifacts',
    result: 'missing',
    subjects: [
      { path: `specs/${unit}/tasks.md`, unit, phase: 'tasks' },
      { path: `specs/${unit}/tests.md`, unit, phase: 'tdd' },
    ],
    follows: { code: 'runs-again' },
  }),
  row({
    check: 'artifacts',
    result: 'changed',
    subjects: [{ path: 'a.md' }, { path: 'b.md' }],
    follows: { code: 'refused' },
  }),
  row({
    check: 'unfinished',
    result: 'partial',
    subjects: [{ unit, phase: 'code', attempt: 2, files: [`${left}/outputs/one`, 'src/a.ts'] }],
    follows: { code: 'continues' },
  }),
  row({
    check: 'checks',
    result: 'damaged',
    subjects: [
      {
        path: `specs/${unit}/adr.md`,
        unit,
        phase: 'architect',
        detail: 'section "Constitution Check": no table',
      },
    ],
    follows: { code: 'runs-again' },
  }),
  row({
    check: 'questions',
    result: 'asks',
    subjects: [{ id: 'C3', name: 'idea.md changed' }],
    follows: { code: 'asks-person' },
  }),
  row({
    check: 'questions',
    result: 'ok',
    subjects: [
      { id: 'C1', name: 'Spec approval', detail: 'approved' },
      { id: 'C2', name: 'Plan', detail: 'rejected' },
    ],
  }),
];

describe('what was looked at before a run is gone on with', () => {
  it('is a table of what, how it is, and what follows', () => {
    expect(validationLines(rows, plainStyle).join('\n')).toMatchInlineSnapshot(`
      "≠ sources     changed  idea.md
                             → a person has to decide (C3)
      ≠ sources     changed  tone.md
                             → what was made from it runs again
      ✗ artifacts   missing  specs/001-refund-export/tasks.md and 1 more
                             → incomplete: tasks and tdd run again
      ≠ artifacts   edited   a.md and b.md
                             → nothing is run before it is settled: pawl plan
      ~ unfinished  partial  001-refund-export/code: outputs/one and src/a.ts
                             → the next attempt goes on with it
      ✗ checks      failed   specs/001-refund-export/adr.md: section "Constitution C…
                             → incomplete: architect runs again
      ? questions   waiting  C3 idea.md changed
                             → a person has to decide: pawl show C3
      ✓ questions   decided  C1 Spec approval approved and C2 Plan rejected"
    `);
  });

  it('that is all in order is as many lines as there are checks', () => {
    const sound = [
      row({ check: 'sources', result: 'ok', count: 7, of: 7 }),
      row({ check: 'artifacts', result: 'ok', count: 1, of: 1 }),
      row({ check: 'unfinished', result: 'none', subjects: [{ unit: 'a', phase: 'code' }] }),
      row({ check: 'checks', result: 'ok', count: 2, of: 3 }),
      row({ check: 'questions', result: 'none' }),
    ];
    expect(validationLines(sound, plainStyle)).toEqual([
      '✓ sources     as recorded  7 files',
      '✓ artifacts   as recorded  1 file',
      '· unfinished  none         a/code',
      '✓ checks      passed       2 of 3 files',
      '· questions   none         nobody was asked anything',
    ]);
  });

  it.each([
    [80, 79],
    [200, 79],
    [60, 59],
  ])('fits a terminal of %d characters', (width, lengthMax) => {
    const subjects = Array.from(
      { length: 9 },
      (_, nth): ValidatedSubject => ({ path: `${'deep/'.repeat(nth * 4)}${nth}.md` }),
    );
    const long = row({
      check: 'artifacts',
      result: 'missing',
      subjects: subjects.toReversed(),
      follows: { code: 'refused' },
    });
    const lines = validationLines([...rows, long], { ...plainStyle, width });
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(lengthMax);
    expect(lines.find((line) => line.includes('8.md') || line.includes('deep'))).toMatch(/… and 8 more$/);
  });

  it('is readable where there is no UTF-8', () => {
    const text = validationLines(rows, { ...plainStyle, symbols: asciiSymbols }).join('\n');
    expect(text).toMatch(/^[\n -~]*$/);
    expect(text).toContain('-> a person has to decide (C3)');
  });

  it('shows what is in a name and does nothing that it says', () => {
    const bad = '\u001b[2Jgone\n';
    const subject: ValidatedSubject = {
      path: bad,
      unit: 'a',
      phase: bad,
      id: bad,
      name: bad,
      detail: bad,
      files: [bad],
    };
    const all = (['sources', 'artifacts', 'unfinished', 'checks', 'questions'] as const).map((check) =>
      row({ check, result: 'damaged', subjects: [subject], follows: { code: 'restarts', from: bad } }),
    );
    expect(validationLines(all, plainStyle).join('')).not.toContain(bad);
    expect(validationLines(all, plainStyle)).toHaveLength(10);
    expect(validationLines(all, plainStyle).every((line) => !line.includes('\n'))).toBe(true);
  });
});

describe('what follows', () => {
  it.each<[Consequence, string]>([
    [{ code: 'asks-person' }, '→ a person has to decide (C1)'],
    [{ code: 'refused' }, '→ nothing is run before it is settled: pawl plan'],
    [{ code: 'allowed' }, '→ goes on all the same: an option allows it'],
    [{ code: 'keeps' }, '→ what was made is kept, as decided (C1)'],
    [{ code: 'restarts', from: 'plan' }, '→ done again from plan, as decided (C1)'],
    [{ code: 'adopts' }, '→ taken in; what was made from it runs again'],
    [{ code: 'restores' }, '→ put back as recorded'],
    [{ code: 'runs-again' }, '→ what was made from it runs again'],
    [{ code: 'continues' }, '→ the next attempt goes on with it'],
    [{ code: 'moves-aside' }, '→ moved aside when it runs; pawl adopt takes it in'],
    [{ code: 'waits' }, '→ somebody is at it'],
    [{ code: 'stops' }, '→ it cannot go on by itself: pawl status'],
  ])('%j', (code, words) => {
    expect(
      follows({ check: 'sources', result: 'changed', subjects: [{ path: 'a', id: 'C1' }], follows: code }),
    ).toBe(words);
  });

  it('of a phase names it', () => {
    const again = (...phases: string[]) =>
      follows({
        check: 'artifacts',
        result: 'missing',
        subjects: phases.map((phase) => ({ path: phase, unit: 'a', phase })),
        follows: { code: 'runs-again' },
      });
    expect(again('plan', 'plan')).toBe('→ incomplete: plan runs again');
    expect(again('plan', 'tdd')).toBe('→ incomplete: plan and tdd run again');
  });

  it('of what is unfinished is about the attempt', () => {
    const unfinished = {
      check: 'unfinished',
      result: 'partial',
      subjects: [{ unit: 'a', phase: 'b' }],
    } as const;
    expect(follows({ ...unfinished, follows: { code: 'runs-again' } })).toBe('→ runs again from the start');
    expect(follows({ ...unfinished, follows: { code: 'refused' } })).toBe(
      '→ nothing is run before somebody has looked at it',
    );
  });

  it('of a question is how to see it, once it was asked', () => {
    const asked = (id: string | undefined) =>
      follows({
        check: 'questions',
        result: 'asks',
        subjects: [{ name: 'Plan', ...(id !== undefined && { id }) }],
        follows: { code: 'asks-person' },
      });
    expect(asked('C4')).toBe('→ a person has to decide: pawl show C4');
    expect(asked(undefined)).toBe('→ a person is asked');
  });
});
