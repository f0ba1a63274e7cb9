// Draws a character in a pose, pixel by pixel, from the back to the front.
import { box, capsule, ellipse, fill, paint, ramp, union } from './canvas.mjs';
import { chance } from './chance.mjs';
import { blankPicture } from './png.mjs';

/**
 * @typedef {import('./pose.mjs').Pose} Pose
 * @typedef {import('./pose.mjs').Offset} Point
 * @typedef {import('./canvas.mjs').Colour} Colour
 * @typedef {import('./canvas.mjs').Ramp} Ramp
 * @typedef {import('./canvas.mjs').Shape} Shape
 * @typedef {{ x: number, width: number, height: number, lean: number }} Tongue
 * @typedef {{
 *   name: string,
 *   title: string,
 *   ground: number,
 *   palette: {
 *     line: Colour,
 *     flame: [Colour, Colour, Colour, Colour, Colour],
 *     eye: [Colour, Colour],
 *     blush: Colour,
 *     cloth: Ramp,
 *     glow: Colour,
 *     scarf: Ramp,
 *     metal: Ramp,
 *     leather: Ramp,
 *     gold: Colour,
 *     spark: Ramp,
 *   },
 *   proportions: {
 *     head: { x: number, y: number, height: number },
 *     tongues: Tongue[],
 *     eyes: { apart: number, width: number, height: number },
 *     body: { top: number, bottom: number, height: number },
 *     feet: { apart: number, width: number, height: number },
 *     blade: number,
 *   },
 * }} Character
 * @typedef {{ width: number, height: number }} Size
 * @typedef {import('./canvas.mjs').Canvas & { character: Character, pose: Pose, jitter: (name: string) => number }} Figure
 */

/**
 * @param {Character} character @param {Pose} pose @param {Size} size
 * @param {{ seed?: string, sparks?: number }} [extras] the seed moves flame and sparks a little; none: all at rest
 */
export function drawCharacter(character, pose, { width, height }, { seed, sparks = 0 } = {}) {
  const picture = blankPicture(width, height);
  const jitter = (/** @type {string} */ name) => (seed === undefined ? 0 : chance(seed, name) * 2 - 1);
  const figure = { picture, floor: height - character.ground, character, pose, jitter };
  drawScarfTail(figure);
  drawBlade(figure);
  drawLegs(figure);
  drawBody(figure);
  drawArm(figure, -1);
  drawArm(figure, 1);
  drawFlame(figure);
  drawFace(figure);
  drawScarf(figure);
  drawSparks(figure, sparks);
  return picture;
}

/** @param {Figure} figure */
function drawLegs(figure) {
  const { pose, character } = figure;
  const { palette, proportions } = character;
  const { apart, width, height } = proportions.feet;
  for (const side of [-1, 1]) {
    const foot = side < 0 ? pose.feet.left : pose.feet.right;
    const x = side * apart + foot.x;
    const leg = box(x - side, foot.y + height - 1, 5, 6);
    paint(figure, leg, () => palette.cloth[0], palette.line);
    // The toe points outwards, the sole is flat.
    const boot = union(
      ellipse(x + side * 0.5, foot.y + height / 2 - 0.5, width / 2, height / 2 + 0.5),
      box(x + side * 0.5, foot.y, width - 0.5, 3),
    );
    paint(
      figure,
      (px, py) => py > foot.y && boot(px, py),
      (px, py) => ramp(palette.leather, (py - foot.y) / height - (px - x) / (width * 2)),
      palette.line,
    );
  }
}

/** @param {Figure} figure */
function drawBody(figure) {
  const { pose, character } = figure;
  const { palette, proportions } = character;
  const { top, bottom, height } = proportions.body;
  const low = proportions.feet.height;
  const high = low + height + pose.breath * 0.8;
  const half = (/** @type {number} */ y) => {
    const t = (y - low) / (high - low);
    return (bottom + (top - bottom) * t) / 2 + (1 - t) * 0.4 + (pose.breath + 1) * 0.2;
  };
  /** @type {Shape} */
  const coat = (x, y) => {
    const mid = middle(figure, y);
    return y > low && y < high && Math.abs(x - mid) < half(y);
  };
  const belt = low + 3.2;
  paint(
    figure,
    coat,
    (x, y) => {
      const across = (x - middle(figure, y)) / half(y);
      if (y > belt && y < belt + 2.6) return Math.abs(across) < 0.24 ? palette.gold : palette.leather[1];
      // The flame above lights the shoulders.
      if (y > high - 3.2) return palette.glow;
      return ramp(palette.cloth, 0.62 - across * 0.5 + (y - belt) / 60);
    },
    palette.line,
  );
}

