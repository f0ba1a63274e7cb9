import { attemptFailures } from './attempt-failures.ts';
import { callProblems } from './call-problems.ts';
import {
  documentProblems,
  keptRuns,
  notificationProblems,
  stalenesses,
  statusPageProblems,
} from './documents.ts';
import type { Explanation } from './entry.ts';
import { events } from './events.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { exitCodeOfTrouble } from './exit-codes-of-troubles.ts';
import { failures } from './failure-meanings.ts';
import type { Trouble } from './failures.ts';
import { findings } from './findings.ts';
import { guards } from './guards.ts';
import {
  type ExplainAnswer,
  type KindOfReasons,
  kindTitles,
  type Meaning,
  type ReasonKind,
} from './kinds.ts';
import { manifestProblems } from './manifest-problems.ts';
import { notices } from './notices.ts';
import { runReasons, skips } from './run-reasons.ts';
import { installNotes, settingsProblems } from './settings-problems.ts';
import { runEnds, runStatuses, stepStatuses } from './statuses.ts';
import { gateStops, limits, pauses, questions, stops } from './stop-reasons.ts';
import { closedQuestions, noTasks, notClaimable, taskStates } from './task-codes.ts';
import { usageProblems } from './usage-problems.ts';
import { vocabulary } from './vocabulary.ts';

/** Every text that there is, by kind and word. */
export const explanations: Readonly<Record<ReasonKind, Readonly<Record<string, Explanation>>>> = {
  word: vocabulary,
  'run-reason': runReasons,
  skip: skips,
  guard: guards,
  stop: stops,
  'attempt-failure': attemptFailures,
  failure: asTrouble(failures),
  notice: notices,
  question: questions,
  'closed-question': closedQuestions,
  'gate-stop': gateStops,
  pause: pauses,
  limit: limits,
  'cell-status': stepStatuses,
  'run-status': runStatuses,
  'run-end': runEnds,
  'task-state': taskStates,
  'no-task': noTasks,
  'not-claimable': notClaimable,
  'manifest-problem': manifestProblems,
  'usage-problem': usageProblems,
  'call-problem': asTrouble(callProblems),
  finding: findings,
  event: events,
  staleness: stalenesses,
  'document-problem': documentProblems,
  'status-page-problem': statusPageProblems,
  'kept-run': keptRuns,
  'notification-problem': notificationProblems,
  'settings-problem': settingsProblems,
  'install-note': installNotes,
  'exit-code': exitCodeMeanings,
};

const kinds = Object.keys(kindTitles) as ReasonKind[];

/**
 * All meanings of a word, and all words of a kind where that is called so; undefined: it means nothing. Capitals do not
 * count, and `-`, `_` and a space are the same: what is an event in the journal may be a reason elsewhere.
 */
export function explainReason(word: string): Extract<ExplainAnswer, { reason: string }> | undefined {
  const meanings: Meaning[] = [];
  const names: string[] = [];
  for (const kind of kinds) {
    for (const [name, text] of Object.entries(explanations[kind])) {
      if (folded(name) !== folded(word)) continue;
      names.push(name);
      meanings.push(meaningOf(kind, text));
    }
  }
  const kind = kinds.find((name) => name === folded(word));
  const first = names[0] ?? kind;
  if (first === undefined) return undefined;
  const reason = names.includes(word) ? word : first;
  return { reason, meanings, ...(kind !== undefined && { kind: wordsOf(kind) }) };
}

/** Every word, by kind. */
export function listReasons(): readonly KindOfReasons[] {
  return kinds.map(wordsOf);
}

function wordsOf(kind: ReasonKind): KindOfReasons {
  return { kind, title: kindTitles[kind], reasons: Object.keys(explanations[kind]) };
}

/** Everything that can be makeEntries, once, for guesses. */
export function reasonNames(): string[] {
  return [...new Set([...kinds.flatMap((kind) => Object.keys(explanations[kind])), ...kinds])];
}

function meaningOf(kind: ReasonKind, { what, follows, ways, exitCode, page }: Explanation): Meaning {
  // biome-ignore lint/suspicious/noThenProperty: what --json calls it; a meaning is never awaited
  return { kind, what, then: follows, ways, ...(exitCode !== undefined && { exitCode }), page };
}

function folded(word: string): string {
  return word.toLowerCase().replaceAll(/[_ ]/g, '-');
}

/** With the exit code that the command itself would end with: of a trouble nothing but its reason decides that. */
function asTrouble<Reason extends Trouble['reason']>(
  texts: Readonly<Record<Reason, Explanation>>,
): Readonly<Record<Reason, Explanation>> {
  const entries = Object.entries<Explanation>(texts).map(([reason, text]) => {
    const exitCode = exitCodeOfTrouble({ reason } as Trouble);
    return [reason, { ...text, exitCode }] as const;
  });
  return Object.fromEntries(entries) as Readonly<Record<Reason, Explanation>>;
}
