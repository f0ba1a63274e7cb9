import type { CallProcess } from '../../base/call-process.ts';
import type { Clock } from '../../base/clock.ts';
import type { Hash } from '../../base/hash.ts';
import type { Disk } from '../../disk/disk.ts';
import type { HashedFile } from '../../disk/hash-file.ts';
import type { Host, ProcessName } from '../../disk/host.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Progress } from '../progress.ts';
import type { KeptAnswer, WaitRequest } from './assignment.ts';
import type { TaskInputs } from './input-file.ts';
import type { Connections } from './model-client.ts';
import type { PhaseFunction } from './task.ts';

/**
 * Where an executor runs: everything that it may use besides its assignment. It knows no run, no ledger and no journal,
 * so that a process on another machine can be one.
 */
export interface ExecutorHost {
  readonly content: ExecutorContent;
  /** The attempt's own folder, absolute. The executor makes it, and writes nowhere else. */
  readonly scratch: string;
  /** Where commands start and modules lie, absolute. */
  readonly workspace: string;
  /** Functions of a pipeline that was given in code, by phase: code cannot be sent as data. */
  readonly functions: ReadonlyMap<string, PhaseFunction>;
  readonly disk: Disk;
  readonly machine: Host;
  readonly clock: Clock;
  readonly process: CallProcess;
  /** Fires: start nothing more. */
  readonly stop: AbortSignal;
  /** Fires: end what is running. */
  readonly interrupt: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** Clients of providers, which outlive an attempt so that calls share connections. */
  readonly connections: Connections;
  /** Inputs that this machine has as files already; absent: the executor takes them from the content store. */
  readonly inputs?: TaskInputs | undefined;
  /**
   * Resolves when the process group is on record. A command may not begin before, because a process that is not recorded
   * cannot be ended when this one dies, and its phase would run twice at once.
   */
  recordProcess(process: ProcessName): Promise<void>;
  /**
   * An answer to the call of the assignment that there is already. Asked right before the call is sent, because what was
   * paid for must not be paid again, and only the coordinator knows of earlier attempts and of calls under way.
   */
  findAnswer?(): Promise<KeptAnswer | Refused | undefined>;
}

/** Another attempt has made the same call, and its provider has turned it away: this one would be, too. */
export interface Refused {
  readonly failure: AttemptFailure;
  readonly wait?: WaitRequest | undefined;
}

/** The content store as an executor uses it. */
export interface ExecutorContent {
  /** The bytes, verified by their hash; undefined: there is no good copy. */
  get(hash: Hash): Uint8Array | undefined;
  put(bytes: Uint8Array): Hash;
  /** Like `put`, for a file of any size. Undefined: no such file. `EFBIG` beyond the limit. */
  putFile(path: string, sizeBytesMax: number): Promise<HashedFile | undefined>;
}
