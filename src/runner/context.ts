import type { CallProcess } from '../base/call-process.ts';
import type { Clock } from '../base/clock.ts';
import type { Hash } from '../base/hash.ts';
import type { Disk } from '../disk/disk.ts';
import type { FileIndex } from '../disk/file-index.ts';
import type { Host } from '../disk/host.ts';
import type { createInsideCheck } from '../disk/safe-path.ts';
import { foldEvent } from '../ledger/fold.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { signDecisions } from '../model/decisions.ts';
import type { Phase, Unit } from '../model/definition.ts';
import type { Decider, EventBody, StoredEvent } from '../model/event.ts';
import { runFile } from '../model/run-folder.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import type { EarlierResultIndex } from '../planner/earlier-results.ts';
import type { Facts, OutputOnDisk } from '../planner/facts.ts';
import type { ContentStore } from '../store/content.ts';
import type { JournalWriter } from '../store/journal.ts';
import type { PhaseFunction } from './executors/task.ts';
import type { Progress } from './progress.ts';

/** All that a runner needs while it carries out a plan. Only the process that holds the run's lock has one. */
export interface RunContext {
  readonly disk: Disk;
  readonly files: FileIndex;
  readonly host: Host;
  readonly clock: Clock;
  /** Variables and modules for code of the user. */
  readonly process: CallProcess;
  /** The workspace, absolute. */
  readonly root: string;
  /** The run's own folder, relative to the workspace. */
  readonly folder: string;
  readonly loaded: LoadedPipeline;
  /** Functions of a pipeline that was given in code, by phase. */
  readonly functions: ReadonlyMap<string, PhaseFunction>;
  readonly ledger: Ledger;
  readonly facts: Omit<Facts, 'now'> & {
    /** Moves on when something was waited for. */
    now: string;
    readonly outputs: Map<string, OutputOnDisk>;
    readonly lost: Set<Hash>;
  };
  readonly journal: JournalWriter;
  /** Receives every event once it is in the ledger. Trouble with a file made from it never comes back through this. */
  readonly recorded?: ((events: readonly StoredEvent[]) => void) | undefined;
  readonly store: ContentStore;
  /** Refuses a path that leads out of the workspace. */
  readonly checkInside: ReturnType<typeof createInsideCheck>;
  /** Whose decisions are recorded. */
  readonly decider?: (() => Decider) | undefined;
  readonly observe: (progress: Progress) => void;
  /** Answers of earlier calls are left alone for this once. */
  readonly noReuse?: boolean;
  /** Results of other runs; undefined: no phase takes any. */
  readonly earlier?: EarlierResultIndex | undefined;
  /** What providers ask to wait for is waited for, however long that is. */
  readonly waits?: boolean;
  /** How many attempts may run at once, instead of what the manifest says. */
  readonly jobs?: number;
  readonly spendLimit?: SpendLimit;
  /** Fires: start nothing more. */
  readonly stop: AbortSignal;
  /** Fires: end what is running. */
  readonly interrupt: AbortSignal;
}

/** How much this invocation may spend. In USD. */
export interface SpendLimit {
  readonly maxUsd: number;
  /** What the run had spent before it. */
  readonly before: number;
}

/** In USD. */
export interface InvocationSpending {
  readonly maxUsd: number;
  /** With what calls that were cut off may have cost. */
  readonly usd: number;
  /** Something was left that did not start because of it. */
  readonly isReached: boolean;
}

/** What is enough to look at a run with, and to put a prompt together. Nothing is written through it. */
export type RunView = Pick<
  RunContext,
  'disk' | 'process' | 'root' | 'folder' | 'loaded' | 'ledger' | 'store'
>;

/** Appends events durably, then folds them and passes them to the listener. Decisions are signed with who made them. */
export async function record(
  run: Pick<RunContext, 'journal' | 'ledger' | 'recorded' | 'decider'>,
  ...events: EventBody[]
): Promise<readonly StoredEvent[]> {
  const stored = await run.journal.append(signDecisions(events, run.decider));
  for (const event of stored) foldEvent(run.ledger, event);
  run.recorded?.(stored);
  return stored;
}

export function inWorkspace(run: Pick<RunContext, 'root'>, path: string): string {
  return `${run.root}/${path}`;
}

/** Where everything of one attempt lies, relative to the workspace. */
export function attemptFolder(
  run: Pick<RunContext, 'folder'>,
  unit: string,
  phase: string,
  attempt: number,
): string {
  return `${runFile(run.folder, 'attempts')}/${unit}/${phase}/${attempt}`;
}

/** The same, absolute. */
export function folderOf(
  run: RunContext,
  { unit, phase, number }: { readonly unit: Unit; readonly phase: Phase; readonly number: number },
): string {
  return inWorkspace(run, attemptFolder(run, unit.id, phase.name, number));
}
