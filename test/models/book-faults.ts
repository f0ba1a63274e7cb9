import type { Turn } from './server.ts';

/** What goes wrong when the model is first asked for a cell of the book, and what the journal has to say of it. */
export interface Fault {
  readonly cell: string;
  /** What the server does; `right` is what it would have answered. */
  turn(right: string): Turn;
  readonly told: Told;
  /** The answer arrived whole and could not be used: the model is told what was wrong with it. */
  readonly isRepaired?: true;
}

/** The end of the attempt, and its reason. */
export type Told =
  | readonly ['attempt_failed', string]
  | readonly ['attempt_paused', 'rate-limited' | 'overloaded'];

/** Stands in every answer that must not be used. */
export const spoiled = 'SPOILED';

const spoil = (right: string): string => `${spoiled} ${right}`;
const failed = (reason: string): Told => ['attempt_failed', reason];

/** On the network, and at the provider. */
export const faultsOfCalls: readonly Fault[] = [
  {
    cell: 'ch001_sc001/plan',
    turn: () => ({ do: 'refuse', status: 429, headers: { 'retry-after': '0' } }),
    told: ['attempt_paused', 'rate-limited'],
  },
  {
    cell: 'ch001_sc001/continuity_pack',
    turn: () => ({ do: 'refuse', status: 529, headers: { 'retry-after': '0' } }),
    told: ['attempt_paused', 'overloaded'],
  },
  {
    cell: 'ch001_sc001/write',
    turn: () => ({ do: 'refuse', status: 500 }),
    told: failed('server-error'),
  },
  {
    cell: 'ch001_sc001/state_repair',
    turn: (right) => ({ do: 'drop', text: spoil(right) }),
    told: failed('connection-lost'),
  },
  {
    cell: 'ch001_sc002/plan',
    turn: (right) => ({ do: 'drop', after: 2, text: spoil(right) }),
    told: failed('connection-lost'),
  },
  {
    cell: 'ch001_sc002/continuity_pack',
    turn: (right) => ({ do: 'stop-short', after: 3, text: spoil(right) }),
    told: failed('connection-lost'),
  },
  {
    cell: 'ch001_sc002/write',
    turn: (right) => ({
      do: 'error-event',
      kind: 'internal',
      message: 'Broken inside.',
      after: 2,
      text: spoil(right),
    }),
    told: failed('connection-lost'),
  },
  {
    cell: 'ch001_sc002/state_repair',
    turn: (right) => ({ do: 'garble', after: 2, text: spoil(right) }),
    told: failed('connection-lost'),
  },
  {
    cell: 'ch002_sc001/state_repair',
    turn: () => ({ do: 'refuse', status: 502, body: '<h1>Bad gateway</h1>' }),
    told: failed('server-error'),
  },
];

/** Answers that are none. */
export const faultsOfAnswers: readonly Fault[] = [
  {
    cell: 'ch001_sc002/repair',
    turn: (right) => ({ do: 'answer', finish: 'length', text: spoil(right) }),
    told: failed('answer-truncated'),
  },
  {
    cell: 'ch001_sc003/plan',
    turn: (right) => ({
      do: 'answer',
      finish: 'content-filter',
      text: JSON.stringify({ ...JSON.parse(right), mood: spoiled }),
    }),
    told: failed('answer-filtered'),
  },
  {
    cell: 'ch001_sc003/continuity_pack',
    turn: () => ({ do: 'answer', text: '' }),
    told: failed('answer-empty'),
  },
  {
    cell: 'ch001_sc003/write',
    turn: (right) => ({ do: 'answer', text: spoil(right.replace('{"scene"', '{scene')) }),
    told: failed('answer-unparsable'),
    isRepaired: true,
  },
  {
    cell: 'ch001_sc003/state_repair',
    turn: (right) => ({
      do: 'answer',
      text: JSON.stringify({ ...JSON.parse(right), present: [], place: spoiled }),
    }),
    told: failed('check-failed'),
    isRepaired: true,
  },
  {
    cell: 'ch002_sc001/plan',
    turn: (right) => ({ do: 'answer', text: spoil(right).slice(0, -1) }),
    told: failed('answer-unparsable'),
    isRepaired: true,
  },
  {
    cell: 'ch002_sc001/continuity_pack',
    turn: (right) => ({ do: 'answer', text: right.replace('## People', spoiled) }),
    told: failed('check-failed'),
  },
  {
    cell: 'ch002_sc001/write',
    turn: (right) => ({ do: 'answer', text: spoil(right.slice(0, right.indexOf('```json'))) }),
    told: failed('answer-unparsable'),
    isRepaired: true,
  },
];
