import type { Hash } from '../base/hash.ts';

/** `PHASE#ATTEMPT HASH`: which attempt made it, and what it was. */
export type ArtifactRef = string;

export interface FileVersion {
  readonly path: string;
  readonly hash: Hash;
}

export interface PreState {
  readonly hash: Hash;
  readonly path: string;
  /** `UNIT#ATTEMPT` of the commit that made it; absent for the initial state. */
  readonly from?: string;
}

/** What a gate's report says. */
export interface Judgement {
  readonly passed: boolean;
  readonly score?: number;
  readonly scores?: Readonly<Record<string, number>>;
  readonly defects?: readonly string[];
}
