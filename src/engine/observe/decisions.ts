import { type DecisionFacts, decisionOf } from '../../model/decisions.ts';
import type { AttemptStarted, DecidedBy, ResultsRestored, StoredEvent } from '../../model/event.ts';
import { stepName } from '../../model/names.ts';
import type { PolicySource } from '../../model/reason.ts';
import { readReason } from '../../store/records/recorded-reason.ts';
import type { DecisionEffect, HistoryEntry } from './history-entry.ts';

/** A decision with the place of its first event. */
export interface PlacedDecision {
  readonly entry: HistoryEntry;
  /** Index of the event in the journal. */
  readonly index: number;
  /** One process wrote everything of the same actor and epoch: the decisions of one call. */
  readonly call: string;
}

/** Every decision that a journal records, in its order. */
export function gatherDecisions(events: Iterable<StoredEvent>): HistoryEntry[] {
  return placeDecisions(events).map(({ entry }) => entry);
}

/** The same with the place of each in the journal. */
export function placeDecisions(events: Iterable<StoredEvent>): PlacedDecision[] {
  const gathering: Gathering = {
    placed: [],
    overrides: [],
    policies: new Map(),
    questions: new Map(),
    parts: [],
    index: -1,
  };
  for (const event of events) {
    gathering.index += 1;
    if (event.type === 'checkpoint_asked') gathering.questions.set(event.id, event.name);
    if (event.type === 'run_resumed' || event.type === 'run_ended') gathering.policies.clear();
    if (event.type === 'attempt_started') notePolicy(gathering, event);
    const facts = decisionOf(event);
    if (facts !== undefined) note(gathering, event, facts);
    else if (event.type !== 'revision_recorded') gathering.overrides = [];
  }
  return gathering.placed;
}

type Draft = { -readonly [Key in keyof HistoryEntry]: HistoryEntry[Key] };

interface Gathering {
  readonly placed: (Omit<PlacedDecision, 'entry'> & { readonly entry: Draft })[];
  /** Overrides of the same call, which the events that follow say the effects of. */
  overrides: Draft[];
  /** Re-runs that a policy asked for in this invocation, by the policy's source. */
  readonly policies: Map<PolicySource, Draft>;
  /** Names of questions by their id. */
  readonly questions: Map<string, string>;
  /** Steps of a decision that takes several events, before its last one. */
  parts: readonly string[];
  index: number;
}

function note(gathering: Gathering, event: StoredEvent, facts: DecisionFacts): void {
  if (event.type === 'results_restored') {
    noteRestored(gathering, event, facts);
    return;
  }
  const effect = effectOf(event, facts);
  const cause = effect && causeOf(gathering.overrides, facts);
  if (effect !== undefined && cause !== undefined) {
    cause.effects = joined(cause.effects, effect);
    return;
  }
  const entry = entryOf(event, facts, gathering.questions);
  entry.effects = effect === undefined ? [] : [effect];
  place(gathering, event, entry);
  if (event.type === 'override_used') gathering.overrides.push(entry);
}

function place({ placed, index }: Gathering, { actor, epoch }: StoredEvent, entry: Draft): void {
  placed.push({ entry, index, call: `${actor}/${epoch}` });
}

/** What takes a decision back that took another one back makes that one stand again. */
function noteRestored(
  gathering: Gathering,
  event: ResultsRestored & StoredEvent,
  facts: DecisionFacts,
): void {
  const steps = [...gathering.parts, ...facts.steps];
  gathering.parts = event.more === true ? steps : [];
  if (event.more === true) return;
  const entry = entryOf(event, facts, gathering.questions);
  entry.effects = [{ kind: facts.kind, steps }];
  if (event.undoes !== undefined) {
    entry.undoes = event.undoes;
    const undone = gathering.placed.flatMap((one) =>
      event.undoes?.includes(one.entry.id) ? [one.entry] : [],
    );
    for (const one of undone) one.undoneBy = entry.id;
    if (undone.some(({ kind }) => kind === 'undone')) entry.kind = 'redone';
    for (const { entry: one } of gathering.placed)
      if (undone.some(({ undoes }) => undoes?.includes(one.id))) delete one.undoneBy;
  }
  place(gathering, event, entry);
}

/** The override that an event about results belongs to: that of the same guard, else the last with its reason. */
function causeOf(overrides: readonly Draft[], { guard, reason = '' }: DecisionFacts): Draft | undefined {
  const alike = overrides.filter((override) => (override.reason ?? '') === reason);
  return alike.findLast((override) => override.guard === guard) ?? alike.at(-1);
}

function effectOf(event: StoredEvent, { kind, steps }: DecisionFacts): DecisionEffect | undefined {
  if (event.type === 'artifact_adopted') return { kind, steps, path: event.after.path };
  if (event.type === 'results_superseded' || event.type === 'results_kept') return { kind, steps };
  return steps.length === 0 ? undefined : { kind, steps };
}

function entryOf(
  event: StoredEvent,
  { kind, subject, reason, affects, guard, changes }: DecisionFacts,
  questions: ReadonlyMap<string, string>,
): Draft {
  const { by, host, channel, agent } = event as DecidedBy;
  const question = event.type === 'checkpoint_decided' ? questions.get(event.id) : undefined;
  return {
    id: `${event.actor}#${event.seq}`,
    at: event.at,
    kind,
    ...(subject !== undefined && { subject }),
    ...(question !== undefined && { question }),
    ...(reason !== undefined && reason !== '' && { reason }),
    ...(guard !== undefined && { guard }),
    ...(changes !== undefined && { changes }),
    effects: [],
    ...(affects !== undefined && affects.length > 0 && { affects }),
    ...(by !== undefined && { by }),
    ...(host !== undefined && { host }),
    ...(channel !== undefined && { channel }),
    ...(agent !== undefined && { agent }),
  };
}

function joined(effects: readonly DecisionEffect[], effect: DecisionEffect): readonly DecisionEffect[] {
  const same = effects.find(({ kind, path }) => kind === effect.kind && path === effect.path);
  if (same === undefined) return [...effects, effect];
  const steps = [...new Set([...same.steps, ...effect.steps])];
  return effects.map((one) => (one === same ? { ...one, steps } : one));
}

/** What the manifest, or a default, answered without a person: one entry for each invocation. */
function notePolicy(gathering: Gathering, event: AttemptStarted & StoredEvent): void {
  const source = policyOf(event);
  if (source === undefined) return;
  const { policies } = gathering;
  let entry = policies.get(source);
  if (entry === undefined) {
    const id = `${event.actor}#${event.seq}`;
    entry = { id, at: event.at, kind: 're-run by policy', effects: [], policy: source };
    policies.set(source, entry);
    place(gathering, event, entry);
  }
  entry.effects = joined(entry.effects, { kind: 're-run', steps: [stepName(event.unit, event.phase)] });
}

/** Who set the policy that an attempt was started by; undefined: it has another reason. */
function policyOf(event: AttemptStarted): PolicySource | undefined {
  const why = readReason(event);
  return 'policy' in why ? why.policy : undefined;
}
