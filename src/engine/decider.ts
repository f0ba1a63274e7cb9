import type { Decider } from '../model/event.ts';
import { whoIsHere } from './person.ts';

let current: (() => Decider) | undefined;

/** For the process as a whole: whose decisions are recorded from here on. A program that says nothing is a script. */
export function decideAs(decider: () => Decider): void {
  current = decider;
}

/** Asked for only when a decision is recorded, because most calls record none. */
export function deciderHere(): Decider {
  return current?.() ?? { ...whoIsHere(), channel: 'script' };
}
