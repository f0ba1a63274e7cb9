import type { Target } from '../open/requests.ts';

/** What somebody who works on a run from outside is asked for. */
export interface ActorRequest extends Target {
  /** Whose journal is written. */
  readonly actor: string;
  /** Displace somebody at the desk of whom nobody can tell whether they live. */
  readonly takeover?: boolean | undefined;
}

export interface NextRequest extends ActorRequest {
  /** Only what is for this role. */
  readonly role?: string | undefined;
  /** This unit and no other; one that the actor has claimed already is handed out again. */
  readonly unit?: string | undefined;
}
