import type { RunStatus } from '../../model/status.ts';

/** How the whole stands, as `workflow_status` says it: in the words for a run, and two that no run of ours needs. */
export type Status = RunStatus | 'not_started' | 'blocked';

export interface StatusAtStart {
  readonly status: Status;
  /** The sign behind it; empty: there is nothing behind it. */
  readonly end: string;
  readonly rest: string;
}

/**
 * The status that a text begins with, in any spelling, and what follows it. It has to end where a clause may end:
 * `COMPLETE but for security` and `DONE?` begin with none.
 */
export function readStatusAt(text: string): StatusAtStart | undefined {
  for (const [status, pattern] of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const behind = text.slice(match[0].length).trim();
    return { status, end: behind.slice(0, 1), rest: behind.replace(separators, '') };
  }
  return undefined;
}

/** A whole text that is nothing but a status. */
export function readStatus(text: string): Status | undefined {
  const found = readStatusAt(text.trim());
  return found?.rest === '' ? found.status : undefined;
}

/** The same of a text that may say first what it is about: `WORKFLOW_COMPLETE`, `Run status: paused`. */
export function readWholeStatus(text: string): Status | undefined {
  return readStatus(text.trim().replace(workflowAtStart, ''));
}

export const workflowAtStart =
  /^(?:the )?(?:workflow|run|pipeline|orchestration)(?:[\s_]status)?(?:[\s_]is|:|[\s_]-)?[\s_]/i;

/** What people write. Words that could mean two of them (pending, ready, error) are not among these. */
const spellings: Readonly<Record<Status, readonly string[]>> = {
  not_started: ['not started', 'not yet started'],
  running: ['running', 'in progress', 'active', 'ongoing', 'underway', 'under way', 'started'],
  waiting_human: [
    'waiting human',
    'waiting for human',
    'waiting for approval',
    'awaiting human',
    'awaiting approval',
    'needs human',
  ],
  paused: ['paused'],
  blocked: ['blocked'],
  stopped: ['stopped'],
  interrupted: ['interrupted', 'aborted'],
  completed: ['completed', 'complete', 'done', 'finished'],
  failed: ['failed'],
  cancelled: ['cancelled', 'canceled'],
};

const endOfClause = '(?=\\s*(?:$|[.!](?:\\s|$)|[:;,(–—]|-{1,3}\\s))';
const separators = /^[\s.:;,!–—-]+/;

const patterns: readonly (readonly [Status, RegExp])[] = Object.entries(spellings).map(([status, words]) => {
  const forms = words.map((form) => form.replaceAll(' ', '[\\s_-]{0,2}')).join('|');
  return [status as Status, new RegExp(`^(?:${forms})${endOfClause}`, 'i')];
});
