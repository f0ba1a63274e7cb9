import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isSameName, phaseNamed, readPhaseNumber } from '../../projections/brief/staleness.ts';
import { type Notes, takeNotes } from './notes.ts';
import { type ProseState, readState, readWholeStatus } from './state-prose.ts';
import {
  asPart,
  filled,
  isNothing,
  isSameValue,
  isWordForNothing,
  type NameTable,
  type Respell,
  readId,
  respelled,
} from './values.ts';

/**
 * Version 1 has at the top what version 2 has in `recovery_state`. Takes it there, and out of the top; what contradicts
 * stays where it was. A `recovery_state` that is no map is left alone, and so is all that would go there.
 */
export function migrateRecovery(
  members: Map<string, JsonValue>,
  phases: readonly string[],
  notes: Notes,
): void {
  const found = asPart(members.get('recovery_state'));
  if (!isJsonObject(found)) return;
  const state = new Map(Object.entries(found));
  for (const [key, value] of state) state.set(key, spelled(key, value, notes));
  placeName(state, phases, notes);
  for (const key of movingKeys) moveIn(members, state, { old: key, key }, notes);
  for (const from of [members, state])
    for (const [key, others] of Object.entries(otherNames))
      for (const old of others) moveIn(from, state, { old, key }, notes);
  // Before the prose is compared with the fields, and again with the values taken from it.
  completePhase(state, phases, notes);
  takeProse(members, state, phases, notes);
  completePhase(state, phases, notes);
  tellPhase(state, phases, notes);
  const whole = filled(Object.fromEntries(state), emptyState, 'recovery_state', notes);
  members.set('recovery_state', Object.keys(found).length > 0 ? whole : inDocumentOrder(whole));
}

/** Whether a key of version 1 stands at the top. */
export function isOldKey(key: string): boolean {
  return (
    key === 'current_state' || movingKeys.includes(key) || Object.values(otherNames).flat().includes(key)
  );
}

/** In the order of the document. */
const emptyState: JsonObject = {
  last_checkpoint: null,
  current_phase: null,
  current_phase_name: null,
  workflow_status: '',
  current_activity: '',
  next_step: '',
  context_fill_at_update: null,
  updated_at: null,
};

const movingKeys: readonly string[] = [
  ...Object.keys(emptyState),
  'cross_session_portable',
  'ephemeral_references',
];

/** What other dialects call these fields, at the top or in `recovery_state`. */
const otherNames: NameTable = {
  last_checkpoint: ['last_checkpoint_id', 'latest_checkpoint'],
  // A document that names only the last completed phase says nothing of a later one.
  current_phase: ['last_completed_phase', 'active_phase'],
  current_phase_name: ['active_phase_name'],
  workflow_status: ['workflow_state', 'overall_status'],
  current_activity: ['context_summary', 'activity'],
  next_step: ['next_action', 'next_actions', 'next_steps'],
  updated_at: ['last_updated', 'last_updated_at'],
};

/** For a part that is new as a whole: one that was there keeps its own order. */
function inDocumentOrder(state: JsonObject): JsonObject {
  const place = (key: string) => (movingKeys.includes(key) ? movingKeys.indexOf(key) : movingKeys.length);
  return Object.fromEntries(Object.entries(state).sort(([a], [b]) => place(a) - place(b)));
}

/** Some dialects list several next steps: `first; second`. */
function readNextStep(value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  const steps = value.filter((step): step is string => typeof step === 'string' && step.trim() !== '');
  return steps.length === value.length && steps.length > 0 ? steps.join('; ') : undefined;
}

/** A word for nothing is null. A status is one of the words of version 2. A time keeps its spelling. */
const respells: Readonly<Record<string, Respell>> = {
  last_checkpoint: (value) => readId('CP', value),
  current_phase: (value) => (isWordForNothing(value) ? null : readPhaseNumber(value)),
  context_fill_at_update: (value) => {
    if (isWordForNothing(value)) return null;
    const digits =
      typeof value === 'string' ? /^\s*(\d{1,3}(?:\.\d{1,6})?)\s*%?\s*$/.exec(value)?.[1] : undefined;
    return digits === undefined ? undefined : Number(digits);
  },
  updated_at: (value) => (isWordForNothing(value) ? null : undefined),
  workflow_status: (value) => (typeof value === 'string' ? readWholeStatus(value) : undefined),
  next_step: readNextStep,
};

function spelled(key: string, value: JsonValue, notes: Notes): JsonValue {
  const respell = Object.hasOwn(respells, key) ? respells[key] : undefined;
  return respell === undefined ? value : respelled(value, respell, `recovery_state.${key}`, notes);
}

function moveIn(
  from: Map<string, JsonValue>,
  state: Map<string, JsonValue>,
  { old, key }: { readonly old: string; readonly key: string },
  notes: Notes,
): void {
  const said = from.get(old);
  if (said === undefined) return;
  const meant = spelled(key, said, takeNotes());
  const there = state.get(key);
  const to = `recovery_state.${key}`;
  const path = from === state ? `recovery_state.${old}` : old;
  if (isNothing(meant)) {
    from.delete(old);
    notes.changes.push({ code: 'removed', path, because: 'empty' });
  } else if (isNothing(there)) {
    from.delete(old);
    notes.changes.push({ code: 'moved', path, to });
    state.set(key, spelled(key, said, notes));
  } else if (isSameValue(meant, there)) {
    from.delete(old);
    notes.changes.push({ code: 'removed', path, because: 'same' });
  } else {
    notes.contradictions.push({ code: 'both-places', path, said, holds: to, value: there });
  }
}

