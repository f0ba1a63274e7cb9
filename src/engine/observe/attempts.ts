import type {
  ArtifactAdopted,
  AttemptSucceeded,
  CheckpointDecided,
  OutputRecord,
  RestoredStep,
  ResultsSuperseded,
  StoredEvent,
} from '../../model/event.ts';
import { stepName } from '../../model/names.ts';
import { readReason } from '../../store/records/recorded-reason.ts';
import { runnerActor } from '../open/run-files.ts';
import type { InspectedAttempt, InspectedOutput } from './inspected.ts';

/** Every attempt of a run, by unit, in the order in which they began. */
export type AttemptsByUnit = ReadonlyMap<string, readonly InspectedAttempt[]>;

/** Reads a whole journal: what a ledger keeps is only what still counts. `isHeld`: what has not ended goes on. */
export function gatherAttempts(events: Iterable<StoredEvent>, isHeld: boolean): AttemptsByUnit {
  const history: History = { units: new Map(), steps: new Map() };
  for (const event of events) note(history, event);
  for (const attempts of history.units.values())
    for (const attempt of attempts) if (isHeld && attempt.outcome === 'in-doubt') attempt.outcome = 'running';
  return history.units;
}

/** Whether an event may say something of attempts at these units. */
export function isEventAbout(event: StoredEvent, isMeant: (unit: string) => boolean): boolean {
  return !('unit' in event) || event.unit === undefined || isMeant(event.unit);
}

export function* eventsAbout(
  events: Iterable<StoredEvent>,
  isMeant: (unit: string) => boolean,
): Generator<StoredEvent> {
  for (const event of events) if (isEventAbout(event, isMeant)) yield event;
}

type Draft = { -readonly [Key in keyof InspectedAttempt]: InspectedAttempt[Key] };

interface History {
  readonly units: Map<string, Draft[]>;
  /** By name; each in the order of their numbers. */
  readonly steps: Map<string, Draft[]>;
}

function note(history: History, event: StoredEvent): void {
  switch (event.type) {
    case 'attempt_started':
      Object.assign(take(history, event), {
        inputs: event.inputs ?? {},
        ...(event.unitFile !== undefined && { unitFile: event.unitFile }),
        intent: event.call,
        why: readReason(event),
      });
      return;
    case 'attempt_succeeded':
      succeed(history, take(history, event), event);
      return;
    case 'attempt_failed': {
      const { ms, reason: failure, message, facts, call, cost } = event;
      Object.assign(take(history, event), { outcome: 'failed', ms, failure, message, facts, call, cost });
      return;
    }
    case 'revision_requested': {
      const { ms, type, reason, to, cost } = event;
      const message = `${to}: ${reason}`;
      Object.assign(take(history, event), {
        outcome: 'failed',
        ms,
        failure: type.replace('_', '-'),
        message,
        cost,
      });
      return;
    }
    case 'attempt_paused': {
      const { ms, reason: failure, message, call, cost } = event;
      Object.assign(take(history, event), { outcome: 'paused', ms, failure, message, call, cost });
      return;
    }
    case 'attempt_interrupted': {
      const attempt = take(history, event);
      Object.assign(attempt, { outcome: endedBy(event), ms: event.ms, cost: event.cost });
      if (event.unsent) attempt.intent = undefined;
      return;
    }
    case 'outputs_restored': {
      const attempt = take(history, event);
      const restored = new Map(Object.entries(event.outputs));
      attempt.outputs = attempt.outputs.map((output) => {
        const record = restored.get(output.name);
        return record === undefined ? output : { ...output, path: record.path };
      });
      return;
    }
    case 'artifact_adopted':
      adopt(history, event);
      return;
    case 'checkpoint_decided':
      decide(history, event);
      return;
    case 'results_superseded':
      supersede(history, event);
      return;
    case 'results_restored':
      for (const step of event.steps) restore(history, step);
      return;
    default:
      // Says nothing of an attempt.
      return;
  }
}

/** The runner writes it about what was cut off; everyone else about a claim of their own, which they give back. */
export function endedBy({ actor }: Pick<StoredEvent, 'actor'>): 'interrupted' | 'released' {
  return actor === runnerActor ? 'interrupted' : 'released';
}

interface Place {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly round?: number;
  readonly at: string;
}

