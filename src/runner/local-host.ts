import type { Ledger } from '../ledger/ledger.ts';
import type { Attempt } from './attempt.ts';
import type { AttemptContent } from './attempt-content.ts';
import type { EarlierAnswer } from './calls/earlier-answers.ts';
import { folderOf, type RunContext, record } from './context.ts';
import type { ExecutorHost } from './executor-host.ts';
import type { Connections } from './models/client.ts';

/** This process as the host of an attempt's executor. */
export function localHost(
  run: RunContext,
  attempt: Attempt,
  content: AttemptContent,
  answer: EarlierAnswer | undefined,
): ExecutorHost {
  const { unit, phase, number } = attempt;
  const { root, functions, disk, host, clock, stop, interrupt, observe } = run;
  return {
    content,
    scratch: folderOf(run, attempt),
    workspace: root,
    functions,
    disk,
    machine: host,
    clock,
    stop,
    interrupt,
    progress: observe,
    connections: connectionsOf(run),
    inputs: attempt.taken,
    recordProcess: async ({ pid, started, boot, host: machine }) => {
      await record(run, {
        type: 'process_started',
        ...{ unit: unit.id, phase: phase.name, attempt: number },
        ...{ pid, started, boot, host: machine },
      });
    },
    ...(answer !== undefined && { findAnswer: () => answer.find() }),
  };
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
