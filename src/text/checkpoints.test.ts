import { expect, test } from 'vitest';
import type { CheckpointView } from '../engine/observe/questions.ts';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { DecideAnswer, ShownContent } from '../engine/people/checkpoints/answers.ts';
import type { Failure } from '../model/failure.ts';
import { questionTroubleNext, questionTroubleTitle } from './catalogue/question-failures.ts';
import { cancelText, checkpointsText, decideText, showText } from './checkpoints.ts';
import { plainStyle } from './style/style.ts';

const at = '2026-11-15T12:03:11.000Z';
const hash = 'sha256:aaaaaaaa1111';
const other = 'sha256:bbbbbbbb2222';

const heading: RunHeading = {
  run: '20261115-1203-feature-x7k2',
  pipeline: 'feature',
  identity: { feature: 'refunds' },
  status: 'waiting_human',
  workspace: '.',
  createdAt: at,
  updatedAt: at,
};

const view: CheckpointView = {
  id: 'C1',
  question: 'approval',
  name: 'Spec approval',
  unit: '001-refunds',
  phase: 'spec',
  state: 'waiting',
  askedAt: at,
  expires: undefined,
  shown: [{ label: 'spec.text', path: 'specs/001/spec.md', hash }],
  channels: ['terminal', 'page'],
  redo: 'spec',
  decided: undefined,
};

const word = { by: 'ann', host: 'mill', channel: 'terminal', at } as const;

test('what waits, and what was decided before', () => {
  const checkpoints: CheckpointView[] = [
    view,
    { ...view, id: 'C4', expires: '2026-11-22T12:03:11.000Z' },
    {
      ...view,
      id: 'C5',
      question: 'change',
      name: 'idea.md changed',
      unit: '',
      phase: '',
      shown: [{ label: 'idea.md', path: 'idea.md', hash }],
    },
    { ...view, id: undefined, state: 'not-asked', askedAt: undefined },
    { ...view, id: 'C2', state: 'approved', decided: { ...word, decision: 'approved' } },
    {
      ...view,
      id: 'C3',
      state: 'rejected',
      decided: { ...word, decision: 'rejected', redo: 'spec', note: 'too long\nand \u001b[31mred' },
    },
    { ...view, id: 'C6', state: 'approved', decided: { ...word, decision: 'approved', restart: 'plan' } },
    { ...view, id: 'C7', state: 'superseded' },
    { ...view, id: 'C8', state: 'expired' },
  ];
  expect(checkpointsText({ heading, checkpoints, history: true }, plainStyle)).toMatchInlineSnapshot(`
    "? C1 Spec approval 001-refunds/spec waits for a person, asked 2026-11-15 12:03:11 UTC
        specs/001/spec.md sha256:aaaaaaaa
    ? C4 Spec approval 001-refunds/spec waits for a person, asked 2026-11-15 12:03:11 UTC, until 2026-11-22 12:03:11 UTC
        specs/001/spec.md sha256:aaaaaaaa
    ? C5 idea.md changed waits for a person, asked 2026-11-15 12:03:11 UTC
        idea.md sha256:aaaaaaaa
    … new Spec approval 001-refunds/spec is to be asked
        specs/001/spec.md sha256:aaaaaaaa
    ✓ C2 Spec approval 001-refunds/spec approved by ann on mill (terminal) at 2026-11-15 12:03:11 UTC, asked 2026-11-15 12:03:11 UTC
        specs/001/spec.md sha256:aaaaaaaa
    ✗ C3 Spec approval 001-refunds/spec rejected by ann on mill (terminal) at 2026-11-15 12:03:11 UTC, asked 2026-11-15 12:03:11 UTC
        specs/001/spec.md sha256:aaaaaaaa
        | too long
        | and red
    ✓ C6 Spec approval 001-refunds/spec approved, restart from plan by ann on mill (terminal) at 2026-11-15 12:03:11 UTC, asked 2026-11-15 12:03:11 UTC
        specs/001/spec.md sha256:aaaaaaaa
    … C7 Spec approval 001-refunds/spec is of no more use: what it was about has changed, asked 2026-11-15 12:03:11 UTC
        specs/001/spec.md sha256:aaaaaaaa
    … C8 Spec approval 001-refunds/spec was asked too long ago, asked 2026-11-15 12:03:11 UTC
        specs/001/spec.md sha256:aaaaaaaa
    ? 3 questions wait for a person; to see what one is about: pawl show C1
    every decision of the run: pawl history"
  `);
});

test('nothing waits, and nothing ever did', () => {
  const nothing = { heading, checkpoints: [] };
  expect(checkpointsText({ ...nothing, history: false }, plainStyle)).toMatchInlineSnapshot(
    `"✓ nothing waits for a person"`,
  );
  expect(checkpointsText({ ...nothing, history: true }, plainStyle)).toMatchInlineSnapshot(
    `"nothing was ever asked"`,
  );
});

