// Draws a character in a pose, pixel by pixel, from the back to the front.
import { box, capsule, ellipse, fill, paint, ramp, union } from './canvas.js';
import { chance } from './chance.js';
import { blankPicture } from './png.js';

/**
 * @typedef {import('./pose.js').Pose} Pose
 * @typedef {import('./pose.js').Offset} Point
 * @typedef {import('./canvas.js').Colour} Colour
 * @typedef {import('./canvas.js').Ramp} Ramp
 * @typedef {import('./canvas.js').Shape} Shape
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
 * @typedef {import('./canvas.js').Canvas & { character: Character, pose: Pose, jitter: (name: string) => number }} Sheet
 */

/**
 * @param {Character} character @param {Pose} pose @param {Size} size
 * @param {{ seed?: string, sparks?: number }} [extras] the seed moves flame and sparks a little; none: all at rest
 */
export function drawCharacter(character, pose, { width, height }, { seed, sparks = 0 } = {}) {
  const picture = blankPicture(width, height);
  const jitter = (/** @type {string} */ name) => (seed === undefined ? 0 : chance(seed, name) * 2 - 1);
  const sheet = { picture, floor: height - character.ground, character, pose, jitter };
  drawScarfTail(sheet);
  drawBlade(sheet);
  drawLegs(sheet);
  drawBody(sheet);
  drawArm(sheet, -1);
  drawArm(sheet, 1);
  drawFlame(sheet);
  drawFace(sheet);
  drawScarf(sheet);
  drawSparks(sheet, sparks);
  return picture;
}

/** @param {Sheet} sheet */
function drawLegs(sheet) {
  const { pose, character } = sheet;
  const { palette, proportions } = character;
  const { apart, width, height } = proportions.feet;
  for (const side of [-1, 1]) {
    const foot = side < 0 ? pose.feet.left : pose.feet.right;
    const x = side * apart + foot.x;
    const leg = box(x - side, foot.y + height - 1, 5, 6);
    paint(sheet, leg, () => palette.cloth[0], palette.line);
    // The toe points outwards, the sole is flat.
    const boot = union(
      ellipse(x + side * 0.5, foot.y + height / 2 - 0.5, width / 2, height / 2 + 0.5),
      box(x + side * 0.5, foot.y, width - 0.5, 3),
    );
    paint(
      sheet,
      (px, py) => py > foot.y && boot(px, py),
      (px, py) => ramp(palette.leather, (py - foot.y) / height - (px - x) / (width * 2)),
      palette.line,
    );
  }
}

/** @param {Sheet} sheet */
function drawBody(sheet) {
  const { pose, character } = sheet;
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
    const mid = middle(sheet, y);
    return y > low && y < high && Math.abs(x - mid) < half(y);
  };
  const belt = low + 3.2;
  paint(
    sheet,
    coat,
    (x, y) => {
      const across = (x - middle(sheet, y)) / half(y);
      if (y > belt && y < belt + 2.6) return Math.abs(across) < 0.24 ? palette.gold : palette.leather[1];
      // The flame above lights the shoulders.
      if (y > high - 3.2) return palette.glow;
      return ramp(palette.cloth, 0.62 - across * 0.5 + (y - belt) / 60);
    },
    palette.line,
  );
}

/** @param {Sheet} sheet @param {-1 | 1} side */
function drawArm(sheet, side) {
  const { palette, proportions } = sheet.character;
  const shoulder = shoulderOf(sheet, side);
  const hand = handOf(sheet, side);
  paint(
    sheet,
    capsule(shoulder, hand, 2.6),
    (x) => ramp(palette.cloth, side < 0 ? 0.9 : 0.5 - (x - hand.x) / 12),
    palette.line,
  );
  paint(
    sheet,
    ellipse(hand.x, hand.y, 3.1, 3.1),
    (x, y) => ramp(palette.leather, 0.55 - (x - hand.x) / 7 + (y - hand.y) / 7),
    palette.line,
  );
  if (side > 0 && proportions.blade > 0) {
    const guard = capsule({ x: hand.x - 1.8, y: hand.y + 4 }, { x: hand.x + 3.2, y: hand.y + 2.4 }, 1.2);
    paint(sheet, guard, () => palette.gold, palette.gold);
  }
}

/** @param {Sheet} sheet */
function drawBlade(sheet) {
  const { palette, proportions } = sheet.character;
  if (proportions.blade === 0) return;
  const hand = handOf(sheet, 1);
  const tip = { x: hand.x + proportions.blade * 0.58, y: hand.y + proportions.blade };
  paint(
    sheet,
    (x, y) => capsule(hand, tip, 2.4)(x, y) && y < tip.y + 1.5,
    (x, y) => {
      const along = (y - hand.y) / (tip.y - hand.y);
      const across = x - (hand.x + (tip.x - hand.x) * along);
      return across < 0 ? palette.metal[2] : palette.metal[1];
    },
    palette.metal[0],
  );
}

/** @param {Sheet} sheet */
function drawFlame(sheet) {
  const { flame } = sheet.character.palette;
  const { head } = sheet.character.proportions;
  const heart = headOf(sheet);
  const low = heart.y - head.y * 0.35;
  // Each band is the same flame, smaller, and a little behind in its loop: so the fire seems to rise.
  const bands = [0.8, 0.6, 0.38].map((scale, nth) => {
    const shape = flameShape(sheet, -0.12 * (nth + 1));
    /** @type {Shape} */
    const band = (x, y) => shape(heart.x + (x - heart.x) / scale, low + (y - low) / scale);
    return band;
  });
  paint(
    sheet,
    flameShape(sheet, 0),
    (x, y) => flame[4 - [...bands].reverse().findIndex((band) => band(x, y))] ?? flame[1],
    flame[0],
  );
}

