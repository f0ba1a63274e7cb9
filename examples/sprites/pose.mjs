// How a character stands in each frame of a move. A move is a loop: after `frames` frames it begins anew.

/**
 * Lengths are in pixels, up and to the right of where they would be at rest; `turn` says how far the flame and the
 * scarf are in their own loops.
 * @typedef {{ x: number, y: number }} Offset
 * @typedef {{
 *   turn: number,
 *   breath: number,
 *   head: Offset,
 *   lean: number,
 *   hands: { left: Offset, right: Offset },
 *   feet: { left: Offset, right: Offset },
 *   eyes: 'open' | 'half' | 'closed',
 *   isHard: boolean,
 * }} Pose
 */

/** @type {Pose} */
const rest = {
  turn: 0,
  breath: 0,
  head: { x: 0, y: 0 },
  lean: 0,
  hands: { left: { x: 0, y: 0 }, right: { x: 0, y: 0 } },
  feet: { left: { x: 0, y: 0 }, right: { x: 0, y: 0 } },
  eyes: 'open',
  isHard: false,
};

const frames = 8;

/** @type {Readonly<Record<string, (turn: number, step: number) => Partial<Pose>>>} */
const moves = { idle, walk };

/** The pose that every frame is compared with: at rest, eyes open. */
export const anchorPose = rest;

/** @param {string} move @param {number} index of the frame, from 0 @returns {Pose} */
export function poseOf(move, index) {
  const make = Object.hasOwn(moves, move) ? moves[move] : undefined;
  if (make === undefined)
    throw new Error(`there is no move ${move}; there is ${Object.keys(moves).join(', ')}`);
  const step = index % frames;
  const turn = step / frames;
  return { ...rest, turn, ...make(turn, step) };
}

/**
 * Breathes once, blinks once.
 * @param {number} turn @param {number} step @returns {Partial<Pose>}
 */
function idle(turn, step) {
  const breath = wave(turn);
  const late = wave(turn - 0.1);
  return {
    breath,
    head: { x: 0, y: late * 1.3 },
    hands: { left: { x: -breath * 0.4, y: late }, right: { x: breath * 0.4, y: late } },
    eyes: step === 5 ? 'closed' : step === 4 || step === 6 ? 'half' : 'open',
    isHard: step === 5,
  };
}

/**
 * Two steps on the spot: one foot is always on the ground, and the body comes up over it.
 * @param {number} turn @param {number} step @returns {Partial<Pose>}
 */
function walk(turn, step) {
  const swing = wave(turn);
  const lift = (/** @type {number} */ side) => Math.max(0, side * swing) * 4;
  const bob = Math.abs(swing) * 1.6;
  const apart = wave(turn + 0.25) * 0.6;
  return {
    breath: bob - 0.5,
    head: { x: swing * 0.8, y: bob },
    lean: swing * 1.2,
    hands: { left: { x: swing * 0.5, y: -swing * 2 }, right: { x: swing * 0.5, y: swing * 2 } },
    feet: {
      left: { x: -0.6 - apart, y: lift(1) },
      right: { x: 0.6 - apart, y: lift(-1) },
    },
    isHard: step === 6,
  };
}

/** @param {number} turn */
function wave(turn) {
  return Math.sin(turn * 2 * Math.PI);
}
