import { isVisited, visitedMin } from '../support/sample.ts';
import { checkInvariants, type Reference, referenceOf } from './invariants.ts';
import { type CallMoment, type Crash, watchMoments } from './moments.ts';
import { type Answered, KnownLives, observedDisk } from './observe.ts';
import { demandInside } from './outside.ts';
import { type History, type HistoryOptions, newHistory, type Step, takeStep } from './scenario.ts';

/** An uninterrupted history: what it leaves after each step, and every moment at which it could have ended. */
export interface Baseline {
  readonly given: HistoryOptions;
  readonly references: Readonly<Record<Step, Reference>>;
  readonly moments: readonly CallMoment[];
}

export async function liveUninterrupted(given: HistoryOptions): Promise<Baseline> {
  const history = newHistory(given);
  const moments = watchMoments(history);
  const takeAndCheck = async () => {
    await takeStep(history);
    const reference = referenceOf(history);
    await checkInvariants(history, reference, 0);
    return reference;
  };
  const write = await takeAndCheck();
  history.step = 'rewrite';
  return { given, references: { write, rewrite: await takeAndCheck() }, moments };
}

/** Lives on after crashes, and demands each time that every promise was kept. */
export class Explorer {
  /** All crash states. */
  visited = 0;
  /** Those with another disk, or at another point of the story. */
  distinct = 0;
  /** Those of which it was not known before how they end. */
  lived = 0;
  readonly #baseline: Baseline;
  readonly #testFile: string;
  readonly #only: string | undefined;
  readonly #seen = new Set<string>();
  readonly #lives = new KnownLives();

  /** `only`: the one crash that is to be replayed. */
  constructor(baseline: Baseline, testFile: string, only = process.env[replayVariable]) {
    this.#baseline = baseline;
    this.#testFile = testFile;
    this.#only = only;
  }

  /** Whether this crash, or one that follows from it, is asked for. */
  isWanted(name: string): boolean {
    return this.#only === undefined || this.#only === name || this.#only.startsWith(`${name},`);
  }

  /** Whether this run of the tests visits the moment with this number; a replay finds its own among all. */
  isDue(index: number): boolean {
    return this.#only !== undefined || isVisited(index);
  }

  async visitAll(crashes: Iterable<Crash>): Promise<void> {
    for (const crash of crashes) if (this.isWanted(crash.name)) await this.visit(crash);
  }

  /** Says what was visited. Less than what was meant is a failure, unless it was one replay. */
  finish(statesMin: number): void {
    const { visited, distinct, lived } = this;
    console.info(`${visited} crash states, ${distinct} of them distinct, ${lived} lived through`);
    const least = visitedMin(statesMin);
    if (this.#only === undefined && visited < least) throw new Error(`fewer than ${least} states`);
  }

  async visit(crash: Crash): Promise<void> {
    this.visited += 1;
    const fingerprint = crash.disk.fingerprint();
    const start = `${startOf(crash)} ${goesOn(crash, fingerprint)}`;
    const state = `${start} ${fingerprint}`;
    if (this.#seen.has(state)) return;
    this.#seen.add(state);
    this.distinct += 1;
    const untouched = crash.disk.kill();
    if (this.#lives.has(start, untouched)) return;
    this.lived += 1;
    const notes: Answered[] = [];
    const view = observedDisk(this.#viewOf(crash), untouched, notes, isIdleAfter(crash));
    const history = historyAfter(crash, view, this.#baseline.given);
    await this.#telling(crash, () => this.#live(history, crash, goesOn(crash, fingerprint)));
    this.#lives.add(start, notes);
  }

  /** The moments of the life after a crash. */
  async momentsAfter(crash: Crash): Promise<CallMoment[]> {
    const history = historyAfter(crash, this.#viewOf(crash), this.#baseline.given);
    const moments = watchMoments(history, [...crash.moment.crashes, crash]);
    await this.#telling(crash, () => takeStep(history));
    return moments;
  }

  async #live(history: History, crash: Crash, goesOn: boolean): Promise<void> {
    history.disk.watch((call, when) => {
      if (when === 'before') demandInside(call);
    });
    await takeStep(history);
    if (goesOn) {
      history.step = 'rewrite';
      await takeStep(history);
    }
    const { references } = this.#baseline;
    await checkInvariants(history, references[history.step], crash.moment.crashes.length + 1);
  }

  #viewOf({ disk }: Crash): History['view'] {
    const { mistake } = this.#baseline.given;
    return mistake === undefined ? disk : mistake(disk);
  }

  async #telling(crash: Crash, life: () => Promise<void>): Promise<void> {
    try {
      await life();
    } catch (error) {
      throw new Error(`${String(error)}\n${this.#tell(crash)}`, { cause: error });
    }
  }

  /** Everything that somebody needs who wants to see it again. */
  #tell(crash: Crash): string {
    const { seed, durability } = this.#baseline.given;
    const crashes = [...crash.moment.crashes, crash];
    return [
      `seed ${seed}, durability ${durability}`,
      ...crashes.map((one) => `crash by ${one.kind} in ${one.moment.where}\n  ${one.describe()}`),
      `replay: ${replayVariable}=${crash.name} npx vitest run ${this.#testFile}`,
    ].join('\n');
  }
}

/** How many crash states each test visits at least in a full sweep. */
export const statesMin = {
  powerWrite: 28_000,
  powerRewrite: 22_000,
  twoCrashes: 2_000,
  kill: 500,
  half: 100,
};

const replayVariable = 'CRASH_CASE';

/** Where the story stands. Two lives that start alike, on disks that answer alike, are one. */
function startOf({ kind, moment }: Crash): string {
  const { executions, acknowledged } = moment.judge().mark();
  const { boots, processes } = moment.machine;
  return [kind, moment.step, executions, acknowledged, boots, processes, moment.crashes.length].join(' ');
}

/** The step after the one that crashed is taken too, but not each time: it starts from a run that is proven good. */
function goesOn({ kind, moment }: Crash, fingerprint: string): boolean {
  const every = kind === 'kill' ? 4 : 16;
  return moment.step === 'write' && fingerprint.charCodeAt(0) % every === 0;
}

/**
 * Questions whose answers change nothing: what lies in the staging folder is thrown away unread after a reboot. After a
 * second crash it may belong to a result that was proven in between, and is looked at.
 */
function isIdleAfter({ kind, moment }: Crash): (question: string) => boolean {
  const isFirst = moment.crashes.length === 0;
  return (question) =>
    isFirst && kind === 'power' && question.startsWith('list ') && question.endsWith('/staging');
}

function historyAfter(
  { kind, disk, moment }: Crash,
  view: History['view'],
  { durability }: HistoryOptions,
): History {
  const { step, judge } = moment;
  const { boots, processes } = moment.machine;
  const machine = { boots: kind === 'power' ? boots + 1 : boots, processes };
  return { disk, view, judge: judge(), durability, machine, step };
}
