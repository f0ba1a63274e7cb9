// The sentences of the stand-in: small grammars with slots for the scene's people, place and beats.
import { createHash } from 'node:crypto';
import { firstWord, holdsWord } from './text.mjs';

/**
 * @typedef {{ name: string, pronoun: string, habit: string }} Person
 * @typedef {{
 *   pov: Person, others: Person[], place: string, when: string, question: string,
 *   smell: string, sound: string, details: string[], forbidden: string[], spoken: string,
 * }} Setting
 * @typedef {keyof typeof frames} Kind
 */

const frames = {
  opening: [
    '{pov} came to {place} {when}.',
    '{when}, {place} was quieter than it had any right to be.',
    '{when}, {pov} stopped at the edge of {place} and listened.',
    'Nobody had asked {pov} to come to {place} {when}.',
    'There was one good reason to be at {place} {when}, and {pov} had it.',
    '{when}, {place} was the last place {pov} wanted to be.',
  ],
  closing: [
    'When {pov} left, {place} seemed to hold its breath.',
    'Nothing about {place} had changed, and nothing was where it had been.',
    'Long afterwards {pov} could have drawn {place} from memory.',
    'It was not over, but {place} had given up what it had.',
    'Behind {pov}, {place} went on as if it had heard none of it.',
    'Only {place} would have called that an answer.',
  ],
  scenery: [
    '{pov} kept {poss} eyes on {detail}.',
    'What light there was lay along {detail}.',
    'Beyond {detail} there was nothing to see.',
    'Somewhere past {detail} there was {sound}.',
    '{detail} looked smaller than {pron} remembered.',
    'A draught moved past {detail} and was gone.',
    '{place} smelled of {smell}.',
    'The only sound was {sound}.',
    'Every shadow leaned the same way.',
    'It was easier to look at {detail} than at anybody.',
  ],
  people: [
    '{other} {habit}.',
    'Opposite {obj}, {other} {habit} and waited.',
    '{other} did not look up.',
    '{pov} {povhabit}.',
    'For the space of a breath nobody spoke.',
    '{other} took a long breath and let it go.',
    'Between them the silence went on.',
    'No face gave anything away.',
    '{pov} moved a little closer to {detail}.',
  ],
  reaction: [
    '{pov} let that settle.',
    'It took {pov} a moment to believe it.',
    '{pron} had not expected that.',
    'The thought would not lie still.',
    'Whatever came next would have to start from there.',
    'Some things stay seen once they are seen.',
    'There was no use in being angry about it.',
    'That was the worst of it, and also a kind of relief.',
    'Anger would have been easier.',
    'So it had come to that.',
    'In another year {pron} might have laughed.',
  ],
  question: [
    '“Tell me {question},” said {pov}.',
    '“You know {question},” {pov} said, “and I want to hear it.”',
    '“I only want to know {question},” said {pov}.',
    '“Start with {question},” {pov} said.',
  ],
  reply: [
    '“Not so loud,” said {other}.',
    '“Ask me something easier,” {other} said.',
    '“I would tell you if it helped,” said {other}.',
    '“You have the answer already,” {other} said, and {habit}.',
    '“That is not mine to say,” said {other}.',
    '“Give me a moment,” {other} said.',
  ],
  insistence: [
    '“Try,” said {pov}.',
    '“I can wait,” {pov} said.',
    '“Then say the part that is yours,” said {pov}.',
    '“Nobody else is listening,” {pov} said.',
  ],
  beat: ['{beat}.'],
  announced: [
    'There was no mistaking it: {beat}.',
    'One thing was certain: {beat}.',
    'And there it was: {beat}.',
    'This much was true: {beat}.',
  ],
  memory: [
    'It all went back to one thing: {fact}.',
    '{pov} had not forgotten how matters stood: {fact}.',
    'Under everything lay the same old fact: {fact}.',
  ],
  rough: [
    '{word}, {place} did not look the same.',
    'The whole of it was {word} too much for {pov}.',
    '{pov} {word} wished the day were over.',
  ],
};

