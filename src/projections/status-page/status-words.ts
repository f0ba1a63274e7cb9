import type { RunStatus } from '../../model/status.ts';

/**
 * What the page calls the status of a run.
 *
 * - `IN_PROGRESS`, `WAITING_FOR_HUMAN`, `ABORTED`: is resumed.
 * - `COMPLETE`, `FAILED`, `CANCELLED`: never resumed; a new run starts fresh.
 */
export type StatusWord =
  | 'IN_PROGRESS'
  | 'WAITING_FOR_HUMAN'
  | 'ABORTED'
  | 'COMPLETE'
  | 'FAILED'
  | 'CANCELLED';

/** A paused run goes on by itself; a stopped one has to be taken up, and `FAILED` would say that it cannot be. */
export function statusWordOf(status: RunStatus): StatusWord {
  return words[status];
}

/** What a page claims, in our words. That something runs is never proven by a page. */
export function runStatusOf(word: StatusWord): RunStatus {
  return statuses[word];
}

export function isResumableStatus(word: StatusWord): boolean {
  return word === 'IN_PROGRESS' || word === 'WAITING_FOR_HUMAN' || word === 'ABORTED';
}

/**
 * A status in any spelling: case, `-`, `_` or space between the words, a sign before it. Undefined for anything more
 * (`COMPLETE except security`), for what is doubted (`DONE?`, `~~DONE~~`) and for a sign that says otherwise.
 */
export function readStatusWord(text: string): StatusWord | undefined {
  const word = spellings.get(squash(text));
  if (word === undefined || doubt.test(text)) return undefined;
  return crossedOut.test(text) && (isResumableStatus(word) || word === 'COMPLETE') ? undefined : word;
}

/** Letters and digits only, in lower case. */
export function squash(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const doubt = /[?~]/;
const crossedOut = /[❌❎✖✗✘🚫⛔🛑]/u;

const words: Readonly<Record<RunStatus, StatusWord>> = {
  running: 'IN_PROGRESS',
  paused: 'IN_PROGRESS',
  waiting_human: 'WAITING_FOR_HUMAN',
  stopped: 'ABORTED',
  interrupted: 'ABORTED',
  completed: 'COMPLETE',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
};

const statuses: Readonly<Record<StatusWord, RunStatus>> = {
  IN_PROGRESS: 'running',
  WAITING_FOR_HUMAN: 'waiting_human',
  ABORTED: 'interrupted',
  COMPLETE: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** What else people write. Words that could mean two of them (blocked, waiting, error) are not among these. */
const synonyms: Readonly<Record<StatusWord, readonly string[]>> = {
  IN_PROGRESS: ['active', 'started', 'ongoing'],
  WAITING_FOR_HUMAN: [
    'waiting for approval',
    'waiting on human',
    'awaiting human',
    'awaiting approval',
    'needs human',
  ],
  ABORTED: [],
  COMPLETE: ['done', 'finished', 'succeeded', 'success', 'approved'],
  FAILED: ['fail', 'failure'],
  CANCELLED: ['canceled'],
};

const spellings: ReadonlyMap<string, StatusWord> = new Map([
  ...Object.entries(words).map(([status, word]) => [squash(status), word] as const),
  ...Object.entries(synonyms).flatMap(([word, others]) =>
    [word, ...others].map((text) => [squash(text), word as StatusWord] as const),
  ),
]);
