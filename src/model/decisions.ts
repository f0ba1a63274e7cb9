import type { JsonObject } from '../base/json.ts';
import type { EventBody, EventType, RestoredStep } from './event.ts';
import { stepName } from './names.ts';
import type { DecidedBy, Decider } from './question-event.ts';

/** What a decision says, apart from who made it and when. */
export interface DecisionFacts {
  readonly kind: DecisionKind;
  /** What it is about: a flag, a checkpoint, a path, an id. */
  readonly subject?: string | undefined;
  readonly reason?: string | undefined;
  /** The steps that it concerns; empty: the run as a whole. */
  readonly steps: readonly string[];
  /** Names that a note refers to: units, phases, files. */
  readonly affects?: readonly string[];
  /** The guard that it opened, or that the change of results is due to. */
  readonly guard?: string;
  /** The changes that it answers, as `pawl plan` names them. */
  readonly changes?: readonly string[];
}

/** The words under which people find a decision again. */
export type DecisionKind =
  | 'override'
  | 're-run'
  | 'kept'
  | 'adopted'
  | 'approved'
  | 'rejected'
  | 'took over'
  | 'cancelled'
  | 'repaired'
  | 'decided'
  | 'applied'
  | 're-run by policy'
  | 'undone'
  | 'redone'
  | 'restored';

type Of<Type extends EventType> = Extract<EventBody, { readonly type: Type }>;

/**
 * Every type of event that records a decision, and how it reads. An event that is here records who decided, and is
 * listed by `pawl history` and `pawl why`. Undefined for an event of the type that records no decision.
 */
const catalogue: { readonly [Type in EventType]?: (event: Of<Type>) => DecisionFacts | undefined } = {
  override_used: ({ guard, flag, reason, facts }) => ({
    kind: 'override',
    subject: typeof facts.from === 'string' && facts.from !== '' ? `${flag} ${facts.from}` : flag,
    reason,
    steps: typeof facts.cell === 'string' ? [facts.cell] : [],
    guard,
    ...changesOf(facts),
  }),
  results_superseded: ({ steps, because, reason }) => ({
    kind: 're-run',
    subject: because,
    reason,
    steps: steps,
    guard: because,
  }),
  results_kept: ({ steps, guard, reason, rechecked }) => ({
    kind: 'kept',
    subject: rechecked === true ? recheckedSubject : guard,
    reason,
    steps: steps,
    guard,
  }),
  results_restored: ({ steps, undoes, reason }) => ({
    kind: undoes === undefined ? 'restored' : 'undone',
    ...(undoes === undefined && { subject: attemptsOf(steps) }),
    reason,
    steps: steps.map(({ unit, phase }) => stepName(unit, phase)),
  }),
  artifact_adopted: ({ unit, phase, after, reason }) => ({
    kind: 'adopted',
    subject: after.path,
    reason,
    steps: unit === '' ? [] : [stepName(unit, phase)],
  }),
  checkpoint_decided: ({ id, decision, unit, phase, note }) => ({
    kind: decision,
    subject: id,
    reason: note,
    steps: unit === '' ? [] : [stepName(unit, phase)],
  }),
  run_resumed: ({ takeover }) =>
    takeover === true ? { kind: 'took over', subject: '--takeover', steps: [] } : undefined,
  run_ended: ({ status, reason }) =>
    status === 'cancelled' ? { kind: 'cancelled', reason, steps: [] } : undefined,
  damage_accepted: ({ reason }) => ({ kind: 'repaired', subject: 'the journal', reason, steps: [] }),
  decision_recorded: ({ id, decision, because, affects, gate }) => ({
    kind: 'decided',
    subject: `${id} ${decision}`,
    reason: because,
    steps: gate === undefined ? [] : [gate],
    ...(affects !== undefined && { affects }),
  }),
  decision_applied: ({ id }) => ({ kind: 'applied', subject: id, steps: [] }),
};

/** A result that stands because its outputs pass the checks as they are now: no one kept it. */
export const recheckedSubject = 'checks';

function attemptsOf(steps: readonly RestoredStep[]): string {
  const names = steps.map(({ unit, phase, results }) => {
    const newest = Math.max(0, ...results.map((result) => result?.attempt ?? 0));
    return `${stepName(unit, phase)} attempt ${newest}`;
  });
  return names.join(', ');
}

/** A flag that stands for many changes says which; `--force` only where in the manifest they are. */
function changesOf({ changes }: JsonObject): Pick<DecisionFacts, 'changes'> {
  const names = Array.isArray(changes) ? changes.filter((name) => typeof name === 'string') : [];
  return names.length === 0 ? {} : { changes: names };
}

/** What the event decides; undefined: it records no decision. */
export function decisionOf(event: EventBody): DecisionFacts | undefined {
  const read = catalogue[event.type] as ((event: EventBody) => DecisionFacts | undefined) | undefined;
  return read?.(event);
}

/** Says on each decision who made it. What an event says already stays. */
export function signDecisions(
  events: readonly EventBody[],
  decider: (() => Decider) | undefined,
): readonly EventBody[] {
  if (decider === undefined || !events.some((event) => decisionOf(event) !== undefined)) return events;
  const signature: DecidedBy = decider();
  return events.map((event) => (decisionOf(event) === undefined ? event : { ...signature, ...event }));
}
