import type { HookAnswer } from '../call.ts';
import type { Note } from '../inbox.ts';
import type { RunLook } from '../run-look.ts';

/** The result of a call: the answer for the agent, and notes for the engine. */
export interface Outcome {
  /** Undefined: no run is concerned, and nothing is left. */
  readonly look: RunLook | undefined;
  readonly answer: HookAnswer | undefined;
  readonly notes: readonly Note[];
  /** Left only when the answer has reached the agent. */
  readonly notesWhenAnswered: readonly Note[];
}

export const silence: Outcome = { look: undefined, answer: undefined, notes: [], notesWhenAnswered: [] };
