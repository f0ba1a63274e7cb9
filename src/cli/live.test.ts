import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Board } from '../engine/observe/board.ts';
import { plainStyle } from '../text/style/style.ts';
import { LiveView, type Screen } from './live.ts';

const board: Board = {
  heading: {
    run: 'r1',
    pipeline: 'book',
    identity: {},
    status: 'running',
    workspace: '.',
    createdAt: '',
    updatedAt: '',
  },
  kind: 'new',
  phases: ['write', 'lint'],
  units: ['a', 'b'].map((unit) => ({
    unit,
    cells: ['write', 'lint'].map((phase) => ({
      phase,
      status: 'pending',
      iteration: 1,
      attempts: 0,
      verdict: undefined,
    })),
  })),
  extent: {
    unitKey: 'scene',
    doneKey: 'committed',
    units: ['a', 'b'].map((unit, index) => ({ unit, index, finished: false })),
  },
};

const escapeCode = String.fromCharCode(27);
const parts = new RegExp(`${escapeCode}\\[[?\\d]*[a-zA-Z]|\\n|\\r|[^${escapeCode}\\n\\r]+`, 'g');

/** A terminal that understands just what the view writes, and shows what a person would see. */
class FakeTerminal implements Screen {
  columns = 60;
  rows = 12;
  writes = 0;
  /** What a killed process would leave behind. */
  modesSet: string[] = [];
  lines: string[] = [''];
  #row = 0;

  write(text: string): void {
    this.writes += 1;
    for (const [part] of text.matchAll(parts)) this.#take(part);
  }

  #take(part: string): void {
    const moves = part.startsWith(escapeCode) ? /^\[(\d+)A$/.exec(part.slice(1)) : null;
    if (part === '\n') this.lines[++this.#row] ??= '';
    else if (moves) this.#row = Math.max(0, this.#row - Number(moves[1]));
    else if (/^\[\?(?!2026)/.test(part.slice(1))) this.modesSet.push(part);
    else if (part === `${escapeCode}[J`) this.lines.splice(this.#row, this.lines.length, '');
    else if (!part.startsWith(escapeCode) && part !== '\r') this.lines[this.#row] = part;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('draws in place, at most twelve times a second, and leaves the terminal as it was', () => {
  const terminal = new FakeTerminal();
  let nowMs = 0;
  const view = new LiveView(terminal, plainStyle, () => nowMs);

  view.begun(board);
  const before = terminal.writes;
  for (let step = 0; step < 1000; step++) {
    view.progress({
      type: 'attempt-started',
      unit: 'a',
      phase: 'write',
      attempt: step + 1,
      iteration: 1,
      why: { code: 'never-ran' },
    });
  }
  nowMs = 1000;
  vi.advanceTimersByTime(1000);
  expect(terminal.writes - before).toBeLessThanOrEqual(12);
  expect(terminal.lines).toEqual([
    'book r1 new',
    expect.stringMatching(/^scenes {2}[^·]· {2}0 of 2 committed$/),
    'phases: write lint',
    expect.stringMatching(/^[^·] running {2}· pending$/),
    expect.stringMatching(/^ {2}a {2}[^·]·$/),
    '  b  ··',
    expect.stringMatching(/^ {2}. a\/write 1 s \(attempt 1000\)$/),
    '  0 of 4 cells done, 1 running; 1 s',
    '',
  ]);

  view.tell('finishing what runs; again to end it');
  vi.advanceTimersByTime(100);
  expect(terminal.lines.at(-2)).toBe('finishing what runs; again to end it');

  view.progress({
    type: 'attempt-succeeded',
    unit: 'a',
    phase: 'write',
    attempt: 1000,
    iteration: 1,
    ms: 5,
    verdict: undefined,
    judged: undefined,
  });
  view.close();
  expect(terminal.lines).toEqual([
    'book r1 new',
    'scenes  ··  0 of 2 committed',
    'phases: write lint',
    '✓ done  · pending',
    '  a  ✓·',
    '  b  ··',
    '  1 of 4 cells done; 1 s',
    '',
  ]);
  expect(terminal.modesSet).toEqual([]);

  const after = terminal.writes;
  vi.advanceTimersByTime(1000);
  view.close();
  expect(terminal.writes).toBe(after);
});

test('a view that never began writes nothing but what it is told', () => {
  const terminal = new FakeTerminal();
  const view = new LiveView(terminal, plainStyle, () => 0);
  view.tell('stopping');
  view.close();
  expect(terminal.lines).toEqual(['stopping', '']);
});

test('moves up by what the lines take after the terminal became narrower', () => {
  const terminal = new FakeTerminal();
  const view = new LiveView(terminal, plainStyle, () => 0);
  view.begun(board);
  const written: string[] = [];
  terminal.columns = 10;
  terminal.write = (text) => void written.push(text);
  vi.advanceTimersByTime(100);
  // 11, 28, 18, 9, 7, 7 and 25 characters at 10 columns: 2 + 3 + 2 + 1 + 1 + 1 + 3 lines.
  expect(written[0]).toContain(`${escapeCode}[13A`);
  view.close();
});

test('what happens to files is told above the picture, and stays there', () => {
  const terminal = new FakeTerminal();
  const view = new LiveView(terminal, plainStyle, () => 0);
  const restored = (path: string) =>
    view.progress({ type: 'output-restored', unit: 'a', phase: 'write', path });
  restored('before.md');
  view.begun(board);
  view.progress({ type: 'file-set-aside', path: 'out/a.md', to: '.pawl/aside/a.md' });
  vi.advanceTimersByTime(1000);
  for (let at = 0; at < 30; at++) restored(`out/${at}.md`);
  vi.advanceTimersByTime(1000);
  view.close();
  const lines = terminal.lines.filter(
    (line) => line.includes('put back') || line.includes('stood in the way'),
  );
  expect(lines).toHaveLength(20);
  expect(lines.slice(0, 3)).toEqual([
    'before.md put back from the content store',
    'out/a.md stood in the way; moved to .pawl/aside/a.md',
    'out/0.md put back from the content store',
  ]);
  expect(terminal.lines).toContain('… and 12 more like these');
  // The picture stands below them, once.
  expect(terminal.lines.filter((line) => line.startsWith('phases:'))).toHaveLength(1);
  expect(terminal.lines.findIndex((line) => line.startsWith('phases:'))).toBeGreaterThan(
    terminal.lines.indexOf('… and 12 more like these'),
  );
});