/** A ball with tongues that sway. @param {Sheet} sheet @param {number} late @returns {Shape} */
function flameShape(sheet, late) {
  const { head, tongues } = sheet.character.proportions;
  const heart = headOf(sheet);
  const ball = ellipse(heart.x, heart.y, head.x, head.y);
  const shapes = tongues.map((tongue, nth) => {
    const turn = sheet.pose.turn + late + nth * 0.37;
    const flicker = Math.sin(turn * 2 * Math.PI) * 1.5 + sheet.jitter(`height ${nth}`) * 0.7;
    const height = tongue.height + flicker;
    /** @type {Shape} */
    const shape = (x, y) => {
      const t = (y - heart.y) / height;
      if (t < 0 || t > 1) return false;
      const sway = Math.sin((turn - t * 0.55) * 2 * Math.PI) * 2.2 * t + sheet.jitter(`sway ${nth}`) * t;
      const at = heart.x + tongue.x * (1 - t * 0.15) + tongue.lean * t + sway;
      return Math.abs(x - at) < tongue.width * (1 - t) ** 0.75;
    };
    return shape;
  });
  return union(ball, ...shapes);
}

/** @param {Sheet} sheet */
function drawFace(sheet) {
  const { palette, proportions } = sheet.character;
  const { apart, width, height } = proportions.eyes;
  const heart = headOf(sheet);
  const x = Math.round(heart.x);
  const y = Math.round(heart.y - 2.5);
  const lids = { open: 0, half: 2, closed: height - 1 }[sheet.pose.eyes];
  for (const side of [-1, 1]) {
    const eye = Math.round(x + side * apart - width / 2);
    fill(sheet, eye, y, width, height - lids, palette.eye[0]);
    if (lids === 0) {
      fill(sheet, eye, y + height - 2, 1, 1, palette.eye[1]);
      fill(sheet, eye + 1, y + height - 1, 1, 1, palette.eye[1]);
    }
    fill(sheet, eye + (side < 0 ? -1 : 1), y - 2, width, 1, palette.blush);
  }
  fill(sheet, x - 1, y - 3, 2, 1, palette.eye[0]);
  fill(sheet, x - 2, y - 2, 1, 1, palette.eye[0]);
  fill(sheet, x + 1, y - 2, 1, 1, palette.eye[0]);
}

/** @param {Sheet} sheet */
function drawScarf(sheet) {
  const { palette, proportions } = sheet.character;
  const y = neckOf(sheet);
  const x = middle(sheet, y);
  const half = proportions.body.top / 2 + 2;
  paint(
    sheet,
    capsule({ x: x - half + 2, y }, { x: x + half - 2, y: y - 0.4 }, 2.6),
    (px, py) => ramp(palette.scarf, 0.5 + (py - y) / 4 - (px - x) / 24),
    palette.line,
  );
}

/** @param {Sheet} sheet */
function drawScarfTail(sheet) {
  const { palette, proportions } = sheet.character;
  const start = { x: middle(sheet, neckOf(sheet)) - proportions.body.top / 2, y: neckOf(sheet) - 1 };
  const turn = sheet.pose.turn;
  const points = [0, 1, 2, 3, 4].map((nth) => ({
    x: start.x - nth * 3,
    y: start.y + nth * 0.1 + Math.sin((turn - nth * 0.16) * 2 * Math.PI) * nth * 0.55,
  }));
  const tail = union(
    ...points
      .slice(1)
      .map((point, nth) => capsule(/** @type {Point} */ (points[nth]), point, 2.3 + nth * 0.25)),
  );
  paint(sheet, tail, (_, y) => ramp(palette.scarf, 0.55 + (y - start.y) / 8), palette.line);
}

/** Sparks rise from the flame and burn down. @param {Sheet} sheet @param {number} count */
function drawSparks(sheet, count) {
  const { spark } = sheet.character.palette;
  for (let nth = 0; nth < count; nth++) {
    const life = (sheet.pose.turn + nth / count) % 1;
    const side = nth % 2 === 0 ? -1 : 1;
    const x = Math.round(side * (15 + sheet.jitter(`spark ${nth}`) * 3 + Math.sin(life * 6) * 1.5));
    const y = Math.round(34 + life * 17 + sheet.jitter(`rise ${nth}`) * 2);
    const size = life < 0.5 ? 2 : 1;
    fill(sheet, x, y, size, size, ramp([spark[2], spark[1], spark[0]], 1 - life));
  }
}

/** @param {Sheet} sheet @returns {Point} */
function headOf(sheet) {
  const { head } = sheet.character.proportions;
  const y = head.height + sheet.pose.head.y;
  return { x: sheet.pose.head.x + middle(sheet, y), y };
}

/** @param {Sheet} sheet */
function neckOf(sheet) {
  const { feet, body } = sheet.character.proportions;
  return feet.height + body.height - 0.5 + sheet.pose.breath * 0.8;
}

/** @param {Sheet} sheet @param {-1 | 1} side @returns {Point} */
function shoulderOf(sheet, side) {
  const y = neckOf(sheet) - 3;
  return { x: middle(sheet, y) + side * (sheet.character.proportions.body.top / 2 + 0.5), y };
}

/** @param {Sheet} sheet @param {-1 | 1} side @returns {Point} */
function handOf(sheet, side) {
  const offset = side < 0 ? sheet.pose.hands.left : sheet.pose.hands.right;
  const shoulder = shoulderOf(sheet, side);
  return { x: shoulder.x + side * 3 + offset.x, y: shoulder.y - 5.5 + offset.y };
}

/** Where the middle of the figure is at this height: it leans from the ground up. @param {Sheet} sheet @param {number} y */
function middle(sheet, y) {
  return (sheet.pose.lean * y) / 30;
}
