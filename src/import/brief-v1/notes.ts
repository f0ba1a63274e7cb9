import type { JsonValue } from '../../base/json.ts';

/** One thing that a migration did to a section. Paths are of the section: `recovery_state.next_step`. */
export type Change =
  /** From the place or name that it had before, with the same value. */
  | { readonly code: 'moved'; readonly path: string; readonly to: string }
  /** Removed from its old place: it was empty, the new place has the same, or fields hold all of it. */
  | {
      readonly code: 'removed';
      readonly path: string;
      readonly because: 'empty' | 'same' | 'told-in-fields';
    }
  /** Was missing; stands there empty, or as the rest of the document proves it. */
  | { readonly code: 'added'; readonly path: string; readonly value: JsonValue }
  /** Taken out of the prose of `current_state`. */
  | { readonly code: 'taken-from-prose'; readonly path: string; readonly value: JsonValue }
  /** The same in the spelling of version 2. */
  | {
      readonly code: 'rewritten';
      readonly path: string;
      readonly before: JsonValue;
      readonly after: JsonValue;
    }
  /** The same in the form of version 2: a list as a map, a text as an entry. */
  | { readonly code: 'reshaped'; readonly path: string };

/** Two parts of a section that cannot both be true. Nothing is decided here: both stay. */
export type Contradiction =
  /** The old place says otherwise than the new one, which holds. */
  | {
      readonly code: 'both-places';
      readonly path: string;
      readonly said: JsonValue;
      readonly holds: string;
      readonly value: JsonValue;
    }
  /** The prose of `current_state` says otherwise than a field, which holds. */
  | {
      readonly code: 'prose-and-field';
      readonly path: string;
      readonly said: JsonValue;
      readonly value: JsonValue;
    }
  /** All is done, and the next step is to do a phase. */
  | { readonly code: 'complete-and-next-step'; readonly status: string; readonly nextStep: string }
  /** All is done, and another phase is named as the next one. */
  | { readonly code: 'complete-and-next-phase'; readonly status: string; readonly nextPhase: JsonValue }
  /** All is done, and gates are listed as remaining. */
  | { readonly code: 'complete-and-gates-remaining'; readonly status: string; readonly gates: JsonValue }
  /** All is done, and a gate is named as the current one. */
  | { readonly code: 'complete-and-current-gate'; readonly status: string; readonly gate: JsonValue }
  /** The activity says that the workflow is complete, and the status says otherwise. */
  | { readonly code: 'status-and-activity'; readonly status: string; readonly activity: string }
  /** The next step says that the workflow is complete, and the status says otherwise. */
  | { readonly code: 'status-and-next-step'; readonly status: string; readonly nextStep: string }
  /** The next step is to do a phase that is complete, or another one than the phase that is ready. */
  | { readonly code: 'next-step-and-state'; readonly nextStep: string; readonly state: string }
  /** The pipeline has another name for the phase of that number. */
  | {
      readonly code: 'phase-and-name';
      readonly phase: number;
      readonly name: string;
      readonly expected: string;
    }
  /** The pipeline has not so many phases. */
  | { readonly code: 'phase-beyond-last'; readonly phase: number; readonly last: number }
  | {
      readonly code: 'count-and-list';
      readonly path: string;
      readonly count: number;
      readonly length: number;
    }
  | { readonly code: 'gate-completed-and-remaining'; readonly gate: string }
  | { readonly code: 'more-resolved-than-found'; readonly resolved: number; readonly found: number }
  | { readonly code: 'id-twice'; readonly path: string; readonly id: string }
  /** Two lines of one agent. */
  | { readonly code: 'agent-twice'; readonly agent: string };

/** What a reader of the section needs and will not find. The place stays empty, because nothing says what belongs there. */
export interface Warning {
  readonly code: 'left-empty';
  readonly path: string;
}

/** What a migration tells, gathered while it works. */
export interface Notes {
  readonly changes: Change[];
  readonly contradictions: Contradiction[];
}

export function takeNotes(): Notes {
  return { changes: [], contradictions: [] };
}

/** Tries a change that may turn out to be impossible: then none of its notes are kept. */
export function attempt<T>(notes: Notes, work: (draft: Notes) => T | undefined): T | undefined {
  const draft = takeNotes();
  const done = work(draft);
  if (done === undefined) return undefined;
  // One by one: a long document has more of them than a call may have arguments.
  for (const change of draft.changes) notes.changes.push(change);
  for (const contradiction of draft.contradictions) notes.contradictions.push(contradiction);
  return done;
}
