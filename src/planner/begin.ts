import { interruptionsOf, tookTheSame } from '../ledger/attempts.ts';
import { type ClaimRecord, newestResult, type RunningAttempt, type Step } from '../ledger/ledger.ts';
import { interruptionsDefault, type Phase } from '../model/definition.ts';
import type { CallIntent } from '../model/event.ts';
import { stepName } from '../model/names.ts';
import type { Refusal, RunReason, StopReason } from '../model/reason.ts';
import type { Walk } from './context.ts';
import { isSameUnit } from './fixed-parts.ts';
import type { Decision, MadeFrom } from './plan.ts';
import { attemptsQuestion, heldBefore, interruptionsQuestion } from './questions.ts';

/**
 * Starts an attempt unless something says that only a person may: an attempt in doubt that the manifest wants to
 * be asked about, or a retry budget that is used up. The budget holds over every resume.
 */
export function begin(
  walk: Walk,
  phase: Phase,
  step: Step | undefined,
  because: RunReason,
  made: MadeFrom,
): Decision {
  const cut = step && cutOff(step);
  const why = step === undefined || cut === undefined ? because : interrupted(walk, step, cut);
  const claimed = step && liveClaim(step, walk.context.facts.now);
  if (claimed !== undefined)
    return { do: 'claimed', running: claimed, why, made, had: newestResult(step as Step) };
  const isAnswered = step !== undefined && isWhole(walk, step);
  if (step?.running !== undefined && phase.onInterrupt === 'ask' && !isAnswered) {
    const refusal: Refusal = {
      guard: 'in-doubt',
      unit: step.unit,
      phase: step.phase,
      attempt: step.running.attempt,
      ...inDoubt(step.running),
    };
    return { do: 'refuse', refusals: [refusal], result: undefined };
  }
  if (step?.paused !== undefined && step.paused.until > walk.context.facts.now) {
    const { until, reason: pause, message } = step.paused;
    return { do: 'stop', why: { code: 'paused', until, pause, message }, made };
  }
  const usedUp =
    step && isCounted(walk, phase, step, made) ? usedUpBy(walk, phase, step, isAnswered) : undefined;
  if (usedUp !== undefined) return { do: 'stop', why: usedUp, made };
  const held = phase.checkpoints.length === 0 ? undefined : heldBefore(walk, phase, made);
  if (held !== undefined) return { do: 'stop', why: held, made };
  const missing = missingSources(walk, phase);
  if (missing.length > 0) return { do: 'refuse', refusals: missing, result: step && newestResult(step) };
  return { do: 'run', why, made, had: step && newestResult(step) };
}

const none: readonly never[] = [];

type MissingGround = Pick<Walk, 'context' | 'unit'>;

/** Files without which the step cannot run: found before anything is paid for. */
export function missingSources({ context, unit }: MissingGround, phase: Phase): readonly Refusal[] {
  const revision = context.ledger.revisions.get(context.ledger.revision);
  // A run without a first revision is new: what it cannot do without is asked for before there is one.
  if (revision === undefined) return none;
  const { templates, files } = context.staticsOf(phase.name);
  const before = revision.phases[phase.name];
  const step = { unit: unit.id, phase: phase.name, after: undefined, wouldRun: true } as const;
  const missing: Refusal[] = [];
  // An override falls back to the template of the phase.
  for (const [role, { path, hash }] of templates)
    if (hash === undefined && role !== 'override')
      missing.push({
        ...step,
        guard: 'prompt-changed',
        role,
        path,
        before: before?.templates[role]?.hash,
      });
  for (const [file, { path, hash }] of files)
    if (hash === undefined)
      missing.push({ ...step, guard: 'file-changed', file, path, before: before?.files[file]?.hash });
  if (unit.file?.isMissing === true && context.loaded.fileTakers.has(phase.name))
    missing.push({
      ...step,
      guard: 'unit-changed',
      file: unit.file.path,
      before: undefined,
      isMissing: true,
    });
  return missing.length === 0 ? none : missing;
}

/** Why the manifest grants no further attempt without a person's word. */
function usedUpBy(walk: Walk, phase: Phase, step: Step, isAnswered: boolean): StopReason | undefined {
  const { attempts, interruptions = interruptionsDefault } = phase.retries;
  if (attempts !== undefined && step.failures >= attempts) return attemptsQuestion(walk, phase, step);
  const { ledger, facts } = walk.context;
  const cuts = isAnswered ? 0 : interruptionsOf(ledger, step, facts.boot);
  return cuts >= interruptions ? interruptionsQuestion(walk, step, cuts) : undefined;
}

/** Failures and interruptions count while an attempt would be made from the same: definition, templates, fields, inputs. */
function isCounted(
  { context, unit }: Walk,
  phase: Phase,
  { running, counted }: Step,
  made: MadeFrom,
): boolean {
  const last = running ?? counted;
  if (last === undefined) return true;
  const inputs = Object.fromEntries([...made.inputs].map(([name, { ref }]) => [name, ref]));
  return (
    isSameUnit(context.loaded, unit.id, phase.name, last) &&
    context.isCurrent(last.revision, phase.name) &&
    tookTheSame(last, { inputs, ...(made.preState !== undefined && { preState: made.preState }) })
  );
}

/** What it was asked for has arrived, whole. */
function isWhole({ context }: Walk, { unit, phase }: Step): boolean {
  const { answered } = context.facts;
  return answered !== undefined && answered.size > 0 && answered.has(stepName(unit, phase));
}

/** The newest call that was cut off, by whatever; undefined: none was since the last attempt that ended. */
function cutOff({
  running,
  unended,
}: Step): { readonly attempt: number; readonly call: CallIntent } | undefined {
  if (running === undefined) return unended?.[0];
  return running.call === undefined ? undefined : { attempt: running.attempt, call: running.call };
}

/** A call in doubt comes before any other reason, because it may have been paid. */
function interrupted(
  walk: Walk,
  step: Step,
  { attempt, call: { model, atStake } }: { readonly attempt: number; readonly call: CallIntent },
): RunReason {
  const answered = isWhole(walk, step) ? { answered: true } : {};
  return { code: 'interrupted', attempt, call: { model, atStake, ...answered } };
}

/** What an attempt that never ended may have cost. */
function inDoubt({ call }: RunningAttempt): {
  call?: { readonly model: string; readonly atStake: number | undefined };
} {
  return call === undefined ? {} : { call: { model: call.model, atStake: call.atStake } };
}

/** The attempt under way, if an outside actor has claimed it and still owns it. */
function liveClaim(step: Step, now: string): (RunningAttempt & { readonly claim: ClaimRecord }) | undefined {
  const { running } = step;
  if (running?.claim === undefined || running.claim.until <= now) return undefined;
  return running as RunningAttempt & { readonly claim: ClaimRecord };
}