test('one question: what it shows, and the ways to answer', () => {
  const text = Array.from({ length: 202 }, (_, line) => `line ${line + 1}`).join('\n');
  const file: ShownContent = {
    label: 'spec.text',
    path: 'specs/001/spec.md',
    hash,
    text: '# Refunds\n',
    size: 10,
    diff: undefined,
  };
  const files: ShownContent[] = [
    file,
    { ...file, path: undefined, label: 'spec.picture', text: undefined, size: 2048 },
    {
      ...file,
      diff: {
        title: 'specs/001/spec.md',
        before: { path: 'specs/001/spec.md', hash: other },
        after: { path: 'specs/001/spec.md', hash },
        lines: [
          { kind: 'removed', text: '# Refund' },
          { kind: 'added', text: '# Refunds' },
        ],
      },
    },
  ];
  expect(showText({ heading, checkpoint: view, files, attempts: [] }, plainStyle)).toMatchInlineSnapshot(`
    "? C1 Spec approval 001-refunds/spec waits for a person, asked 2026-11-15 12:03:11 UTC
        specs/001/spec.md sha256:aaaaaaaa

    specs/001/spec.md sha256:aaaaaaaa, 10 bytes
      # Refunds

    spec.picture sha256:aaaaaaaa, 2 KB
      (no text that could be shown)

    specs/001/spec.md sha256:aaaaaaaa, 10 bytes since it was judged last:
    specs/001/spec.md
    --- specs/001/spec.md (sha256:bbbbbbbb)
    +++ specs/001/spec.md (sha256:aaaaaaaa)
    -# Refund
    +# Refunds

    to answer:
      to approve: pawl approve C1
      to reject with your feedback; spec then re-runs: pawl reject C1"
  `);
  const long = showText(
    { heading, checkpoint: view, files: [{ ...file, text }], attempts: [] },
    plainStyle,
  ).split('\n');
  expect(long.filter((line) => line.startsWith('  line'))).toHaveLength(200);
  expect(long.filter((line) => line.includes('2 more lines'))).toHaveLength(1);
});

test('every kind of question has its ways to answer', () => {
  const spending = { phase: '', limit: 'budget_usd', value: 3.2, max: 3 } as const;
  const kinds: CheckpointView[] = [
    view,
    { ...view, question: 'gate', name: 'lint gate', redo: 'repair' },
    { ...view, name: 'Go', redo: undefined },
    { ...view, question: 'change', name: 'idea.md changed', redo: undefined },
    { ...view, question: 'attempts', name: 'build: more attempts', redo: undefined },
    { ...view, question: 'budget', name: 'budget', unit: '', phase: '', redo: undefined, spending },
  ];
  const said = kinds.map((checkpoint) =>
    showText({ heading, checkpoint: { ...checkpoint, shown: [] }, files: [], attempts: [] }, plainStyle),
  );
  expect(said.join('\n\n')).toMatchInlineSnapshot(`
    "? C1 Spec approval 001-refunds/spec waits for a person, asked 2026-11-15 12:03:11 UTC

    to answer:
      to approve: pawl approve C1
      to reject with your feedback; spec then re-runs: pawl reject C1

    ? C1 lint gate 001-refunds/spec waits for a person, asked 2026-11-15 12:03:11 UTC

    to answer:
      to approve: pawl approve C1
      to reject with your feedback; repair then re-runs: pawl reject C1

    ? C1 Go 001-refunds/spec waits for a person, asked 2026-11-15 12:03:11 UTC

    to answer:
      to approve: pawl approve C1
      to reject with your feedback; the unit then stays where it is: pawl reject C1

    ? C1 idea.md changed 001-refunds/spec waits for a person, asked 2026-11-15 12:03:11 UTC

    to answer:
      to keep what was made: pawl approve C1 --keep
      to re-run from spec on: pawl approve C1 --restart-from spec
      or undo the change

    ? C1 build: more attempts 001-refunds/spec waits for a person, asked 2026-11-15 12:03:11 UTC

    to answer:
      to grant as many attempts again: pawl approve C1
      to leave it, and say why: pawl reject C1

    ? C1 budget waits for a person, asked 2026-11-15 12:03:11 UTC
        budget of the whole run: $3.20 of $3.00 spent (106 %)

    to answer:
      to grant as much again: pawl approve C1
      or raise the budget in the manifest: it is no part of identity, and the next run simply goes on
      to leave it at that, and say why: pawl reject C1"
  `);
});