/** @param {Figure} figure @param {-1 | 1} side */
function drawArm(figure, side) {
  const { palette, proportions } = figure.character;
  const shoulder = shoulderOf(figure, side);
  const hand = handOf(figure, side);
  paint(
    figure,
    capsule(shoulder, hand, 2.6),
    (x) => ramp(palette.cloth, side < 0 ? 0.9 : 0.5 - (x - hand.x) / 12),
    palette.line,
  );
  paint(
    figure,
    ellipse(hand.x, hand.y, 3.1, 3.1),
    (x, y) => ramp(palette.leather, 0.55 - (x - hand.x) / 7 + (y - hand.y) / 7),
    palette.line,
  );
  if (side > 0 && proportions.blade > 0) {
    const guard = capsule({ x: hand.x - 1.8, y: hand.y + 4 }, { x: hand.x + 3.2, y: hand.y + 2.4 }, 1.2);
    paint(figure, guard, () => palette.gold, palette.gold);
  }
}

/** @param {Figure} figure */
function drawBlade(figure) {
  const { palette, proportions } = figure.character;
  if (proportions.blade === 0) return;
  const hand = handOf(figure, 1);
  const tip = { x: hand.x + proportions.blade * 0.58, y: hand.y + proportions.blade };
  const blade = capsule(hand, tip, 2.4);
  paint(
    figure,
    (x, y) => blade(x, y) && y < tip.y + 1.5,
    (x, y) => {
      const along = (y - hand.y) / (tip.y - hand.y);
      const across = x - (hand.x + (tip.x - hand.x) * along);
      return across < 0 ? palette.metal[2] : palette.metal[1];
    },
    palette.metal[0],
  );
}

/** @param {Figure} figure */
function drawFlame(figure) {
  const { flame } = figure.character.palette;
  const { head } = figure.character.proportions;
  const heart = headOf(figure);
  const low = heart.y - head.y * 0.35;
  // Each band is the same flame, smaller, and a little behind in its loop: so the fire seems to rise.
  const bands = [
    { colour: flame[4], scale: 0.38, late: 0.36 },
    { colour: flame[3], scale: 0.6, late: 0.24 },
    { colour: flame[2], scale: 0.8, late: 0.12 },
  ].map(({ colour, scale, late }) => ({ colour, scale, shape: flameShape(figure, late) }));
  /** @type {import('./canvas.mjs').Shade} */
  const shade = (x, y) => {
    const band = bands.find(({ scale, shape }) =>
      shape(heart.x + (x - heart.x) / scale, low + (y - low) / scale),
    );
    return band?.colour ?? flame[1];
  };
  paint(figure, flameShape(figure, 0), shade, flame[0]);
}

/** A ball with tongues that sway. @param {Figure} figure @param {number} late @returns {Shape} */
function flameShape(figure, late) {
  const { head, tongues } = figure.character.proportions;
  const heart = headOf(figure);
  const ball = ellipse(heart.x, heart.y, head.x, head.y);
  const shapes = tongues.map((tongue, nth) => {
    const turn = figure.pose.turn - late + nth * 0.37;
    const flicker = Math.sin(turn * 2 * Math.PI) * 1.5 + figure.jitter(`height ${nth}`) * 0.7;
    const height = tongue.height + flicker;
    const drift = figure.jitter(`sway ${nth}`);
    /** @type {Shape} */
    const shape = (x, y) => {
      const t = (y - heart.y) / height;
      if (t < 0 || t > 1) return false;
      const sway = (Math.sin((turn - t * 0.55) * 2 * Math.PI) * 2.2 + drift) * t;
      const at = heart.x + tongue.x * (1 - t * 0.15) + tongue.lean * t + sway;
      return Math.abs(x - at) < tongue.width * (1 - t) ** 0.75;
    };
    return shape;
  });
  return union(ball, ...shapes);
}

