import type { Hash } from '../../base/hash.ts';
import { ok, type Result } from '../../base/result.ts';
import { findStep, type Ledger } from '../../ledger/ledger.ts';
import { isFinal } from '../../model/attempt-failure.ts';
import { modelName, providerOf } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { attemptFolder, inWorkspace, type RunContext } from '../context.ts';
import type { KeptAnswer, PreparedCall } from '../executors/assignment.ts';
import type { Refused } from '../executors/host.ts';
import type { Connections } from '../executors/model-client.ts';
import { readAnswer } from '../models/answer-files.ts';
import { clientOf } from '../models/providers.ts';
import { findAnswer } from './answer-index.ts';
import { type ReadyStep, wantsAnother } from './attempt.ts';
import type { Pause } from './waits.ts';

/** Loads what asks the provider, unless the call has an answer already. */
export async function reachProvider(
  run: RunContext,
  connections: Connections,
  step: ReadyStep,
  executor: ModelCall,
  call: PreparedCall,
): Promise<Result<undefined, AttemptFailure>> {
  const isAnswered =
    leftAnswer(run, step, call) !== undefined ||
    (mayReuse(run, step, executor) && findAnswer(run, call.resultKey) !== undefined);
  if (isAnswered) return ok(undefined);
  const provider = providerOf(run.loaded.pipeline.models, executor.provider);
  const client = await clientOf(
    { connections, workspace: run.root, clock: run.clock, process: run.process },
    provider,
  );
  return client.ok ? ok(undefined) : client;
}

/** Looks for an answer that there is already to the call of one attempt, and keeps other attempts from asking the same. */
export class EarlierAnswer {
  readonly #run: RunContext;
  readonly #step: ReadyStep;
  readonly #executor: ModelCall;
  readonly #call: PreparedCall;
  #turn: Turn | undefined;

  constructor(run: RunContext, step: ReadyStep, executor: ModelCall, call: PreparedCall) {
    this.#run = run;
    this.#step = step;
    this.#executor = executor;
    this.#call = call;
  }

  async find(): Promise<KeptAnswer | Refused | undefined> {
    return leftAnswer(this.#run, this.#step, this.#call) ?? (await this.#reuse());
  }

  /** The attempt is on record: others who make the same call may continue. */
  release(noAnswer: NoAnswer | undefined): void {
    this.#turn?.end(noAnswer);
  }

  /** An earlier answer to the same call, from any unit and run. */
  async #reuse(): Promise<KeptAnswer | Refused | undefined> {
    const { key, prompt, resultKey } = this.#call;
    if (!mayReuse(this.#run, this.#step, this.#executor)) return undefined;
    this.#turn = await takeTurn(this.#run.ledger, resultKey);
    const { before } = this.#turn;
    // What has turned away the one before would turn away all of them.
    if (before !== undefined && (before.pause !== undefined || isFinal(before.failure.reason)))
      return { failure: before.failure, wait: before.pause };
    const known = findAnswer(this.#run, resultKey);
    if (known === undefined) return undefined;
    const { answered, request, finish } = known.call;
    const call: CallRecord = {
      model: modelName(this.#executor),
      ...(answered !== undefined && { answered }),
      ...(request !== undefined && { request }),
      ...(finish !== undefined && { finish }),
      ms: 0,
      reused: known.source,
      saved: known.cost,
    };
    return { key, prompt, text: known.text, call, cost: {} };
  }
}

/** The answer of an attempt right before, which had arrived when it was interrupted. */
function leftAnswer(
  run: RunContext,
  { unit, phase }: ReadyStep,
  { key }: PreparedCall,
): KeptAnswer | undefined {
  const step = findStep(run.ledger, unit.id, phase.name);
  // Before its start is on record, the attempt that was interrupted is the one that is on record as running.
  const running = step?.running?.call === undefined ? [] : [step.running];
  for (const { attempt } of [...running, ...(step?.unended ?? [])]) {
    const left = readAnswer(run.disk, inWorkspace(run, attemptFolder(run, unit.id, phase.name, attempt)));
    if (left?.key === key) return { ...left, call: { ...left.call, adopted: attempt } };
  }
  return undefined;
}

function mayReuse(run: RunContext, step: ReadyStep, { reuse }: ModelCall): boolean {
  return reuse === 'content' && !run.noReuse && !wantsAnother(run, step);
}

/** Why another attempt that made the same call has no answer. */
export interface NoAnswer {
  readonly failure: AttemptFailure;
  readonly pause: Pause | undefined;
}

export interface Turn {
  /** Why the attempt that was waited for has no answer; undefined: none was waited for, or there is an answer now. */
  readonly before: NoAnswer | undefined;
  end(noAnswer: NoAnswer | undefined): void;
}

const inFlight = new WeakMap<Ledger, Map<Hash, Promise<NoAnswer | undefined>>>();

/**
 * Waits while another attempt of this invocation makes the same call, and then takes the turn: now there is an answer to
 * find, or this attempt asks. The turn ends when the attempt is on record.
 */
async function takeTurn(ledger: Ledger, key: Hash): Promise<Turn> {
  const calls = inFlight.get(ledger) ?? new Map<Hash, Promise<NoAnswer | undefined>>();
  inFlight.set(ledger, calls);
  let before: NoAnswer | undefined;
  for (let other = calls.get(key); other !== undefined; other = calls.get(key)) before = await other;
  let resolve: (noAnswer: NoAnswer | undefined) => void = () => undefined;
  calls.set(
    key,
    new Promise((done) => {
      resolve = done;
    }),
  );
  return {
    before,
    end(noAnswer) {
      calls.delete(key);
      resolve(noAnswer);
    },
  };
}
