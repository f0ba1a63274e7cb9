import { DiskError } from '../../src/disk/disk.ts';

/** What goes wrong with a call. */
export type Fault =
  /** The process dies there: this call and all after it throw `CrashSignal`. `during` leaves half of a write. */
  | { readonly kind: 'crash'; readonly when: 'before' | 'during' | 'after' }
  /** The call has no effect and throws a `DiskError`. What a failed sync was asked for is durable by no later one. */
  | { readonly kind: 'error'; readonly code: string }
  /** A write takes at most so many bytes and says so; no fault to any other call. */
  | { readonly kind: 'short-write'; readonly bytes: number };

/** A call to the disk as the faults see it. */
export interface DiskCall {
  readonly operation: Operation;
  readonly path: string;
  /** Counts the calls that can change something, from 1; undefined for one that only reads. */
  readonly number: number | undefined;
}

export type Operation =
  | 'stat'
  | 'read'
  | 'list'
  | 'realpath'
  | 'create'
  | 'append'
  | 'write'
  | 'sync'
  | 'makeFolder'
  | 'rename'
  | 'link'
  | 'remove'
  | 'syncFolder';

/** Thrown where the process is meant to have died. No error of the disk: nothing may handle it. */
export class CrashSignal extends Error {
  constructor() {
    super('the process died here');
    this.name = 'CrashSignal';
  }
}

/** Sees every call that can change something, before it starts and after it took effect. */
export type Watcher = (call: DiskCall, moment: 'before' | 'after') => void;

/** A call under way, and what is to go wrong with it. */
export interface StartedCall {
  readonly call: DiskCall;
  readonly fault: Fault | undefined;
}

/** Counts the calls to one disk and decides which go wrong. */
export class Faults {
  /** How many calls that can change something there were. */
  calls = 0;
  crashed = false;
  readonly #deciders: ((call: DiskCall) => Fault | undefined)[] = [];
  readonly #watchers: Watcher[] = [];

  when(decide: (call: DiskCall) => Fault | undefined): void {
    this.#deciders.push(decide);
  }

  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  /** Throws when the process is dead. */
  demandAlive(): void {
    if (this.crashed) throw new CrashSignal();
  }

  /** For a call that only reads. */
  reading(operation: Operation, path: string): void {
    this.demandAlive();
    if (this.#decide({ operation, path, number: undefined })?.kind === 'crash') this.#die();
  }

  /** For a call that can change something; the process dies after it even when the call itself failed. */
  changing<T>(operation: Operation, path: string, change: (fault: Fault | undefined) => T): T {
    const started = this.start(operation, path);
    try {
      return change(started.fault);
    } finally {
      this.finish(started);
    }
  }

  /** The first half of `changing`: throws when there is to be no effect. */
  start(operation: Operation, path: string): StartedCall {
    this.demandAlive();
    this.calls += 1;
    const call = { operation, path, number: this.calls };
    for (const look of this.#watchers) look(call, 'before');
    const fault = this.#decide(call);
    if (fault?.kind === 'crash') {
      if (fault.when === 'before' || (fault.when === 'during' && operation !== 'write')) this.#die();
    }
    return { call, fault };
  }

  /** The second half of `changing`. */
  finish({ call, fault }: StartedCall): void {
    for (const look of this.#watchers) look(call, 'after');
    if (fault?.kind === 'crash') this.#die();
  }

  #die(): never {
    this.crashed = true;
    throw new CrashSignal();
  }

  #decide(call: DiskCall): Fault | undefined {
    for (const decide of this.#deciders) {
      const fault = decide(call);
      if (fault?.kind === 'error') throw new DiskError(fault.code, call.operation, call.path);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
}