/** @param {Figure} figure */
function drawFace(figure) {
  const { palette, proportions } = figure.character;
  const { apart, width, height } = proportions.eyes;
  const heart = headOf(figure);
  const x = Math.round(heart.x);
  const y = Math.round(heart.y - 2.5);
  const lids = { open: 0, half: 2, closed: height - 1 }[figure.pose.eyes];
  for (const side of [-1, 1]) {
    const eye = Math.round(x + side * apart - width / 2);
    fill(figure, eye, y, width, height - lids, palette.eye[0]);
    if (lids === 0) {
      fill(figure, eye, y + height - 2, 1, 1, palette.eye[1]);
      fill(figure, eye + 1, y + height - 1, 1, 1, palette.eye[1]);
    }
    fill(figure, eye + (side < 0 ? -1 : 1), y - 2, width, 1, palette.blush);
  }
  fill(figure, x - 1, y - 3, 2, 1, palette.eye[0]);
  fill(figure, x - 2, y - 2, 1, 1, palette.eye[0]);
  fill(figure, x + 1, y - 2, 1, 1, palette.eye[0]);
}

/** @param {Figure} figure */
function drawScarf(figure) {
  const { palette, proportions } = figure.character;
  const y = neckOf(figure);
  const x = middle(figure, y);
  const half = proportions.body.top / 2 + 2;
  paint(
    figure,
    capsule({ x: x - half + 2, y }, { x: x + half - 2, y: y - 0.4 }, 2.6),
    (px, py) => ramp(palette.scarf, 0.5 + (py - y) / 4 - (px - x) / 24),
    palette.line,
  );
}

/** @param {Figure} figure */
function drawScarfTail(figure) {
  const { palette, proportions } = figure.character;
  const start = { x: middle(figure, neckOf(figure)) - proportions.body.top / 2, y: neckOf(figure) - 1 };
  const turn = figure.pose.turn;
  const points = [0, 1, 2, 3, 4].map((nth) => ({
    x: start.x - nth * 3,
    y: start.y + nth * 0.1 + Math.sin((turn - nth * 0.16) * 2 * Math.PI) * nth * 0.55,
  }));
  const tail = union(
    ...points
      .slice(1)
      .map((point, nth) => capsule(/** @type {Point} */ (points[nth]), point, 2.3 + nth * 0.25)),
  );
  paint(figure, tail, (_, y) => ramp(palette.scarf, 0.55 + (y - start.y) / 8), palette.line);
}

/** Sparks rise from the flame and burn down. @param {Figure} figure @param {number} count */
function drawSparks(figure, count) {
  const { spark } = figure.character.palette;
  for (let nth = 0; nth < count; nth++) {
    const life = (figure.pose.turn + nth / count) % 1;
    const side = nth % 2 === 0 ? -1 : 1;
    const x = Math.round(side * (15 + figure.jitter(`spark ${nth}`) * 3 + Math.sin(life * 6) * 1.5));
    const y = Math.round(34 + life * 17 + figure.jitter(`rise ${nth}`) * 2);
    const size = life < 0.5 ? 2 : 1;
    fill(figure, x, y, size, size, ramp(spark, 1 - life));
  }
}

/** @param {Figure} figure @returns {Point} */
function headOf(figure) {
  const { head } = figure.character.proportions;
  const y = head.height + figure.pose.head.y;
  return { x: figure.pose.head.x + middle(figure, y), y };
}

/** @param {Figure} figure */
function neckOf(figure) {
  const { feet, body } = figure.character.proportions;
  return feet.height + body.height - 0.5 + figure.pose.breath * 0.8;
}

/** @param {Figure} figure @param {-1 | 1} side @returns {Point} */
function shoulderOf(figure, side) {
  const y = neckOf(figure) - 3;
  return { x: middle(figure, y) + side * (figure.character.proportions.body.top / 2 + 0.5), y };
}

/** @param {Figure} figure @param {-1 | 1} side @returns {Point} */
function handOf(figure, side) {
  const offset = side < 0 ? figure.pose.hands.left : figure.pose.hands.right;
  const shoulder = shoulderOf(figure, side);
  return { x: shoulder.x + side * 3 + offset.x, y: shoulder.y - 5.5 + offset.y };
}

/** Where the middle of the figure is at this height: it leans from the ground up. @param {Figure} figure @param {number} y */
function middle(figure, y) {
  return (figure.pose.lean * y) / 30;
}
