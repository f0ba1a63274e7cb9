import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readState } from './state-prose.ts';

const phases = ['plan', 'design', 'implementation', 'code-review'];

/** `3 Implementation running | writing the parser`; `…` stands for the prose itself, which is then kept. */
function shown(prose: string, names: readonly string[] = []): string {
  const { phase, name, status, activity, isWhole } = readState(prose, names);
  const told = [phase, name, status].filter((part) => part !== undefined).join(' ');
  return `${told || 'nothing'} | ${isWhole ? activity : '…'}`;
}

describe('prose that proves something', () => {
  it.each([
    [
      'Phase 3 (Implementation) in progress: writing the parser',
      '3 Implementation running | writing the parser',
    ],
    ['Phase 3 ACTIVE - QG-2 iteration 2', '3 running | QG-2 iteration 2'],
    [
      'Phase 2 IN PROGRESS. Creator agents COMPLETE (EN-303).',
      '2 running | Creator agents COMPLETE (EN-303).',
    ],
    ['phase-2 in-progress', '2 running | '],
    ['PHASE_01_IN_PROGRESS', '1 running | '],
    ['Phase 4: running', '4 running | '],
    ['Phase 4 is now running', '4 running | '],
    ['Phase 4 – active – drafting', '4 running | drafting'],
    [
      'Phase 1 in progress. Score: 0.943 PASS. Awaiting revision.',
      '1 running | Score: 0.943 PASS. Awaiting revision.',
    ],
    ['Phase 3 in progress, 2 of 5 agents done', '3 running | 2 of 5 agents done'],
    ['Phase 3 in progress (two agents)', '3 running | (two agents)'],
    ['Phase 3 in progress. Phase 4 is next.', '3 running | Phase 4 is next.'],
    ['Phase 3', '3 | '],
    ['Phase 3 (Research & Analysis)', '3 Research & Analysis | '],
    ['IN_PROGRESS', 'running | '],
    ['in progress', 'running | '],
    ['Active', 'running | '],
    ['COMPLETE', 'completed | '],
    ['Done.', 'completed | '],
    ['ABORTED', 'interrupted | '],
    ['waiting-for-human', 'waiting_human | '],
    ['cancelled', 'cancelled | '],
    ['Blocked', 'blocked | '],
    ['FAILED. The build broke.', 'failed | The build broke.'],
    ['In progress: drafting', 'running | drafting'],
    ['In progress: Phase 3 (Implementation)', '3 Implementation running | '],
    ['Workflow is in progress. Phase 3 active: drafting', '3 running | drafting'],
    ['WORKFLOW COMPLETE. All 4 phases done.', 'completed | All 4 phases done.'],
    ['Workflow COMPLETE - all gates passed', 'completed | all gates passed'],
    ['Workflow not started', 'not_started | '],
    ['Run status: paused', 'paused | '],
    ['Complete.\nAll is well', 'completed | All is well'],
  ])('%s', (prose, expected) => {
    expect(shown(prose)).toBe(expected);
  });
});

describe('prose that proves less than all of it', () => {
  it.each([
    // How the workflow stands is not said.
    ['Phase 2 of 5 complete', '2 | …'],
    ['Phase 2 complete', '2 | …'],
    ['Phase 2 (Design) done. Waiting for the review.', '2 Design | …'],
    ['Phase 3 FAILED: lint', '3 | …'],
    ['Phase 3 blocked', '3 | …'],
    // There is no field for how many there are, nor for a remark.
    ['Phase 2 of 5 in progress', '2 running | …'],
    ['Phase 3 (2nd try) in progress', '3 running | …'],
    ['Phase 3 (blocked) in progress', '3 running | …'],
    ['Phase 3 (it is the one with the five agents) in progress', '3 running | …'],
  ])('%s', (prose, expected) => {
    expect(shown(prose)).toBe(expected);
  });
});

