import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { readId } from './ids.ts';
import { type Notes, takeNotes } from './notes.ts';
import { isSameName, phaseNamed, readPhaseNumber } from './phase.ts';
import { readState, type ToldState } from './state-prose.ts';
import { readStatus } from './state-status.ts';
import {
  asPart,
  filled,
  isNothing,
  isSameValue,
  isWordForNothing,
  type Respell,
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
  for (const key of movingKeys) moveIn(members, state, key, key, notes);
  moveIn(members, state, 'last_checkpoint_id', 'last_checkpoint', notes);
  // Before the prose is compared with the fields, and again with what it has told.
  completePhase(state, phases, notes);
  takeProse(members, state, phases, notes);
  completePhase(state, phases, notes);
  tellPhase(state, phases, notes);
  const whole = filled(Object.fromEntries(state), emptyState, 'recovery_state', notes);
  members.set('recovery_state', Object.keys(found).length > 0 ? whole : inDocumentOrder(whole));
}

/** Whether a key of version 1 stands at the top. */
export function isOldKey(key: string): boolean {
  return key === 'current_state' || key === 'last_checkpoint_id' || movingKeys.includes(key);
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

/** For a part that is new as a whole: one that was there keeps its own order. */
function inDocumentOrder(state: JsonObject): JsonObject {
  const place = (key: string) => (movingKeys.includes(key) ? movingKeys.indexOf(key) : movingKeys.length);
  return Object.fromEntries(Object.entries(state).sort(([a], [b]) => place(a) - place(b)));
}

/** A word that stands for nothing is null. A time stays as it was written, whatever its spelling. */
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
};

function spelled(key: string, value: JsonValue, notes: Notes): JsonValue {
  const respell = Object.hasOwn(respells, key) ? respells[key] : undefined;
  return respell === undefined ? value : respelled(value, respell, `recovery_state.${key}`, notes);
}

function moveIn(
  members: Map<string, JsonValue>,
  state: Map<string, JsonValue>,
  old: string,
  key: string,
  notes: Notes,
): void {
  const said = members.get(old);
  if (said === undefined) return;
  const meant = spelled(key, said, takeNotes());
  const there = state.get(key);
  const to = `recovery_state.${key}`;
  if (isNothing(meant)) {
    members.delete(old);
    notes.changes.push({ code: 'removed', path: old, because: 'empty' });
  } else if (isNothing(there)) {
    members.delete(old);
    notes.changes.push({ code: 'moved', path: old, to });
    state.set(key, spelled(key, said, notes));
  } else if (isSameValue(meant, there)) {
    members.delete(old);
    notes.changes.push({ code: 'removed', path: old, because: 'same' });
  } else {
    notes.contradictions.push({ code: 'both-places', path: old, said, holds: to, value: there });
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
    moveIn(members, state, 'current_state', 'current_state', notes);
    return;
  }
  const told = readState(prose, phases);
  const contradictions = disagreements(told, state);
  // What is wrong about one part of it may be wrong about the others: then none of it is taken.
  notes.contradictions.push(...contradictions);
  if (contradictions.length > 0) return;
  const take = (key: string, value: JsonValue | undefined) => {
    if (value === undefined || !isNothing(state.get(key))) return;
    state.set(key, value);
    notes.changes.push({ code: 'taken-from-prose', path: `recovery_state.${key}`, value });
  };
  take('current_phase', told.phase);
  take('current_phase_name', told.name);
  take('workflow_status', told.status);
  const activity = state.get('current_activity');
  const isTold = told.isWhole && (isNothing(activity) || activity === told.activity);
  if (!isTold) moveIn(members, state, 'current_state', 'current_state', notes);
  else {
    members.delete('current_state');
    notes.changes.push({ code: 'removed', path: 'current_state', because: 'told-in-fields' });
  }
  const said = isTold ? told.activity : prose;
  take('current_activity', said === '' ? undefined : said);
}

type ProseContradiction = Extract<Notes['contradictions'][number], { readonly code: 'prose-and-field' }>;

function disagreements(told: ToldState, state: ReadonlyMap<string, JsonValue>): ProseContradiction[] {
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
  compare('current_phase', told.phase, (value) => readPhaseNumber(value) === told.phase);
  compare(
    'current_phase_name',
    told.name,
    (value) => typeof value === 'string' && isSameName(value, told.name ?? ''),
  );
  compare(
    'workflow_status',
    told.status,
    (value) => typeof value === 'string' && readStatus(value) === told.status,
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
