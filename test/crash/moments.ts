import type { MemoryDisk } from '../memory/memory-disk.ts';
import type { Judge } from './judge.ts';
import type { History, Step } from './scenario.ts';
import type { Machine } from './world.ts';

/** A moment at which a process can die. */
export interface Moment {
  /** Counts them from 1; after a crash behind the name of the crash. */
  readonly name: string;
  /** Where that is, for people. */
  readonly where: string;
  readonly step: Step;
  /** The disk then. */
  readonly disk: MemoryDisk;
  /** The judge, who knew by then only what was there to know. */
  readonly judge: () => Judge;
  readonly machine: Machine;
  /** What had happened before. */
  readonly crashes: readonly Crash[];
}

/** One way in which a process ends, and what the next one finds. */
export interface Crash {
  /** Names it in a replay. */
  readonly name: string;
  readonly moment: Moment;
  /** After a power loss the machine starts anew. */
  readonly kind: 'power' | 'kill';
  readonly disk: MemoryDisk;
  describe(): string;
}

/** A moment right before or right after a call that can change the disk; it stays as it is in between. */
export interface CallMoment extends Moment {
  readonly call: { readonly number: number; readonly operation: string; readonly path: string };
  readonly when: 'before' | 'after';
}

/** Keeps every moment of a history from now on. */
export function watchMoments(history: History, crashes: readonly Crash[] = []): CallMoment[] {
  const moments: CallMoment[] = [];
  const prefix = crashes.length === 0 ? '' : `${crashes.at(-1)?.name},`;
  history.disk.watch(({ number = 0, operation, path }, when) => {
    const where = `${when} call ${number}, ${operation} ${path}`;
    const moment = momentOf(history, `${prefix}${moments.length + 1}`, where, crashes);
    moments.push({ ...moment, call: { number, operation, path }, when });
  });
  return moments;
}

/** This very moment. */
export function momentOf(history: History, name: string, where: string, crashes: readonly Crash[]): Moment {
  const { judge, machine, step } = history;
  const mark = judge.mark();
  // A copy of the disk costs little; whoever is interested makes the crash states of it.
  const disk = history.disk.kill();
  return { name, where: `${step}, ${where}`, step, disk, judge: () => judge.at(mark), machine, crashes };
}

/**
 * What a power loss at this moment may leave: of so many ways the first `max` different ones. Single losses come first,
 * mixtures by chance last.
 */
export function* powerLosses(moment: Moment, limit: number, max = limit): Generator<Crash> {
  let number = 0;
  for (const { disk, describe } of moment.disk.crashStates(limit)) {
    number += 1;
    if (number > max) return;
    yield { name: `${moment.name}.${number}`, moment, kind: 'power', disk, describe };
  }
}

/** Every single loss of something recent at each moment, and mixtures at every fifth: nearly all of those differ. */
export function lossesAt(moment: Moment, index: number): Generator<Crash> {
  return index % 5 === 0 ? powerLosses(moment, 66) : powerLosses(moment, 200, 50);
}

/** What the next process finds when this one is killed, and nothing else happens. */
export function killing(moment: Moment): Crash {
  const describe = () => 'killed';
  return { name: `${moment.name}.kill`, moment, kind: 'kill', disk: moment.disk.kill(), describe };
}