describe('prose that proves nothing', () => {
  it.each([
    'Phase 3 pending execution',
    'Phase 3: pending',
    'Phase 3 not started',
    'Phase 3 not complete',
    'Phase 3 almost done',
    'Phase 3 in progress?',
    'Phase 3: Implementation',
    'Phase 3b in progress',
    'Phase 3.5 in progress',
    'Phase 2/3 in progress',
    'Phase 2 and 3 in progress',
    'Phases 2-4 in progress',
    'Phase 2 complete, Phase 3 in progress',
    'Phase 2 in progress. Phase 3 in progress.',
    'Phase in progress',
    'ALL 10/10 stories COMPLETE. All 5 phases COMPLETE. Pending: the last gate.',
    'Workflow initialized. Phase 1 ready for execution. No phases started.',
    'COMPLETE but for security',
    'COMPLETE, except security',
    'COMPLETE (3 of 5)',
    'COMPLETE. Except security.',
    'COMPLETE. 3/5 agents ran',
    'DONE: EN-302, EN-402',
    'DONE?',
    'not done',
    'Workflow COMPLETE: docs pending',
    'Workflow complete-ish',
    'Paused, then resumed',
    'the audit is running',
    '',
    '?',
  ])('%s', (prose) => {
    expect(shown(prose)).toBe('nothing | …');
  });

  it('is what is longer than anybody reads', () => {
    expect(shown(`Phase 3 in progress. ${'x'.repeat(10_000)}`)).toBe('nothing | …');
  });
});

describe('prose about a pipeline that is known', () => {
  it.each([
    ['Phase 3: Implementation in progress', '3 Implementation running | '],
    ['Phase 3 Implementation in progress: the parser', '3 Implementation running | the parser'],
    ['Phase 4 - Code Review active', '4 Code Review running | '],
    ['Phase 3 (Implementation) in progress', '3 Implementation running | '],
    ['Phase 3: Implementation', '3 Implementation | '],
    // Another phase of it: what it says is told, and contradicts.
    ['Phase 3 (Design) in progress', '3 Design running | '],
    // No phase of it: a remark.
    ['Phase 3 (retry) in progress', '3 running | …'],
    ['Phase 3: Implementations in progress', 'nothing | …'],
    ['Phase 9 in progress', '9 running | '],
  ])('%s', (prose, expected) => {
    expect(shown(prose, phases)).toBe(expected);
  });
});

it('loses no word of what it takes apart', () => {
  const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
  const glue = new Set('the workflow run pipeline orchestration status is now phase'.split(' '));
  const statusWords = 'in progress complete done not started blocked'.split(' ');
  const pieces = fc.constantFrom(
    ...['Phase', ' ', '3', '12', '(', ')', 'Design', 'in progress', 'IN_PROGRESS', 'COMPLETE', 'done', ': '],
    ...[
      '. ',
      ', ',
      ' - ',
      ' of ',
      'workflow ',
      'Workflow is ',
      'not ',
      'blocked',
      'the parser',
      '\n',
      '_',
      '/',
    ],
  );
  const prose = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 8 }).map((parts) => `Phase 3 ${parts.join('')}`),
  );
  fc.assert(
    fc.property(prose, fc.constantFrom<readonly string[]>([], phases), (text, names) => {
      const { phase, name = '', activity, isWhole } = readState(text, names);
      if (!isWhole) return;
      expect(text.trim().endsWith(activity)).toBe(true);
      const head = text.trim().slice(0, text.trim().length - activity.length);
      const told = new Set([...wordsOf(name), ...glue, ...statusWords, String(phase)]);
      expect(wordsOf(head.replaceAll('_', ' ')).filter((word) => !told.has(word))).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

// A pattern that goes back over what it has seen would take hours for these.
it.each(['Phase 3 ', 'phase', ' ', '(', 'in progress ', '- ', ':', 'Phase 3 in progress '])(
  'is done with prose of %j over and over',
  (piece) => {
    const text = piece.repeat(Math.floor(9_000 / piece.length));
    for (const prose of [text, `Phase 3 ${text}`, `Phase 3 in progress ${text}`, `Workflow ${text}`])
      expect(typeof readState(prose, phases).isWhole).toBe('boolean');
  },
);
