import { type Hash, hashBytes } from '../../base/hash.ts';
import type { HashedFile } from '../../disk/hash-file.ts';
import type { ProcessName } from '../../disk/host.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ContentStore } from '../../store/content.ts';
import { folderOf, type RunContext, record } from '../context.ts';
import type { KeptAnswer } from '../executors/assignment.ts';
import type { ExecutorContent, ExecutorHost, Refused } from '../executors/host.ts';
import type { TaskInputs } from '../executors/input-file.ts';
import type { Connections } from '../executors/model-client.ts';
import type { Attempt } from './attempt.ts';
import type { EarlierAnswer } from './earlier-answers.ts';

/** This process as the host of an attempt's executor. A class, so that an attempt costs no more than what is its own. */
export class LocalHost implements ExecutorHost {
  readonly #run: RunContext;
  readonly #attempt: Attempt;
  readonly #answer: EarlierAnswer | undefined;
  readonly content: AttemptContent;

  constructor(run: RunContext, attempt: Attempt, content: AttemptContent, answer: EarlierAnswer | undefined) {
    this.#run = run;
    this.#attempt = attempt;
    this.#answer = answer;
    this.content = content;
  }

  get scratch(): string {
    return folderOf(this.#run, this.#attempt);
  }

  get workspace(): string {
    return this.#run.root;
  }

  get functions(): ExecutorHost['functions'] {
    return this.#run.functions;
  }

  get disk(): ExecutorHost['disk'] {
    return this.#run.disk;
  }

  get machine(): ExecutorHost['machine'] {
    return this.#run.host;
  }

  get clock(): ExecutorHost['clock'] {
    return this.#run.clock;
  }

  get process(): ExecutorHost['process'] {
    return this.#run.process;
  }

  get stop(): AbortSignal {
    return this.#run.stop;
  }

  get interrupt(): AbortSignal {
    return this.#run.interrupt;
  }

  get progress(): ExecutorHost['progress'] {
    return this.#run.observe;
  }

  get connections(): Connections {
    return connectionsOf(this.#run);
  }

  get inputs(): TaskInputs {
    return this.#attempt.taken;
  }

  async recordProcess({ pid, started, boot, host }: ProcessName): Promise<void> {
    const { unit, phase, number: attempt } = this.#attempt;
    const at = { unit: unit.id, phase: phase.name, attempt };
    await record(this.#run, { type: 'process_started', ...at, pid, started, boot, host });
  }

  async findAnswer(): Promise<KeptAnswer | Refused | undefined> {
    return await this.#answer?.find();
  }
}

/** By the ledger, because a run's context is made several times in one invocation. */
const connections = new WeakMap<Ledger, Connections>();

export function connectionsOf({ ledger }: Pick<RunContext, 'ledger'>): Connections {
  let known = connections.get(ledger);
  if (known === undefined) {
    known = new Map();
    connections.set(ledger, known);
  }
  return known;
}

/**
 * The content store as one attempt of this process sees it. What the attempt makes is held in memory until it has passed
 * its checks: what was rejected is no content of the run, and need not be read back to be checked.
 */
export class AttemptContent implements ExecutorContent {
  readonly #store: ContentStore;
  /** The first output; most attempts make no other one. */
  #first: HeldBytes | undefined;
  #others: Map<Hash, HeldBytes> | undefined;

  constructor(store: ContentStore) {
    this.#store = store;
  }

  get(hash: Hash): Uint8Array | undefined {
    const bytes = this.#find(hash)?.bytes ?? this.#store.get(hash);
    return bytes === 'damaged' ? undefined : bytes;
  }

  put(bytes: Uint8Array, hash = hashBytes(bytes)): Hash {
    const held = { hash, bytes };
    if (this.#first === undefined || this.#first.hash === hash) this.#first = held;
    else this.#others = (this.#others ?? new Map<Hash, HeldBytes>()).set(hash, held);
    return hash;
  }

  putFile(path: string, sizeBytesMax: number): Promise<HashedFile | undefined> {
    return this.#store.putFile(path, sizeBytesMax);
  }

  /** Puts what was made into the store: safe when the next flush resolves. */
  keep(hash: Hash): void {
    const held = this.#find(hash);
    if (held !== undefined) this.#store.put(held.bytes, hash);
  }

  /** Lets go of what is held: an attempt that only waits for its record has no use for it. */
  release(): void {
    this.#first = undefined;
    this.#others = undefined;
  }

  #find(hash: Hash): HeldBytes | undefined {
    return this.#first?.hash === hash ? this.#first : this.#others?.get(hash);
  }
}

interface HeldBytes {
  readonly hash: Hash;
  readonly bytes: Uint8Array;
}