/** What a reader notices the second time. */
const onceOnly = ['habit', 'povhabit', 'smell', 'sound'];

/**
 * Chance that is no chance: the same text gives the same choices, another text gives others.
 * @param {string} text
 */
export function createChance(text) {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** @param {number} length */
    index: (length) => Math.floor(next() * length),
    /** @template T @param {readonly T[]} items @returns {T} */
    pick: (items) => /** @type {T} */ (items[Math.floor(next() * items.length)]),
  };
}

/**
 * Says one sentence after another: no frame twice before all of its kind were used, none with a word to leave
 * out, none that was spoken before, and none that begins like a neighbour.
 * @param {Setting} setting @param {ReturnType<typeof createChance>} chance
 */
export function createNarrator(setting, chance) {
  /** @type {Map<string, string[]>} */
  const unused = new Map();
  /** @type {Set<string>} */
  const told = new Set();
  const others = setting.others.length > 0 ? setting.others.map((person) => person.name) : [setting.pov.name];

  /** @param {string} pool @param {readonly string[]} all @param {(item: string) => boolean} [fits] */
  function take(pool, all, fits = () => true) {
    let left = unused.get(pool) ?? [...all];
    if (!left.some(fits)) left = [...all];
    const fitting = left.filter(fits);
    const chosen = chance.pick(fitting.length > 0 ? fitting : left);
    const rest = left.filter((item) => item !== chosen);
    unused.set(pool, rest);
    return chosen;
  }

  return {
    /** @param {Kind} kind @param {readonly string[]} neighbours @param {Record<string, string>} [slots] */
    say(kind, neighbours, slots = {}) {
      const otherName = take('other', others);
      const other = setting.others.find((person) => person.name === otherName) ?? setting.pov;
      /** @type {Record<string, string>} */
      const values = { ...slotsOf(setting, other), detail: take('detail', setting.details), ...slots };
      const starts = neighbours.map(firstWord);
      /** @param {string} candidate */
      const fits = (candidate) => {
        const sentence = fill(candidate, values);
        if (onceOnly.some((slot) => candidate.includes(`{${slot}}`) && told.has(values[slot] ?? '')))
          return false;
        if (kind !== 'rough' && setting.forbidden.some((word) => holdsWord(sentence, word))) return false;
        return !starts.includes(firstWord(sentence)) && !setting.spoken.includes(sentence);
      };
      // A plain sentence tells a beat best; where its first word would repeat a neighbour's, it is announced.
      const pool = kind === 'beat' && !frames.beat.some(fits) ? 'announced' : kind;
      const frame = take(pool, frames[pool], fits);
      for (const slot of onceOnly) if (frame.includes(`{${slot}}`)) told.add(values[slot] ?? '');
      return fill(frame, values);
    },
  };
}

/** @param {Setting} setting @param {Person} other @returns {Record<string, string>} */
function slotsOf(setting, other) {
  return {
    pov: setting.pov.name,
    povhabit: setting.pov.habit,
    ...pronounsOf(setting.pov.pronoun),
    other: other.name,
    habit: other.habit,
    place: setting.place,
    when: setting.when,
    smell: setting.smell,
    sound: setting.sound,
    question: setting.question,
  };
}

/** @param {string} pronoun */
function pronounsOf(pronoun) {
  if (pronoun === 'she') return { pron: 'she', obj: 'her', poss: 'her' };
  if (pronoun === 'he') return { pron: 'he', obj: 'him', poss: 'his' };
  return { pron: 'they', obj: 'them', poss: 'their' };
}

/** @param {string} frame @param {Record<string, string>} values */
function fill(frame, values) {
  const text = frame.replaceAll(/\{(\w+)\}/g, (_, slot) => values[slot] ?? '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
