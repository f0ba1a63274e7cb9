import type { Disk } from '../../src/disk/disk.ts';
import type { Durability } from '../../src/model/definition.ts';
import { CrashSignal, type MemoryDisk } from '../memory/memory-disk.ts';
import { isFull } from '../support/sample.ts';
import { type Answered, KnownLives, observedDisk } from './observe.ts';
import { Violation } from './scenario.ts';
import { checkTeam } from './tasks-check.ts';
import { begin, sayAgain, story, takeOver } from './tasks-story.ts';
import { root, stateFolder, type Team } from './tasks-team.ts';

/** A moment right before or right after a call that can change the disk. */
export interface Moment {
  readonly where: string;
  /** Which step of the story was being taken, and the how manieth call of it that is. */
  readonly step: number;
  readonly nth: number;
  readonly call: { readonly operation: string; readonly path: string };
  readonly when: 'before' | 'after';
  /** The team as it was then, and when the step began. */
  readonly team: Team;
  readonly before: Team;
}

/** One way in which a process ends, and what the next one finds. */
export interface Crash {
  readonly moment: Pick<Moment, 'where' | 'step' | 'team'>;
  readonly kind: 'kill' | 'power';
  readonly disk: MemoryDisk;
  describe(): string;
}

export interface StoryOptions {
  readonly durability: Durability;
  readonly isRebooted: boolean;
  /** Makes a mistake of every use of a disk. */
  readonly mistake?: (disk: Disk) => Disk;
}

/** The story as it goes when nothing happens, and every moment of the steps that are to be crashed. */
export async function tellWhole({ durability, isRebooted, mistake }: StoryOptions): Promise<Moment[]> {
  const plain = await begin(durability, isRebooted);
  const team: Team = mistake === undefined ? plain : { ...plain, view: mistake(plain.disk) };
  const moments: Moment[] = [];
  let at = { step: 0, before: copyOf(team), calls: team.disk.calls };
  team.disk.watch((call, when) => {
    if (when === 'before') demandInside(call.path);
    const { step, before, calls } = at;
    const where = `${when} ${call.operation} ${call.path}`;
    // A copy of the disk costs little; whoever is interested makes the crash states of it.
    moments.push({ where, step, nth: (call.number ?? 0) - calls, call, when, team: copyOf(team), before });
  });
  for (const [step, { take }] of story.entries()) {
    at = { step, before: copyOf(team), calls: team.disk.calls };
    await take(team);
  }
  await checkTeam(team);
  return moments.filter(({ step }) => story[step]?.isCrashed);
}

/** What the next process finds when this one is killed, and nothing else happens. */
export function killing(moment: Moment): Crash {
  return { moment, kind: 'kill', disk: moment.team.disk.kill(), describe: () => 'killed' };
}

/** A kill in the middle of a write leaves its first half. */
export async function halfWrite({ step, nth, before, where }: Moment): Promise<Crash> {
  const team = copyOf(before);
  team.disk.failAt(nth, { kind: 'crash', when: 'during' });
  try {
    await story[step]?.take(team);
  } catch (error) {
    if (!(error instanceof CrashSignal)) throw error;
    const moment = { step, where, team };
    return { moment, kind: 'kill', disk: team.disk.kill(), describe: () => 'killed half-way' };
  }
  throw new Error(`step ${step} has no call ${nth}`);
}

/** What a power loss at this moment may leave. */
export function* powerLosses(moment: Moment, limit: number): Generator<Crash> {
  for (const { disk, describe } of moment.team.disk.crashStates(limit))
    yield { moment, kind: 'power', disk, describe };
}

/** Lives on after crashes, and demands each time that every promise was kept. */
export class TeamExplorer {
  visited = 0;
  lived = 0;
  readonly #options: StoryOptions;
  readonly #lives = new KnownLives();

  constructor(options: StoryOptions) {
    this.#options = options;
  }

  /** After each crash in both ways, or in one and then in the other: `isAll`. */
  async visitAll(crashes: Iterable<Crash | Promise<Crash>>, isAll = isThorough): Promise<void> {
    let nth = 0;
    for (const one of crashes) {
      const crash = await one;
      nth += 1;
      for (const [way, name] of ways.entries())
        if (isAll || nth % ways.length === way) await this.#visit(crash, name);
    }
  }

  /** `way`: what whoever was killed does, before somebody else does the rest. */
  async #visit(crash: Crash, way: (typeof ways)[number]): Promise<void> {
    this.visited += 1;
    const { team, step } = crash.moment;
    const { boots, processes } = team.machine;
    const start = [way, crash.kind, step, team.told.length, boots, processes].join(' ');
    const untouched = crash.disk.kill();
    if (this.#lives.has(start, untouched)) return;
    this.lived += 1;
    const disk = untouched.kill();
    const notes: Answered[] = [];
    const { mistake } = this.#options;
    const view = observedDisk(mistake === undefined ? disk : mistake(disk), untouched, notes, () => false);
    const after = teamAfter(crash, disk, view);
    try {
      if (way === 'says it again') await sayAgain(after, step);
      await takeOver(after);
      await checkTeam(after);
    } catch (error) {
      throw new Error(`${String(error)}\n  ${tell(crash, way, this.#options)}`, { cause: error });
    }
    this.#lives.add(start, notes);
  }
}

const ways = ['says it again', 'is gone'] as const;

/** `npm run test:full` visits every moment in every way: minutes instead of seconds. */
export const isThorough = isFull;

function teamAfter({ kind, moment }: Crash, disk: MemoryDisk, view: Disk = disk): Team {
  const { machine } = moment.team;
  const boots = kind === 'power' ? machine.boots + 1 : machine.boots;
  return { ...copyOf(moment.team), disk, view, machine: { ...machine, boots } };
}

/** Everything that somebody needs who wants to see it again. */
function tell({ moment, kind, describe }: Crash, way: string, options: StoryOptions): string {
  const { durability, isRebooted } = options;
  return [
    `durability ${durability}, ${isRebooted ? 'after a reboot' : 'in the first boot'}`,
    `${kind} while ${story[moment.step]?.name}, ${moment.where}: ${describe()}`,
    `whoever was at it ${way}`,
  ].join('\n  ');
}

function copyOf(team: Team): Team {
  const disk = team.disk.kill();
  return { ...team, disk, view: disk, told: [...team.told] };
}

/** Nothing is written but the run, the store, the heads and what the pipeline declares. */
function demandInside(path: string): void {
  const isInside = ownFolders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  if (!isInside && path !== root) throw new Violation(`written outside: ${path}`);
}

const ownFolders = [`${root}/.pawl`, `${root}/runs`, stateFolder];
