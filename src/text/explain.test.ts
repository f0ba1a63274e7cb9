import { describe, expect, it } from 'vitest';
import type { ExplainAnswer } from './catalogue/kinds.ts';
import { explainText } from './explain.ts';
import { asciiSymbols, plainStyle } from './style/style.ts';

const answer: ExplainAnswer = {
  reason: 'stuck',
  meanings: [
    {
      kind: 'no-task',
      what: 'What is left has failed for good, is blocked, or waits for such.',
      // biome-ignore lint/suspicious/noThenProperty: what --json calls it
      then: 'Nothing is claimed.',
      ways: ['look at it', 'mend it'],
      exitCode: 1,
      page: 'docs/guide/tasks-and-agents.md',
    },
    {
      kind: 'stop',
      what: 'One.',
      // biome-ignore lint/suspicious/noThenProperty: what --json calls it
      then: 'Two.',
      ways: [],
      page: 'docs/reference/words.md',
    },
  ],
};

describe('a word', () => {
  it('is told with all its meanings', () => {
    expect(explainText(answer, plainStyle)).toBe(
      [
        'stuck: why no task is handed out',
        '  What is left has failed for good, is blocked, or waits for such.',
        '  Nothing is claimed.',
        '  → look at it',
        '  → mend it',
        '  exit code 1; more: docs/guide/tasks-and-agents.md',
        '',
        'stuck: why a unit cannot go on',
        '  One.',
        '  Two.',
        '  more: docs/reference/words.md',
      ].join('\n'),
    );
  });

  it('fits a narrow terminal', () => {
    const lines = explainText(answer, { ...plainStyle, symbols: asciiSymbols, width: 40 }).split('\n');
    expect(lines.slice(1, 3)).toEqual([
      '  What is left has failed for good, is',
      '  blocked, or waits for such.',
    ]);
    expect(lines).toContain('  -> mend it');
  });
});

const kinds = [
  { kind: 'word', title: 'a word', reasons: ['cell', 'unit'] },
  { kind: 'guard', title: 'what refuses', reasons: ['a-b', 'c-d'] },
  { kind: 'pause', title: 'what waits', reasons: ['quota'] },
] as const;

it('a kind stands below what its name means', () => {
  const [meaning] = answer.meanings;
  const text = explainText(
    { reason: 'guard', meanings: meaning ? [meaning] : [], kind: kinds[1] },
    plainStyle,
  );
  expect(text.split('\n').slice(-3)).toEqual(['', 'what refuses', '  a-b c-d']);
});

it('a word for a thing is told without what follows', () => {
  const page = 'docs/reference/words.md';
  // biome-ignore lint/suspicious/noThenProperty: what --json calls it
  const meanings = [{ kind: 'word', what: 'A step.', then: '', ways: [], page }] as const;
  expect(explainText({ reason: 'phase', meanings }, plainStyle)).toBe(
    `phase: a word of Pawl\n  A step.\n  more: ${page}`,
  );
});

it('the overview counts the words of each kind, and lists those for things', () => {
  expect(explainText({ overview: kinds }, plainStyle)).toBe(
    [
      'pawl explain WORD says what a word means that Pawl uses, and what can be done about it.',
      '',
      'words for things',
      '  cell unit',
      '',
      'words for why something is so, by kind',
      '  guard    2  what refuses',
      '  pause    1  what waits',
      '',
      'To list the words of one kind, such as guard: pawl explain guard',
      'To list all of them: pawl explain --all',
      'To list the exit codes: pawl help exit-codes',
    ].join('\n'),
  );
});

it('the list stands by kind', () => {
  expect(explainText({ kinds }, plainStyle)).toBe(
    [
      'a word',
      '  cell unit',
      '',
      'what refuses',
      '  a-b c-d',
      '',
      'what waits',
      '  quota',
      '',
      'To read more about one of them, add it to pawl explain. To list the exit codes: pawl help exit-codes',
    ].join('\n'),
  );
});

it('exit codes are told one under the other', () => {
  const exitCodes = [
    { code: 0, name: 'done', means: 'done', example: 'pawl run' },
    { code: 130, name: 'interrupted', means: 'interrupted', example: 'Ctrl-C' },
  ];
  expect(explainText({ exitCodes }, plainStyle).split('\n').slice(0, 5)).toEqual([
    'exit codes, and when a command ends so',
    '    0  done',
    '         pawl run',
    '  130  interrupted',
    '         Ctrl-C',
  ]);
});
