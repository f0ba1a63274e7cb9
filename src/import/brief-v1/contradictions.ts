import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Contradiction, Notes } from './notes.ts';
import { readState, readStatus } from './state-prose.ts';
import { isNothing, isWordForNothing } from './values.ts';

/** Parts of a migrated section that cannot all be true. Both stay, because only the owner knows which one is right. */
export function tellContradictions(section: JsonObject, { contradictions }: Notes): void {
  const { recovery_state: state, quality_trajectory: gates } = section;
  if (!isJsonObject(state)) return;
  if (typeof state.workflow_status === 'string' && readStatus(state.workflow_status) === 'completed')
    contradictions.push(...openEnds(state.workflow_status, section, state, isJsonObject(gates) ? gates : {}));
  else contradictions.push(...claimsOfEnd(state));
  contradictions.push(...misplacedStep(state));
}

/** All is done, and something is left to do. */
function openEnds(
  status: string,
  section: JsonObject,
  state: JsonObject,
  { gates_remaining: gates, current_gate: gate }: JsonObject,
): Contradiction[] {
  const found: Contradiction[] = [];
  const { next_step: nextStep } = state;
  if (typeof nextStep === 'string' && phaseToDo(nextStep) !== undefined)
    found.push({ code: 'complete-and-next-step', status, nextStep });
  for (const nextPhase of [state.next_phase, section.next_phase])
    if (isSomething(nextPhase)) found.push({ code: 'complete-and-next-phase', status, nextPhase });
  if (isSomething(gates)) found.push({ code: 'complete-and-gates-remaining', status, gates });
  if (isSomething(gate)) found.push({ code: 'complete-and-current-gate', status, gate });
  return found;
}

/** Something is left to do, and another field says that all is done. */
function claimsOfEnd({
  workflow_status: status,
  current_activity: activity,
  next_step: nextStep,
}: JsonObject) {
  const found: Contradiction[] = [];
  if (typeof status !== 'string' || readStatus(status) === undefined) return found;
  if (typeof activity === 'string' && readState(activity, []).status === 'completed')
    found.push({ code: 'status-and-activity', status, activity });
  if (typeof nextStep === 'string' && saysComplete(nextStep))
    found.push({ code: 'status-and-next-step', status, nextStep });
  return found;
}

/** `Phase 2 complete`, and the next step is `Execute Phase 2`; `PHASE_2_READY`, and it is `Phase 3`. */
function misplacedStep(state: JsonObject): Contradiction[] {
  const { next_step: nextStep, current_phase: phase } = state;
  const todo = typeof nextStep === 'string' ? phaseToDo(nextStep) : undefined;
  if (typeof nextStep !== 'string' || todo === undefined) return [];
  for (const text of [state.current_state, state.current_activity]) {
    if (typeof text !== 'string' || text.length > lengthMax) continue;
    const ready = numberIn(text, phaseReady) ?? numberIn(text, readyForPhase);
    const isComplete = Array.from(text.matchAll(phaseComplete)).some(([, digits]) => Number(digits) === todo);
    if (isComplete || (ready !== undefined && ready !== todo))
      return [{ code: 'next-step-and-state', nextStep, state: text }];
  }
  if (typeof phase === 'number' && todo < phase)
    return [{ code: 'next-step-and-state', nextStep, state: `current_phase ${phase}` }];
  return [];
}

function phaseToDo(nextStep: string): number | undefined {
  return numberIn(nextStep, doesPhase);
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function saysComplete(nextStep: string): boolean {
  return nothingLeft.test(nextStep) || readState(nextStep, []).status === 'completed';
}

function isSomething(value: JsonValue | undefined): value is JsonValue {
  if (Array.isArray(value)) return value.length > 0;
  return !isNothing(value) && !isWordForNothing(value);
}

const lengthMax = 10_000;
const doesPhase =
  /^\s*(?:start|begin|execute|run|continue|resume|launch|dispatch|proceed\s+(?:to|with))\b[^.]{0,80}\bphase[\s_#-]{0,3}(\d{1,4})/i;
const nothingLeft =
  /^\s*(?:none|nothing|no (?:further|more|next))\b[\s\S]{0,200}\b(?:complete|completed|finished|done|released|closed)\b/i;
const phaseComplete =
  /\bphase[\s_#-]{0,3}(\d{1,4})(?!\d)(?:\s?\([^()]{1,60}\))?[\s_:–—-]{0,3}(?:is )?(?:complete|completed|done|finished)(?![a-z])/gi;
const phaseReady = /\bphase[\s_#-]{0,3}(\d{1,4})[\s_:-]{0,3}ready(?![a-z])/i;
const readyForPhase = /\bready for phase[\s_#-]{0,3}(\d{1,4})/i;
