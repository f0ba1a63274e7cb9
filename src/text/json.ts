import type { BriefAnswer } from '../engine/brief/answers.ts';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { RunAnswer } from '../engine/run/run-request.ts';
import type { PromptAnswer } from '../engine/show/call-answers.ts';
import type { PlanAnswer } from '../engine/show/plan.ts';
import type { VerifyAnswer } from '../engine/show/verify.ts';
import type { Plan, StepPlan, UnitPlan } from '../planner/plan.ts';
import { allWaysOn } from './catalogue/refusals.ts';
import { limitWays, stepOf } from './catalogue/stops.ts';
import { hint, resumeHint } from './phrases/hints.ts';
import { pausedUntil, waitHint } from './phrases/model-calls.ts';
import { endOf, loud } from './phrases/outcome.ts';
import { plainStyle, type Style } from './style/style.ts';
import { time } from './style/words.ts';

/*
 * What `--json` has after `ok`, `command` and `exitCode`, of answers that may be not ok: those begin with a `reason`
 * that never changes its meaning and with the safe next steps. Of all other commands the answer is printed as it is.
 */

/** `run` and `resume`: why work is left and how to continue, then the answer. */
export function runFacts(answer: RunAnswer, narrowing: readonly string[] | undefined): object {
  const reason = endOf(answer);
  return reason === 'done' ? answer : { reason, next: waysOnOfRun(answer, narrowing), ...answer };
}

/** `plan`: what `run` would refuse, then the answer with maps as lists. */
export function planFacts({ plan, ...rest }: PlanAnswer, narrowing: readonly string[] | undefined): object {
  const refused = plan.refusals.length > 0 && {
    reason: 'refused',
    next: allWaysOn(plan.refusals, styleFor(rest.heading, narrowing)),
  };
  return { ...refused, ...rest, plan: planJson(plan) };
}

export function verifyFacts(answer: VerifyAnswer): object {
  if (loud(answer.findings).length === 0) return answer;
  const next = [`to see where it stands: ${hint('status', answer.heading.workspace)}`];
  return { reason: 'damaged', next, ...answer };
}

export function promptFacts(answer: PromptAnswer): object {
  if (answer.unavailable === undefined) return answer;
  const next = [`to see where it stands: ${hint('status', answer.heading?.workspace)}`];
  return { reason: 'cannot-prepare', next, ...answer };
}

/** `brief`: with `--check` also how the document is behind the journal. */
export function briefFacts(answer: BriefAnswer): object {
  const { isCheck, staleness, edits, heading } = answer;
  const isFresh = staleness.level === 'FRESH';
  if (!isCheck || (isFresh && edits.length === 0)) return answer;
  const reason = isFresh ? 'edited' : staleness.level.toLowerCase();
  return { reason, next: [`to bring it up to the journal: ${hint('brief', heading.workspace)}`], ...answer };
}

/** Commands name a run that another one has replaced, because without a name they would mean the other. */
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
