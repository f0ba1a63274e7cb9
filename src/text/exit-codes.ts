import { unreachable } from '../base/result.ts';
import type { NextAnswer } from '../engine/observe/task-answers.ts';
import { allAsk, type Refusal } from '../model/reason.ts';
import type { Answered } from './answers.ts';
import { exitCodes } from './catalogue/exit-codes.ts';
import { endOf, loud, type RunEnd } from './phrases/outcome.ts';

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
