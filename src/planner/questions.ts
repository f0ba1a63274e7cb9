import { type Hash, hashJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { Step, StepResult } from '../ledger/ledger.ts';
import { feedbackHash, isSameShown, type QuestionRecord } from '../ledger/questions.ts';
import type { Checkpoint, OutputRef, Phase } from '../model/definition.ts';
import type { Question, RunReason, StopReason } from '../model/reason.ts';
import { refHash } from './compare.ts';
import { indexOf, type Walk } from './context.ts';
import { comparedResult, type MadeFrom } from './plan.ts';

/*
 * What people are asked. An answer is bound to the bytes that it was about: the same bytes are never asked about again,
 * other bytes always are. Nothing here remembers anything: the questions and answers of the journal are compared with
 * what would be shown now.
 */

/** What has been said about exactly these bytes. */
export interface Standing {
  readonly decided: QuestionRecord | undefined;
  /** The question as it has to be answered; with its id when it has been asked. */
  readonly asks: Question;
}

/** The newest answer counts; a question that was asked after it is open again. */
export function standingAnswer(
  records: readonly QuestionRecord[],
  about: Omit<Question, 'id'>,
  now: string,
): Standing {
  let decided: QuestionRecord | undefined;
  let open: QuestionRecord | undefined;
  for (const record of records) {
    if (record.over || record.place !== about.place) continue;
    if (!isSameShown(record.shown, about.shown)) {
      // What was approved before something else was rejected is asked about again: the redo is no approval.
      if (record.decided?.decision === 'rejected') decided = undefined;
      continue;
    }
    if (record.decided !== undefined) {
      decided = record;
      open = undefined;
    } else if (record.expires === undefined || record.expires > now) open = record;
  }
  return { decided, asks: { ...about, id: open?.id } };
}

/** Stands before the name of what a changed file was before. */
export const beforeLabel = 'before ';

/** What keeps others from building on a result; undefined: nothing does. */
export function heldByPerson(walk: Walk, phase: Phase, result: StepResult): StopReason | undefined {
  if (result.reported) return undefined;
  return firstHeld(walk, phase, 'after', result, () => madeBy(phase.name, result));
}

/** The same before an attempt starts. */
export function heldBefore(walk: Walk, phase: Phase, made: MadeFrom): StopReason | undefined {
  return firstHeld(walk, phase, 'before', undefined, () => takenBy(phase.name, made));
}

function firstHeld(
  walk: Walk,
  phase: Phase,
  when: Checkpoint['when'],
  own: StepResult | undefined,
  all: () => Question['shown'],
): StopReason | undefined {
  for (const checkpoint of phase.checkpoints) {
    if (checkpoint.when !== when) continue;
    const { show } = checkpoint;
    const stop = askAt(walk, phase, checkpoint, show.length === 0 ? all() : shownNow(walk, phase, show, own));
    if (stop !== undefined) return stop;
  }
  return undefined;
}

/** What a person has said of the report that a gate could not settle, and of what the report is about. */
export function gateQuestion(walk: Walk, phase: Phase, at: number, judged: StepResult): Standing {
  const { unit, context, steps } = walk;
  return standingAnswer(
    steps[at]?.questions ?? [],
    {
      question: 'gate',
      unit: unit.id,
      phase: phase.name,
      place: 'gate',
      name: `${phase.name} gate`,
      shown: reportedBy(phase, judged),
      channels: context.loaded.pipeline.channels,
      redo: phase.gate?.backTo,
      expiresMs: undefined,
    },
    context.facts.now,
  );
}

/** Every attempt was used: a person may grant as many again. */
export function attemptsQuestion(walk: Walk, phase: Phase, step: Step): StopReason {
  const { attempts = 0 } = phase.retries;
  const failure = step.failure?.reason ?? '';
  const { facts } = step.failure ?? {};
  const stop: StopReason = { code: 'attempts-used-up', attempts, failure, ...(facts && { facts }) };
  if (phase.retries.then !== 'ask') return stop;
  const last = { attempt: step.attempts, reason: failure, message: step.failure?.message ?? '' };
  const { decided, asks } = standingAnswer(
    step.questions ?? [],
    {
      question: 'attempts',
      unit: step.unit,
      phase: step.phase,
      place: 'attempts',
      name: `${step.phase}: more attempts`,
      shown: { [`attempt ${step.attempts}`]: hashJson(last as unknown as JsonObject) },
      channels: walk.context.loaded.pipeline.channels,
      redo: undefined,
      expiresMs: undefined,
    },
    walk.context.facts.now,
  );
  return decided === undefined ? { ...stop, asks } : rejected(decided);
}

/** Interrupted too often in a row: a person may let it be started as often again. */
export function interruptionsQuestion(walk: Walk, step: Step, interruptions: number): StopReason {
  const { running, unended } = step;
  const call = running?.call ?? unended?.[0]?.call;
  const attempt = step.attempts;
  const { decided, asks } = standingAnswer(
    step.questions ?? [],
    {
      question: 'interruptions',
      unit: step.unit,
      phase: step.phase,
      place: 'interruptions',
      name: `${step.phase}: interrupted ${interruptions} times`,
      shown: { [`attempt ${attempt}`]: hashJson({ attempt, interruptions }) },
      channels: walk.context.loaded.pipeline.channels,
      redo: undefined,
      expiresMs: undefined,
    },
    walk.context.facts.now,
  );
  if (decided !== undefined) return rejected(decided);
  return {
    code: 'interruptions-used-up',
    interruptions,
    attempt,
    ...(call && { call: { model: call.model, atStake: call.atStake } }),
    asks,
  };
}

/** A person gave feedback on the result: the re-run quotes it. */
export function feedbackSince(step: Step, result: StepResult): RunReason | undefined {
  if (step.feedback === undefined || feedbackHash(step) === result.feedback) return undefined;
  const last = step.feedback.at(-1);
  if (last === undefined) return undefined;
  return last.kind === 'rejection'
    ? { code: 'rejected', checkpoint: last.from, feedback: last.text }
    : { code: 'revision-requested', by: last.from, reason: last.text };
}

/**
 * A rejected result is never met here while there is something to do again: that is under way. Where it has been done
 * again and the bytes are the same, a person is asked again.
 */
function askAt(
  walk: Walk,
  phase: Phase,
  checkpoint: Checkpoint,
  shown: Question['shown'],
): StopReason | undefined {
  const { name, place, channels, expiresMs, backTo } = checkpoint;
  const { context, unit, steps, shape } = walk;
  const { decided, asks } = standingAnswer(
    steps[indexOf(shape.index, phase.name)]?.questions ?? [],
    {
      question: 'approval',
      unit: unit.id,
      phase: phase.name,
      place,
      name,
      shown,
      channels,
      redo: backTo,
      expiresMs,
    },
    context.facts.now,
  );
  if (asks.id === undefined && decided?.decided?.decision === 'approved') return undefined;
  if (asks.id === undefined && decided !== undefined && decided.decided?.redo === undefined)
    return rejected(decided);
  if (decided === undefined && asks.id === undefined && isCarriedOver(walk, phase, place, shown))
    return undefined;
  return { code: 'checkpoint-asks', asks };
}

/**
 * Other bytes were approved, and a person has changed every differing file since. The one who chose to keep
 * it was shown the new bytes, and is not asked about them a second time.
 */
function isCarriedOver(walk: Walk, phase: Phase, place: string, shown: Question['shown']): boolean {
  const at = indexOf(walk.shape.index, phase.name);
  const changes = walk.steps.flatMap((step) => step?.questions ?? []).filter(isKeptFrom(walk, at));
  if (changes.length === 0) return false;
  const last = walk.steps[at]?.questions?.findLast((asked) => asked.place === place && asked.decided);
  const { decided, shown: before = {} } = last ?? {};
  const labels = Object.keys(shown);
  if (decided?.decision !== 'approved' || labels.length !== Object.keys(before).length) return false;
  const isKept = ({ shown: changed, decided: kept }: QuestionRecord, label: string) =>
    changed[label] === shown[label] && (kept?.at ?? '') > decided.at;
  return labels.every((label) => {
    if (before[label] === shown[label]) return true;
    return before[label] !== undefined && changes.some((change) => isKept(change, label));
  });
}

/** A change that a person chose to keep, at least up to this phase. */
function isKeptFrom({ shape }: Walk, at: number): (record: QuestionRecord) => boolean {
  return ({ question, decided }) => {
    if (question !== 'change' || decided?.decision !== 'approved') return false;
    const restart = shape.stage.phases.findIndex(({ name }) => name === decided.restart);
    return decided.restart === undefined || restart > at;
  };
}

function rejected({ id, name, decided }: QuestionRecord): StopReason {
  return { code: 'checkpoint-rejected', id, name, note: decided?.note ?? '' };
}

/** A report that says the same of something else is another one. */
function reportedBy({ name, gate }: Phase, { outputs, inputs }: StepResult): Question['shown'] {
  const shown: Record<string, Hash> = {};
  for (const [input, ref] of Object.entries(inputs ?? {})) {
    const hash = refHash(ref);
    if (hash !== undefined) shown[`${ref.split('#', 1)[0]}.${input}`] = hash;
  }
  // Last: an input may have its name, where the phase takes its own report of the round before.
  const report = gate && outputs[gate.output];
  if (gate !== undefined && report !== undefined) shown[`${name}.${gate.output}`] = report.hash;
  return shown;
}

/** All outputs of an attempt. One without files is identified by its number. */
function madeBy(phase: string, result: StepResult): Question['shown'] {
  const shown: Record<string, Hash> = {};
  for (const [output, { hash }] of Object.entries(result.outputs)) shown[`${phase}.${output}`] = hash;
  if (result.files !== undefined) shown[`${phase} files`] = hashJson(result.files as unknown as JsonObject);
  if (Object.keys(shown).length === 0) shown[`${phase}#${result.attempt}`] = hashJson(result.attempt);
  return shown;
}

function takenBy(phase: string, { inputs }: MadeFrom): Question['shown'] {
  const shown: Record<string, Hash> = {};
  for (const [input, { ref, output }] of inputs) shown[`${ref.split('#', 1)[0]}.${input}`] = output.hash;
  if (Object.keys(shown).length === 0) shown[phase] = hashJson(phase);
  return shown;
}

function shownNow(
  walk: Walk,
  phase: Phase,
  refs: readonly OutputRef[],
  own: StepResult | undefined,
): Question['shown'] {
  const shown: Record<string, Hash> = {};
  for (const ref of refs) {
    const decision = walk.decisions[indexOf(walk.shape.index, ref.phase)];
    const result = ref.phase === phase.name ? own : decision && comparedResult(decision);
    const hash = result?.outputs[ref.output]?.hash;
    if (hash !== undefined) shown[`${ref.phase}.${ref.output}`] = hash;
  }
  return shown;
}
