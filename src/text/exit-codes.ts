import { unreachable } from '../base/result.ts';
import type { NextAnswer } from '../engine/observe/task-answers.ts';
import { allAsk, type Refusal } from '../model/reason.ts';
import { isAgentTrouble } from './agents.ts';
import type { Answered } from './answers.ts';
import { type ExitCodeRow, exitCodeRows, exitCodeTable } from './exit-code-table.ts';
import type { Trouble } from './troubles/failures.ts';
import { endOf, loud, type RunEnd } from './words/outcome.ts';

type ExitCodes = { readonly [Name in keyof typeof exitCodeTable]: (typeof exitCodeTable)[Name]['code'] };

/** The exit codes by name. */
export const exitCodes = Object.fromEntries(
  Object.entries(exitCodeTable).map(([name, { code }]) => [name, code]),
) as ExitCodes;

/** What a command ends with that a signal has ended, by signal. Any other signal is left to the system. */
export const exitCodesOfSignals: ReadonlyMap<NonNullable<ExitCodeRow['signal']>, number> = new Map(
  exitCodeRows.flatMap(({ signal, code }) => (signal === undefined ? [] : [[signal, code] as const])),
);

export function exitCodeOfAnswer(answered: Answered): number {
  switch (answered.command) {
    case 'run':
    case 'resume':
      return codesOfEnds[endOf(answered.answer)];
    case 'brief': {
      const { isCheck, staleness, edits } = answered.answer;
      const isTrue = staleness.level === 'FRESH' && edits.length === 0;
      return isCheck && !isTrue ? exitCodes.refused : exitCodes.done;
    }
    case 'plan':
      return exitCodeOfPlan(answered.answer.plan.refusals);
    case 'verify': {
      const { findings, outdated, isStrict } = answered.answer;
      if (loud(findings).length > 0) return exitCodes.damaged;
      return isStrict && outdated !== undefined ? exitCodes.refused : exitCodes.done;
    }
    case 'doctor':
      return answered.answer.counts.bad > 0 ? exitCodes.phaseFailed : exitCodes.done;
    case 'prompt':
      return answered.answer.unavailable === undefined ? exitCodes.done : exitCodes.refused;
    case 'next':
      return exitCodeOfNext(answered.answer);
    case 'watch':
    case 'complete':
    case 'fail':
    case 'block':
    case 'unblock':
    case 'heartbeat':
    case 'release':
    case 'brief migrate':
    case 'decide':
    case 'summary':
    case 'agents':
    case 'graph':
    case 'why':
    case 'status':
    case 'runs':
    case 'logs':
    case 'history':
    case 'undo':
    case 'restore':
    case 'cost':
    case 'inspect':
    case 'report':
    case 'diff':
    case 'adopt':
    case 'reset':
    case 'repair':
    case 'gc':
    case 'checkpoints':
    case 'show':
    case 'approve':
    case 'reject':
    case 'cancel':
    case 'schema':
    case 'explain':
    case 'init':
    case 'completion':
    case 'alone':
      return exitCodes.done;
    default:
      return unreachable(answered);
  }
}

const codesOfEnds: Readonly<Record<RunEnd, number>> = {
  done: exitCodes.done,
  interrupted: exitCodes.interrupted,
  refused: exitCodes.refused,
  'phase-failed': exitCodes.phaseFailed,
  'waits-for-person': exitCodes.waitsForPerson,
  'spending-limit': exitCodes.waitsForPerson,
  paused: exitCodes.paused,
};

function exitCodeOfPlan(refusals: readonly Refusal[]): number {
  if (refusals.length === 0) return exitCodes.done;
  return allAsk(refusals) ? exitCodes.waitsForPerson : exitCodes.refused;
}

/** A loop of an agent goes by it: 0 with a task or when all is done, 75 come again later, 3 a person, 1 stuck. */
function exitCodeOfNext({ none }: NextAnswer): number {
  switch (none?.code) {
    case undefined:
    case 'all-done':
      return exitCodes.done;
    case 'nothing-now':
    case 'for-the-runner':
    case 'other-role':
      return exitCodes.paused;
    case 'asks-person':
      return exitCodes.waitsForPerson;
    case 'stuck':
      return exitCodes.phaseFailed;
    default:
      return unreachable(none);
  }
}

export function exitCodeOfTrouble(trouble: Trouble): number {
  // A person looks at the settings of an agent before Pawl writes to them.
  if (isAgentTrouble(trouble)) return exitCodes.refused;
  switch (trouble.reason) {
    case 'manifest-not-found':
    case 'manifest-invalid':
    case 'usage':
    case 'nothing-to-adopt':
    case 'nothing-to-undo':
    case 'no-such-question':
    case 'decision-not-found':
    case 'nothing-to-repair':
    case 'module-failed':
    case 'provider-missing':
    case 'unknown-command':
    case 'unknown-option':
    case 'unknown-reason':
    case 'missing-argument':
    case 'missing-value':
    case 'too-many-arguments':
    case 'bad-value':
    case 'folder-not-found':
    case 'needs-yes':
    case 'unknown-example':
      return exitCodes.usage;
    case 'refused':
    case 'run-terminal':
    case 'adopt-check-failed':
    case 'cannot-restore':
    case 'completion-incomplete':
    case 'cannot-prepare':
    case 'not-claimable':
    case 'not-claimed':
    case 'never-run':
    case 'told-only':
    case 'import-check-failed':
    case 'link-outside':
    case 'run-stale':
    case 'rerun-above':
    case 'declined':
    case 'inside-phase':
    case 'status-blocked':
    case 'question-closed':
    case 'channel-closed':
    case 'files-exist':
    case 'outputs-exist':
    case 'not-a-report':
      return exitCodes.refused;
    case 'which-run':
    case 'which-workspace':
    case 'no-run':
    case 'run-of-another':
    case 'run-not-found':
      return exitCodes.whichRun;
    case 'run-held':
    case 'claim-lost':
    case 'fenced-out':
      return exitCodes.held;
    case 'journal-damaged':
    case 'status-unclear':
    case 'document-unreadable':
    case 'disk-failed':
    case 'archive-failed':
    case 'object-missing':
      return exitCodes.damaged;
    default:
      return unreachable(trouble);
  }
}
