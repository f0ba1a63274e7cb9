import type { Worker } from 'node:worker_threads';
import type { FileStat } from './disk.ts';
import { compact, createFlags, fileModes } from './node-disk.ts';
import type { PlainFiles } from './plain-files.ts';

/** What the thread is asked to do. `start` and `length` say where the bytes lie in the tray. */
type Step =
  | { readonly path: string; readonly start: number; readonly length: number }
  | { readonly from: string; readonly to: string };

/** What became of each step: size, time and inode of a new file, true for a move; false: it was not plain. */
type Outcome = readonly [number, number, number, number] | boolean;

interface Batch {
  readonly tray: ArrayBuffer;
  readonly steps: Step[];
  readonly answers: ((outcome: Outcome) => void)[];
  trayBytes: number;
}

/**
 * A thread that makes and moves files while this one goes on with the next ones. Passing something on to it costs more
 * than one file, and it takes memory: so it is started when very many files were asked for, and gets them in batches;
 * where a turn of the loop has only a few, those who asked do them. `docs/adr/0019-a-thread-for-files.md` says why.
 */
export class FileThread implements PlainFiles {
  readonly #after: number;
  #asked = 0;
  #thread: Worker | undefined;
  #isReady = false;
  #isOver = false;
  #batch: Batch | undefined;
  /** Of the loop, since the first file of it: has anything been passed on? */
  #turn: { hasSent: boolean } | undefined;
  /** What the thread has in hand, in the order in which it answers. */
  readonly #sent: Batch[] = [];
  /** Trays that came back: memory that was used before is cheaper than new. */
  readonly #trays: ArrayBuffer[] = [];

  /** `after`: so many files are done without a thread first. */
  constructor(after = 1000) {
    this.#after = after;
  }

  create(path: string, bytes: Uint8Array): Promise<FileStat | undefined> | undefined {
    if (!this.#takesOn() || bytes.length > fileBytesMax) return undefined;
    if (this.#batch !== undefined && this.#batch.trayBytes + bytes.length > trayBytesMax) this.#send();
    const batch = this.#openBatch();
    const start = batch.trayBytes;
    new Uint8Array(batch.tray).set(bytes, start);
    batch.trayBytes += bytes.length;
    return this.#ask({ path, start, length: bytes.length }, statOf);
  }

  move(from: string, to: string): Promise<boolean> | undefined {
    return this.#takesOn() ? this.#ask({ from, to }, isDone) : undefined;
  }

  async close(): Promise<void> {
    this.#end();
    await this.#thread?.terminate();
  }

  #takesOn(): boolean {
    this.#asked += 1;
    if (this.#asked > this.#after && this.#thread === undefined && !this.#isOver) this.#start();
    return this.#isReady;
  }

  /** Where there can be no thread, all goes on without one. */
  #start(): void {
    try {
      // Nearly every command comes by here, and hardly one of them needs this to be loaded.
      const threads = process.getBuiltinModule('node:worker_threads');
      this.#thread = new threads.Worker(`(${serve})();`, {
        eval: true,
        workerData: { flags: createFlags, mode: fileModes.shared },
        resourceLimits,
      });
    } catch {
      this.#isOver = true;
      return;
    }
    this.#thread.once('online', () => {
      this.#isReady = !this.#isOver;
    });
    this.#thread.on('message', (reply: Reply) => this.#take(reply));
    this.#thread.on('error', () => this.#end());
    // Somebody may end it without any error: whoever sees all threads of a process can.
    this.#thread.on('exit', () => this.#end());
  }

  /** What was not answered is done by those who asked, and may have been done already. */
  #end(): void {
    this.#isOver = true;
    this.#isReady = false;
    for (const { answers } of [...this.#sent.splice(0), ...(this.#batch === undefined ? [] : [this.#batch])])
      for (const answer of answers) answer(false);
    this.#batch = undefined;
  }

  #ask<Answer>(step: Step, read: (outcome: Outcome) => Answer): Promise<Answer> {
    return new Promise((resolve) => {
      const batch = this.#openBatch();
      batch.steps.push(step);
      batch.answers.push((outcome) => resolve(read(outcome)));
      if (batch.steps.length >= stepsMax) this.#send();
    });
  }

  #openBatch(): Batch {
    const tray = this.#batch?.tray ?? this.#trays.pop() ?? new ArrayBuffer(trayBytesMax);
    this.#batch ??= { tray, steps: [], answers: [], trayBytes: 0 };
    if (this.#turn === undefined) setImmediate(() => this.#endTurn());
    this.#turn ??= { hasSent: false };
    return this.#batch;
  }

  #endTurn(): void {
    const isWorthIt = this.#turn?.hasSent || (this.#batch?.steps.length ?? 0) >= stepsMin;
    if (isWorthIt) this.#send();
    this.#turn = undefined;
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    this.#trays.push(batch.tray);
    for (const answer of batch.answers) answer(false);
  }

  #send(): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    this.#sent.push(batch);
    if (this.#turn !== undefined) this.#turn.hasSent = true;
    this.#thread?.postMessage({ tray: batch.tray, steps: batch.steps } satisfies Request, [batch.tray]);
  }

  #take({ tray, outcomes }: Reply): void {
    this.#trays.push(tray);
    const answers = this.#sent.shift()?.answers ?? [];
    for (const [at, answer] of answers.entries()) answer(outcomes[at] ?? false);
  }
}

interface Request {
  readonly tray: ArrayBuffer;
  readonly steps: readonly Step[];
}

interface Reply {
  readonly tray: ArrayBuffer;
  /** By step. */
  readonly outcomes: readonly Outcome[];
}

const fileBytesMax = 64 * 1024;
const trayBytesMax = 128 * 1024;
const stepsMax = 16;
const stepsMin = 4;
// It keeps nothing: there is no need to let it grow.
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

function isDone(outcome: Outcome): boolean {
  return outcome === true;
}

function statOf(outcome: Outcome): FileStat | undefined {
  if (typeof outcome === 'boolean') return undefined;
  const [size, mtimeMs, ctimeMs, ino] = outcome;
  return { kind: 'file', size: compact(size), mtimeMs, ctimeMs, ino: compact(ino) };
}

/**
 * What the thread does. It is handed over as text, so that no bundle has to bring a file for it along: nothing outside
 * of the function can be used in it.
 */
function serve(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const fs = process.getBuiltinModule('node:fs');
  const carryOut = (step: Step, tray: ArrayBuffer): Outcome => {
    if ('from' in step) {
      if (fs.lstatSync(step.to, { throwIfNoEntry: false }) !== undefined) return false;
      fs.renameSync(step.from, step.to);
      return true;
    }
    const fd = fs.openSync(step.path, workerData.flags, workerData.mode);
    try {
      if (fs.writeSync(fd, new Uint8Array(tray, step.start, step.length)) !== step.length) return false;
      const { size, mtimeMs, ctimeMs, ino } = fs.fstatSync(fd);
      return [size, mtimeMs, ctimeMs, ino];
    } finally {
      fs.closeSync(fd);
    }
  };
  parentPort?.on('message', ({ tray, steps }: Request) => {
    const outcomes = steps.map((step) => {
      try {
        return carryOut(step, tray);
      } catch {
        return false;
      }
    });
    parentPort.postMessage({ tray, outcomes } satisfies Reply, [tray]);
  });
}