function takeProse(
  members: Map<string, JsonValue>,
  state: Map<string, JsonValue>,
  phases: readonly string[],
  notes: Notes,
): void {
  const prose = members.get('current_state');
  if (typeof prose !== 'string' || isNothing(prose) || !isNothing(state.get('current_state'))) {
    moveIn(members, state, { old: 'current_state', key: 'current_state' }, notes);
    return;
  }
  const fromProse = readState(prose, phases);
  const contradictions = disagreements(fromProse, state);
  // What is wrong about one part of it may be wrong about the others: then none of it is taken.
  notes.contradictions.push(...contradictions);
  if (contradictions.length > 0) return;
  const take = (key: string, value: JsonValue | undefined) => {
    if (value === undefined || !isNothing(state.get(key))) return;
    state.set(key, value);
    notes.changes.push({ code: 'taken-from-prose', path: `recovery_state.${key}`, value });
  };
  take('current_phase', fromProse.phase);
  take('current_phase_name', fromProse.name);
  take('workflow_status', fromProse.status);
  const activity = state.get('current_activity');
  const isAllInFields = fromProse.isWhole && (isNothing(activity) || activity === fromProse.activity);
  if (!isAllInFields) moveIn(members, state, { old: 'current_state', key: 'current_state' }, notes);
  else {
    members.delete('current_state');
    notes.changes.push({ code: 'removed', path: 'current_state', because: 'told-in-fields' });
  }
  const said = isAllInFields ? fromProse.activity : prose;
  take('current_activity', said === '' ? undefined : said);
}

type ProseContradiction = Extract<Notes['contradictions'][number], { readonly code: 'prose-and-field' }>;

function disagreements(fromProse: ProseState, state: ReadonlyMap<string, JsonValue>): ProseContradiction[] {
  const found: ProseContradiction[] = [];
  const compare = <T extends JsonValue>(
    key: string,
    said: T | undefined,
    isSame: (value: JsonValue) => boolean,
  ) => {
    const value = state.get(key);
    if (said === undefined || isNothing(value) || isSame(value)) return;
    found.push({ code: 'prose-and-field', path: `recovery_state.${key}`, said, value });
  };
  compare('current_phase', fromProse.phase, (value) => readPhaseNumber(value) === fromProse.phase);
  compare(
    'current_phase_name',
    fromProse.name,
    (value) => typeof value === 'string' && isSameName(value, fromProse.name ?? ''),
  );
  compare(
    'workflow_status',
    fromProse.status,
    (value) => typeof value === 'string' && readWholeStatus(value) === fromProse.status,
  );
  return found;
}

/** A number and a name of a phase prove each other where the pipeline is known. */
function completePhase(state: Map<string, JsonValue>, phases: readonly string[], notes: Notes): void {
  placeName(state, phases, notes);
  const [phase, name] = [state.get('current_phase'), state.get('current_phase_name')];
  const expected = typeof phase === 'number' ? phases[phase - 1] : undefined;
  if (isNothing(name) && expected !== undefined) add(state, 'current_phase_name', expected, notes);
  const number = typeof name === 'string' ? phaseNamed(phases, name) : undefined;
  if (isNothing(phase) && number !== undefined) add(state, 'current_phase', number, notes);
}

/** A name where the number belongs goes where names belong, if that place is free. */
function placeName(state: Map<string, JsonValue>, phases: readonly string[], notes: Notes): void {
  const [phase, name] = [state.get('current_phase'), state.get('current_phase_name')];
  const number = typeof phase === 'string' ? phaseNamed(phases, phase) : undefined;
  if (phase === undefined || number === undefined || !(isNothing(name) || name === phase)) return;
  state.set('current_phase_name', phase);
  const [path, to] = ['recovery_state.current_phase', 'recovery_state.current_phase_name'];
  notes.changes.push({ code: 'moved', path, to });
  add(state, 'current_phase', number, notes);
}

function add(state: Map<string, JsonValue>, key: string, value: JsonValue, { changes }: Notes): void {
  state.set(key, value);
  changes.push({ code: 'added', path: `recovery_state.${key}`, value });
}

function tellPhase(
  state: ReadonlyMap<string, JsonValue>,
  phases: readonly string[],
  { contradictions }: Notes,
): void {
  const [phase, name] = [state.get('current_phase'), state.get('current_phase_name')];
  if (typeof phase !== 'number' || phases.length === 0) return;
  const expected = phases[phase - 1];
  if (phase > phases.length) contradictions.push({ code: 'phase-beyond-last', phase, last: phases.length });
  else if (typeof name === 'string' && expected !== undefined && !isSameName(name, expected))
    contradictions.push({ code: 'phase-and-name', phase, name, expected });
}
