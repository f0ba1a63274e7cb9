import type { HookAnswer } from '../call.ts';
import type { Note } from '../inbox.ts';
import type { RunLook } from '../run-look.ts';

/** What comes of a call: what the agent is told, and what is left for the engine. */
export interface Outcome {
  /** Undefined: no run is concerned, and nothing is left. */
  readonly look: RunLook | undefined;
  readonly answer: HookAnswer | undefined;
  readonly notes: readonly Note[];
  /** Left only when the answer has reached the agent. */
  readonly notesWhenTold: readonly Note[];
}

export const silence: Outcome = { look: undefined, answer: undefined, notes: [], notesWhenTold: [] };
