// An offline stand-in for an image model, so that the example runs without a network, a key or a bill. Like a model it
// works from a prompt, a reference and a seed, and like a model it slips: some frames come out wrong in one way or
// another. Another seed may help; a prompt that asks for what matters does. To use a model, put its call here.
import { chance } from './chance.mjs';
import { drawCharacter } from './draw.mjs';
import { poseOf } from './pose.mjs';
import { field, list } from './prompt.mjs';

/**
 * @typedef {import('./draw.mjs').Character} Character
 * @typedef {import('./draw.mjs').Size} Size
 * @typedef {'size' | 'alpha' | 'identity' | 'feet' | 'neighbour'} Slip named after what the audit measures
 * @typedef {{ move: string, sparks: number, rules: string[] }} Order what a prompt asks for
 * @typedef {Size & { model: string, seed: number }} Settings
 */

/** @type {readonly Slip[]} */
const slips = ['size', 'alpha', 'identity', 'feet', 'neighbour'];

/** How often the stand-in slips: at any pose, and at one that is hard to draw. */
const slipShare = { plain: 0.28, hard: 0.97 };

/** What the prompt says, and nothing else. A rule is a line `- feet: …` below `## Rules`. @param {string} text @returns {Order} */
export function readOrder(text) {
  return {
    move: field(text, 'Move'),
    sparks: Math.min(12, Number.parseInt(field(text, 'Sparks'), 10) || 0),
    rules: list(text, 'Rules').map((rule) => rule.split(':', 1)[0] ?? ''),
  };
}

/**
 * What goes wrong with this frame, if anything does. What the prompt has a rule for never goes wrong.
 * @param {Character} character @param {Order} order @param {number} index @param {Settings} settings
 * @returns {Slip | undefined}
 */
export function slipOf({ name }, { move, rules }, index, { model, seed }) {
  const luck = [model, name, move, index, seed];
  const share = poseOf(move, index).isHard ? slipShare.hard : slipShare.plain;
  if (chance('whether', ...luck) >= share) return undefined;
  const slip = slips[Math.floor(chance('which', ...luck) * slips.length)];
  return slip !== undefined && rules.includes(slip) ? undefined : slip;
}

/**
 * @param {Character} character @param {Order} order @param {number} index of the frame @param {Settings} settings
 * @param {Slip} [slip]
 */
export function drawFrame(character, { move, sparks }, index, { width, height, seed }, slip) {
  const pose = poseOf(move, index);
  const extras = { seed: String(seed), sparks };
  const size = { width, height };
  switch (slip) {
    case undefined:
      return drawCharacter(character, pose, size, extras);
    case 'size':
      return drawCharacter(character, pose, { width: width - 2, height: height - 4 }, extras);
    case 'alpha':
      return withHole(drawCharacter(character, pose, size, extras), character, chance('hole', seed, index));
    case 'identity':
      return drawCharacter(withOtherColours(character), pose, size, extras);
    case 'feet':
      return drawCharacter({ ...character, ground: character.ground - 3 }, pose, size, extras);
    case 'neighbour':
      return drawCharacter(character, leaping(pose), size, extras);
  }
}

/** Somebody stamped a hole through the face. @param {import('./png.mjs').Picture} picture @param {Character} character @param {number} luck */
function withHole(picture, { ground, proportions }, luck) {
  const { width, height, pixels } = picture;
  const at = { x: width / 2 + (luck - 0.5) * 4, y: height - ground - proportions.head.height + 2 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Math.hypot(x + 0.5 - at.x, y + 0.5 - at.y) < 3.6)
        pixels.fill(0, (y * width + x) * 4, (y * width + x + 1) * 4);
    }
  }
  return picture;
}

/** Red becomes green, green blue, blue red: in fire and cloth. @param {Character} character @returns {Character} */
function withOtherColours(character) {
  const turn = (/** @type {string} */ colour) => `#${colour.slice(5)}${colour.slice(1, 5)}`;
  const { flame, cloth } = character.palette;
  const [f0, f1, f2, f3, f4] = flame;
  const [c0, c1, c2] = cloth;
  const palette = {
    ...character.palette,
    flame: /** @type {typeof flame} */ ([f0, f1, f2, f3, f4].map(turn)),
    cloth: /** @type {typeof cloth} */ ([c0, c1, c2].map(turn)),
  };
  return { ...character, palette };
}

/** A pose from some other move: the arms up, the head far to the side. @param {import('./pose.mjs').Pose} pose @returns {import('./pose.mjs').Pose} */
function leaping(pose) {
  const up = (/** @type {number} */ x) => ({ x, y: 7 });
  return { ...pose, lean: -7, head: { x: -4, y: -3 }, hands: { left: up(-3), right: up(3) } };
}
