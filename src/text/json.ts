import type { RunHeading } from '../engine/open/find-run.ts';
import type { RunAnswer } from '../engine/run/run-request.ts';
import type { Plan, StepPlan, UnitPlan } from '../planner/plan.ts';
import type { Answered } from './answers.ts';
import { limitWays } from './catalogue/limits.ts';
import { allWaysOn } from './catalogue/refusals.ts';
import { stepOf } from './catalogue/stops.ts';
import { doctorJson, doctorShortcoming } from './doctor.ts';
import { exitCodeOfAnswer } from './exit-codes.ts';
import { nextJson } from './next-json.ts';
import { hint, resumeHint } from './phrases/hints.ts';
import { pausedUntil, waitHint } from './phrases/model-calls.ts';
import { endOf, loud } from './phrases/outcome.ts';
import { plainStyle, type Style } from './style/style.ts';
import { time } from './style/words.ts';

/*
 * The shapes of `--json`. Every document has `ok`, `command` and `exitCode`; one that is not ok has a `reason` that
 * never changes its meaning, the facts, a `message` for people, and under `next` the safe ways on.
 */

/** An answer as data: as in the types, with maps as lists. */
export function answerJson(answered: Answered, narrowing?: readonly string[]): object {
  // A schema is a document of its own: whoever asks for it wants nothing round it.
  if (answered.command === 'schema') return answered.answer;
  if (answered.command === 'next') return nextJson(answered.answer);
  const exitCode = exitCodeOfAnswer(answered);
  const head = {
    ok: exitCode === 0,
    command: answered.command,
    exitCode,
    ...shortcoming(answered, narrowing),
  };
  if (answered.command === 'doctor') return { ...head, ...doctorJson(answered.answer) };
  if (answered.command === 'plan') {
    const { plan, ...rest } = answered.answer;
    return { ...head, ...rest, plan: planJson(plan) };
  }
  return { ...head, ...answered.answer };
}

/** Why an answer is not what one hoped for, and how to go on. */
function shortcoming(
  answered: Answered,
  narrowing: readonly string[] | undefined,
): { reason: string; next: string[] } | undefined {
  switch (answered.command) {
    case 'run':
    case 'resume': {
      const reason = endOf(answered.answer);
      return reason === 'done' ? undefined : { reason, next: waysOnOfRun(answered.answer, narrowing) };
    }
    case 'plan': {
      const { plan, heading } = answered.answer;
      if (plan.refusals.length === 0) return undefined;
      return {
        reason: 'refused',
        next: allWaysOn(plan.refusals, styleFor(heading, narrowing)),
      };
    }
    case 'verify': {
      const { findings, heading } = answered.answer;
      if (loud(findings).length === 0) return undefined;
      return { reason: 'damaged', next: [`to see where it stands: ${hint('status', heading.workspace)}`] };
    }
    case 'doctor':
      return doctorShortcoming(answered.answer);
    case 'prompt': {
      const { unavailable, heading } = answered.answer;
      if (unavailable === undefined) return undefined;
      const next = [`to see where it stands: ${hint('status', heading?.workspace)}`];
      return { reason: 'cannot-prepare', next };
    }
    case 'brief': {
      const { staleness, edits, heading } = answered.answer;
      if (exitCodeOfAnswer(answered) === 0) return undefined;
      const reason =
        staleness.level === 'FRESH' && edits.length > 0 ? 'edited' : staleness.level.toLowerCase();
      return { reason, next: [`to bring it up to the journal: ${hint('brief', heading.workspace)}`] };
    }
    default:
      return undefined;
  }
}

/** A run that another one has replaced is named in every command. */
function styleFor(heading: RunHeading | undefined, narrowing: readonly string[] = []): Style {
  const style = { ...plainStyle, path: heading?.workspace, narrowing };
  return heading?.replacedBy === undefined ? style : { ...style, run: heading.run };
}

function waysOnOfRun(
  { heading, refusals, limits, stops }: RunAnswer,
  narrowing: readonly string[] | undefined,
): string[] {
  const style = styleFor(heading, narrowing);
  const until = pausedUntil(stops);
  return [
    ...allWaysOn(refusals, style),
    ...limitWays(limits, style),
    ...new Set(stops.flatMap((stop) => stepOf(stop) ?? [])),
    ...(until === undefined
      ? []
      : [`to wait until ${time(until)} and go on by itself: ${waitHint(style.path, narrowing)}`]),
    `to go on: ${resumeHint(heading, narrowing)}`,
  ];
}

function planJson({ units, scope: _, ...rest }: Plan): object {
  return { ...rest, units: [...units.values()].map(unitJson) };
}

function unitJson({ cells: steps, ...rest }: UnitPlan): object {
  return { ...rest, cells: steps.map(stepJson) };
}

function stepJson({ decision, ...rest }: StepPlan): object {
  if (!('made' in decision) || decision.made === undefined) return { ...rest, decision };
  const inputs = [...decision.made.inputs].map(([name, consumed]) => ({ name, ...consumed }));
  return { ...rest, decision: { ...decision, made: { ...decision.made, inputs } } };
}