test('a decision says what follows from it', () => {
  const decided = (more: Partial<DecideAnswer> = {}): DecideAnswer => ({
    heading,
    checkpoint: view,
    decision: 'approved',
    restart: undefined,
    already: false,
    ...more,
  });
  const change: CheckpointView = { ...view, question: 'change', name: 'idea.md changed', redo: undefined };
  const answers = [
    decided(),
    decided({ already: true }),
    decided({ decision: 'rejected' }),
    decided({ decision: 'rejected', checkpoint: { ...view, redo: undefined } }),
    decided({ checkpoint: change }),
    decided({ checkpoint: change, restart: 'plan' }),
    decided({ checkpoint: { ...view, question: 'attempts', redo: undefined } }),
    decided({ checkpoint: { ...view, question: 'budget', redo: undefined } }),
    decided({ decision: 'rejected', checkpoint: { ...view, question: 'budget', redo: undefined } }),
  ];
  expect(answers.map((answer) => decideText(answer, plainStyle)).join('\n')).toMatchInlineSnapshot(`
    "✓ C1 Spec approval approved and recorded; nothing before it runs again; to go on: pawl run
    ✓ C1 Spec approval was approved before; nothing was written; to go on: pawl run
    ✓ C1 Spec approval rejected and recorded; spec is done again with the feedback, and asked about again; to go on: pawl run
    ✓ C1 Spec approval rejected and recorded; the unit stays where it is; to go on: pawl run
    ✓ C1 idea.md changed approved and recorded; what was made is kept; to go on: pawl run
    ✓ C1 idea.md changed approved and recorded; plan and all that comes after it is done again; to go on: pawl run
    ✓ C1 Spec approval approved and recorded; it may be tried as often again; to go on: pawl run
    ✓ C1 Spec approval approved and recorded; as much may be spent again; to go on: pawl run
    ✓ C1 Spec approval rejected and recorded; nothing more is spent while the budget is what it is; to go on: pawl run"
  `);
  const goesOn = answers.map((answer) => decideText(answer, plainStyle, { goesOn: true }));
  expect(goesOn.filter((line) => !line.endsWith('; going on') || line.includes('pawl run'))).toEqual([]);
  expect(cancelText({ heading, reason: 'too dear' }, plainStyle)).toMatchInlineSnapshot(
    `"✓ run 20261115-1203-feature-x7k2 is cancelled for good; its files stay where they are; to start fresh: pawl run"`,
  );
});

test('what keeps a question from being answered', () => {
  const decided = { decision: 'approved', by: 'ann', at };
  const closed = { reason: 'question-closed', id: 'C1', decided: undefined, changes: [] } as const;
  const troubles: Extract<Failure, { reason: 'no-such-question' | 'question-closed' | 'channel-closed' }>[] =
    [
      { reason: 'no-such-question', id: 'C9', open: ['C1', 'C2'] },
      { reason: 'no-such-question', id: 'C9', open: [] },
      { ...closed, why: 'decided', decided },
      { ...closed, why: 'changed', changes: [{ label: 'spec.text', before: hash, after: other }] },
      { ...closed, why: 'superseded' },
      { ...closed, why: 'expired' },
      { reason: 'channel-closed', id: 'C1', channel: 'script', allowed: ['terminal', 'page'] },
      { reason: 'channel-closed', id: 'C1', channel: 'script', allowed: ['page'] },
      { reason: 'channel-closed', id: 'C1', channel: 'mcp', allowed: ['terminal', 'script', 'mcp'] },
    ];
  const said = troubles.flatMap((trouble) => [
    questionTroubleTitle(trouble),
    ...questionTroubleNext(trouble, undefined).map((next) => `  ${next}`),
  ]);
  expect(said.join('\n')).toMatchInlineSnapshot(`
    "nobody is asked C9
      what waits: C1 and C2
      to see what waits: pawl checkpoints
    nobody is asked C9
      to see what waits: pawl checkpoints
    C1 can no longer be answered: it was approved by ann at 2026-11-15 12:03:11 UTC
      to go on: pawl run
    C1 can no longer be answered: what it was about has changed since it was shown (spec.text)
      to have it asked about what is there now: pawl run
      to see what waits: pawl checkpoints
    C1 can no longer be answered: what it was about is no longer there, or no longer matters
      to have it asked about what is there now: pawl run
      to see what waits: pawl checkpoints
    C1 can no longer be answered: it was asked too long ago
      to have it asked about what is there now: pawl run
      to see what waits: pawl checkpoints
    C1 has to be decided by a person, and not by way of a program (script)
      it can be answered by: the terminal
      the manifest says who may answer: channels
    C1 has to be decided by a person, and not by way of a program (script)
      the manifest says who may answer: channels
    C1 has to be decided by a person, and not by way of MCP
      it can be answered by: the terminal, a program (script) and MCP
      the manifest says who may answer: channels"
  `);
});
