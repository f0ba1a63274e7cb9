import type { ProcessName } from '../disk/host.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { KeptAnswer } from './assignment.ts';
import type { Attempt } from './attempt.ts';
import type { AttemptContent } from './attempt-content.ts';
import type { EarlierAnswer } from './calls/earlier-answers.ts';
import { folderOf, type RunContext, record } from './context.ts';
import type { ExecutorHost, Refused } from './executor-host.ts';
import type { TaskInputs } from './input-file.ts';
import type { Connections } from './models/client.ts';

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