/** The attempt that an event is of; of one whose start was lost, what is left of it. */
function take(history: History, { unit, phase, attempt, round = 1, at }: Place): Draft {
  const ofStep = listAt(history.steps, stepName(unit, phase));
  const known = ofStep.findLast((candidate) => candidate.attempt === attempt);
  if (known !== undefined) return known;
  const draft: Draft = {
    phase,
    attempt,
    iteration: round,
    startedAt: at,
    why: undefined,
    outcome: 'in-doubt',
    superseded: undefined,
    ms: undefined,
    cost: undefined,
    intent: undefined,
    call: undefined,
    verdict: undefined,
    passed: undefined,
    score: undefined,
    scores: undefined,
    defects: [],
    decision: undefined,
    failure: undefined,
    message: undefined,
    facts: undefined,
    inputs: {},
    outputs: [],
  };
  ofStep.push(draft);
  listAt(history.units, unit).push(draft);
  return draft;
}

function succeed(history: History, attempt: Draft, event: AttemptSucceeded & Place): void {
  for (const before of standing(history, event.unit, event.phase))
    if (before.iteration === attempt.iteration) before.superseded = 'replaced';
  Object.assign(attempt, {
    outcome: 'succeeded',
    ms: event.ms,
    cost: event.cost,
    call: event.call,
    ...(event.reused !== undefined && { reused: event.reused, saved: event.saved }),
    verdict: event.verdict,
    passed: event.judged?.passed,
    score: event.judged?.score,
    scores: event.judged?.scores,
    defects: event.judged?.defects ?? [],
    outputs: Object.entries(event.outputs).map(([name, record]) => outputOf(name, record)),
  });
}

function outputOf(name: string, { path, hash, size }: OutputRecord, isAdopted = false): InspectedOutput {
  return { name, path, hash, size, isAdopted };
}

/** An edit takes the place of what the newest attempt that stands has made; a file that nothing made is one itself. */
function adopt(history: History, event: ArtifactAdopted & { readonly at: string }): void {
  const { unit, phase, attempt: number, output: name, after, verdict, at } = event;
  const attempt =
    number === undefined
      ? standing(history, unit, phase).at(-1)
      : take(history, { unit, phase, attempt: number, at });
  if (attempt === undefined) return;
  attempt.outcome = 'succeeded';
  const others = attempt.outputs.filter((output) => output.name !== name);
  attempt.outputs = [...others, outputOf(name, after, true)];
  const { judged } = event;
  if (verdict === undefined || (judged === undefined && verdict === attempt.verdict)) return;
  // What the gate made of the report before the edit is not said of the edited one.
  Object.assign(attempt, {
    verdict,
    passed: judged?.passed,
    score: judged?.score,
    scores: judged?.scores,
    defects: judged?.defects ?? [],
  });
}

/** A word about what the phase has made is one about the newest attempt that made it. */
function decide(history: History, { unit, phase, shown, decision, by, note = '' }: CheckpointDecided): void {
  const ofStep = history.steps.get(stepName(unit, phase)) ?? [];
  const hashes = new Set<string>(Object.values(shown));
  const judged = ofStep.findLast(({ outputs }) => outputs.some(({ hash }) => hashes.has(hash)));
  if (judged !== undefined) judged.decision = { is: decision, by, note };
}

function supersede(history: History, { steps, because }: ResultsSuperseded): void {
  for (const name of steps)
    for (const attempt of history.steps.get(name) ?? [])
      if (attempt.outcome === 'succeeded') attempt.superseded ??= because;
}

/** These attempts count again, and no other one at the step does. */
function restore(history: History, { unit, phase, results }: RestoredStep): void {
  const current = new Map(results.flatMap((result) => (result === null ? [] : [[result.attempt, result]])));
  for (const attempt of history.steps.get(stepName(unit, phase)) ?? []) {
    const result = current.get(attempt.attempt);
    if (result === undefined) {
      if (attempt.outcome === 'succeeded') attempt.superseded ??= 'undone';
      continue;
    }
    attempt.superseded = undefined;
    const before = attempt.outputs;
    attempt.outputs = Object.entries(result.outputs).map(([name, record]) => {
      const same = before.find((output) => output.name === name && output.hash === record.hash);
      return same ?? outputOf(name, record);
    });
  }
}

function standing(history: History, unit: string, phase: string): Draft[] {
  const ofStep = history.steps.get(stepName(unit, phase)) ?? [];
  return ofStep.filter(({ outcome, superseded }) => outcome === 'succeeded' && superseded === undefined);
}

function listAt(lists: Map<string, Draft[]>, key: string): Draft[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: Draft[] = [];
  lists.set(key, list);
  return list;
}
