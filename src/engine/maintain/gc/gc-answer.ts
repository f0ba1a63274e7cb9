import type { LockOwner } from '../../../model/failure.ts';
import type { RunStatus } from '../../../model/status.ts';

/** What a collection removes, or would. */
export interface GcAnswer {
  readonly workspace: string;
  /** False: nothing was changed. */
  readonly deleted: boolean;
  readonly olderThanMs: number;
  readonly keep: 'nothing' | 'approved';
  /** Freed in all. */
  readonly bytes: number;
  readonly runs: readonly CollectedRun[];
  readonly kept: readonly KeptRun[];
  readonly objects: {
    readonly loose: number;
    readonly packs: number;
    /** Of processes that died. */
    readonly leftovers: number;
    readonly bytes: number;
    /** Packs that stay because some of their objects are needed, and what in them is not. */
    readonly partly: { readonly packs: number; readonly objects: number; readonly bytes: number };
    /** Not needed, but too young to be sure. */
    readonly young: { readonly files: number; readonly bytes: number };
    /** Why no object is removed at all. */
    readonly doubts: readonly ObjectDoubt[];
  };
  /** Whoever would keep it from being done now. */
  readonly held: readonly { readonly run: string; readonly holder: LockOwner }[];
}

export interface CollectedRun {
  readonly run: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  /** As it had ended. */
  readonly status: RunStatus;
  /** Its last event. */
  readonly updatedAt: string;
  readonly folder: string;
  readonly keep: 'nothing' | 'approved';
  /** An earlier collection was cut short. */
  readonly unfinished: boolean;
  readonly files: number;
  readonly bytes: number;
  /** The outputs among these files, relative to the workspace. */
  readonly outputs: readonly string[];
  readonly leftAlone: readonly LeftFile[];
}

export interface KeptRun {
  readonly run: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly status: RunStatus;
  readonly updatedAt: string;
  readonly reason: /** Its last event is not old enough. */
    | 'young'
    /** The one of its identity that `run` proves and builds on. */
    | 'newest-completed'
    /** It can be gone on with, or is being. */
    | 'resumable'
    /** Its journal is damaged: nobody knows what it needs. */
    | 'damaged'
    /** A link leads to its folder. */
    | 'through-link'
    /** Only its final outputs are left already. */
    | 'approved-only'
    /** No manifest and no pointer leads to it: it may be somebody's copy. */
    | 'stray';
}

/** A file that a removed run has made, or that lies in its folder, and that stays. */
export interface LeftFile {
  readonly path: string;
  readonly reason: /** It is not as the run made it. */
    | 'edited'
    /** A person's edit, that was adopted. */
    | 'adopted'
    | 'not-made-by-run'
    | 'unreadable'
    /** It leads out of the workspace, or lies behind a link. */
    | 'through-link';
}

/** Where something may name objects that nobody knows of. */
export interface ObjectDoubt {
  readonly reason: 'damaged' | 'unreadable' | 'through-link';
  readonly path: string;
}
