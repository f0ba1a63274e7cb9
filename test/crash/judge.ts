import { type Hash, hashBytes, hashJson } from '../../src/base/hash.ts';
import type { PhaseTask } from '../../src/runner/executors/task.ts';
import type { Progress } from '../../src/runner/progress.ts';

/** One call of a phase: what a model would have been paid for. */
export interface Execution {
  /** The cell and everything that it was made from, as the phase saw it. */
  readonly work: string;
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly prompt: string;
  /** By output name. */
  readonly outputs: Readonly<Record<string, Hash>>;
}

/** A success that somebody was told of. */
export interface Acknowledgement extends Execution {
  /** How many executions there had been by then. */
  readonly after: number;
}

/** How much had happened at some moment. */
export interface Mark {
  readonly executions: number;
  readonly acknowledged: number;
}

/**
 * Stands outside the process and the disk, so no crash takes anything away from it: what was paid for, and what was
 * told to be safe.
 */
export class Judge {
  readonly executions: Execution[];
  readonly acknowledged: Acknowledgement[];
  /** Told of every execution before its outputs are handed back; tests of two runners hold one up here. */
  onExecution: (execution: Execution) => void | Promise<void> = () => {};

  constructor(executions: readonly Execution[] = [], acknowledged: readonly Acknowledgement[] = []) {
    this.executions = [...executions];
    this.acknowledged = [...acknowledged];
  }

  mark(): Mark {
    return { executions: this.executions.length, acknowledged: this.acknowledged.length };
  }

  /** A judge who knows what had happened by then, for a history that goes on otherwise. */
  at(mark: Mark): Judge {
    const { executions, acknowledged } = mark;
    return new Judge(this.executions.slice(0, executions), this.acknowledged.slice(0, acknowledged));
  }

  async executed(task: PhaseTask, outputs: Readonly<Record<string, string>>): Promise<void> {
    const { unit, phase, attempt, iteration: round } = task;
    const prompt = task.prompt?.text ?? '';
    const inputs = Object.entries(task.inputs).map(([name, file]) => [name, file?.text() ?? '']);
    const work = hashJson([unit.id, phase, round, prompt, inputs, task.state?.text() ?? '']);
    const hashes = Object.entries(outputs).map(([name, text]) => [name, hashBytes(text)] as const);
    const execution = { work, unit: unit.id, phase, attempt, prompt, outputs: Object.fromEntries(hashes) };
    this.executions.push(execution);
    await this.onExecution(execution);
  }

  /** A success that the observer is told of is a promise. */
  readonly observer = {
    begun: () => {},
    progress: (progress: Progress) => {
      if (progress.type !== 'attempt-succeeded') return;
      const { unit, phase, attempt } = progress;
      const isIt = (one: Execution) => one.unit === unit && one.phase === phase && one.attempt === attempt;
      const execution = this.executions.findLast(isIt);
      if (execution === undefined) throw new Error(`${unit}/${phase}#${attempt} succeeded and never ran`);
      this.acknowledged.push({ ...execution, after: this.executions.length });
    },
  };
}
