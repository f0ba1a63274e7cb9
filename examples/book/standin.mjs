// An offline stand-in for a language model, so that the example runs without a network, a key or a bill.
// It sees what a model would and nothing else: the same prompt gives the same answer, and any other prompt, another
// answer. What the prompt does not say, it does not know. pawl.yaml says how a model takes its place.
import { pause, trace } from './calls.mjs';
import { createChance, createNarrator } from './grammar.mjs';
import { field, list, tagged } from './prompt.mjs';
import { firstWord, holdsWord, mentions, paragraphs, sentences, words } from './text.mjs';

/**
 * What Pawl hands to a function that answers in a model's place; the parts that this one uses.
 * @typedef {{
 *   system?: string | undefined,
 *   turns: readonly { role: 'user' | 'assistant', text: string }[],
 *   signal: AbortSignal,
 * }} Request
 * @typedef {{ system?: string | undefined, text: string }} Prompt
 * @typedef {import('./grammar.mjs').Setting} Setting
 * @typedef {import('./grammar.mjs').Person} Person
 * @typedef {ReturnType<typeof createNarrator>} Narrator
 */

/** @type {ReadonlyMap<string, (prompt: Prompt) => string>} */
const answers = new Map([
  ['plan', planScene],
  ['continuity_pack', packContinuity],
  ['write', writeScene],
  ['repair', repairScene],
  ['state_repair', repairPatch],
]);

const piecesMax = 4;

/** The answer to a prompt, in pieces as a model gives it. @param {Request} request */
export async function* answer({ system, turns, signal }) {
  // Where an answer could not be used, more was said since; the question is still the first one.
  const text = turns[0]?.text ?? '';
  const phase = field(text, 'Phase');
  const answerTo = answers.get(phase);
  if (answerTo === undefined)
    throw new Error(`the prompt names no phase that the stand-in knows: "${phase}"`);
  trace(field(text, 'Scene'), phase, undefined, Number(field(text, 'Round') || 1));
  const letters = Array.from(answerTo({ system, text }));
  const length = Math.ceil(letters.length / piecesMax);
  for (let start = 0; start < letters.length; start += length) {
    await pause(signal, 1 / piecesMax);
    yield letters.slice(start, start + length).join('');
  }
}

/** A scene card. @param {Prompt} prompt */
function planScene(prompt) {
  const { text } = prompt;
  const chance = chanceOf(prompt);
  const narrator = createNarrator(settingOf(text), chance);
  return JSON.stringify({
    scene: field(text, 'Scene'),
    title: field(text, 'Title'),
    draft: field(text, 'Draft'),
    mood: chance.pick(['uneasy', 'guarded', 'wary', 'quiet', 'tender']),
    opening: narrator.say('opening', []),
    closing: narrator.say('closing', []),
  });
}

/** What the writer has to know: the people, the place, and the facts that bear on the beats. @param {Prompt} prompt */
function packContinuity({ text }) {
  const people = field(text, 'People').split(', ');
  const place = field(text, 'Place');
  const about = new Set(
    words(list(text, 'Beats').join(' ').toLowerCase()).filter((word) => word.length >= 5),
  );
  const known = list(text, 'All facts').filter((fact) =>
    words(fact.toLowerCase()).some((word) => about.has(word)),
  );
  const [smell = '', sound = '', details = ''] = itemValue(list(text, 'All places'), place).split('; ');
  return [
    '## People',
    ...list(text, 'All people')
      .filter((entry) => people.includes(entry.split(': ')[0] ?? ''))
      .map((entry) => `- ${entry}`),
    '## Place',
    `- smell: ${smell}`,
    `- sound: ${sound}`,
    ...details.split(', ').map((detail) => `- detail: ${detail}`),
    '## Known so far',
    ...known.slice(-4).map((fact) => `- ${fact}`),
    '',
  ].join('\n');
}

/** A scene and its state patch. @param {Prompt} prompt */
function writeScene(prompt) {
  const { text } = prompt;
  const wordsWanted = Number(/\d+/.exec(field(text, 'Length'))?.[0] ?? 150);
  let paragraphsWritten = draft(prompt, 0);
  for (let fillers = 1; fillers <= 40 && words(paragraphsWritten.join(' ')).length < wordsWanted; fillers++) {
    paragraphsWritten = draft(prompt, fillers);
  }
  return sceneAndPatch(text, field(text, 'Title'), paragraphsWritten);
}

/** The scene with the findings of the prompt mended, and its state patch. @param {Prompt} prompt */
function repairScene(prompt) {
  const { text } = prompt;
  const narrator = createNarrator(settingOf(text), chanceOf(prompt));
  let mended = paragraphs(tagged(text, 'prose') ?? '');
  for (const finding of list(text, 'Findings')) {
    const colon = finding.indexOf(': ');
    mended = mend(mended, finding.slice(0, colon), finding.slice(colon + 2), list(text, 'Beats'), narrator);
  }
  return sceneAndPatch(text, field(text, 'Title'), mended);
}

/** The patch with exactly the claims that the prose bears out. @param {Prompt} prompt */
function repairPatch({ text }) {
  const prose = tagged(text, 'prose') ?? '';
  const patch = JSON.parse(tagged(text, 'state_patch') ?? '{}');
  const present = patch.present.filter((/** @type {string} */ name) => holdsWord(prose, name));
  const learned = list(text, 'Beats').filter((beat) => mentions(prose, beat));
  return JSON.stringify({ ...patch, present, learned });
}

/**
 * A rough draft forgets one beat and uses the words that it should leave out; its patch claims the beat all the same.
 * @param {Prompt} prompt @param {number} fillers
 */
function draft(prompt, fillers) {
  const { text } = prompt;
  const setting = settingOf(text);
  const chance = chanceOf(prompt);
  const narrator = createNarrator(setting, chance);
  const rough = field(text, 'Draft') === 'rough';
  const beats = list(text, 'Beats');
  const forgotten = rough ? 1 + chance.index(Math.max(beats.length - 1, 1)) : -1;
  const slips = rough ? [...setting.forbidden] : [];
  const facts = list(text, 'Known so far');

  let last = field(text, 'Opening') || narrator.say('opening', []);
  const written = [`${last} ${say('scenery')}`];
  beats.forEach((beat, index) => {
    if (index === forgotten) return;
    const fillersHere = Math.floor(fillers / beats.length) + (index < fillers % beats.length ? 1 : 0);
    const lead = Array.from({ length: fillersHere }, (_, n) => say(n % 2 === 0 ? 'people' : 'scenery'));
    written.push([...lead, say('beat', { beat }), say('reaction')].join(' '));
    if (index === 0) written.push(say('question'), say('reply'), say('insistence'));
    if (index === beats.length - 2 && facts.length > 0)
      written.push(say('memory', { fact: chance.pick(facts) }));
    const word = slips.shift();
    if (word !== undefined) written.push(say('rough', { word }));
  });
  for (const word of slips) written.push(say('rough', { word }));
  const closing = field(text, 'Closing') || narrator.say('closing', [last]);
  written.push(`${narrator.say('scenery', [last, closing])} ${closing}`);
  return written;

  /** @param {import('./grammar.mjs').Kind} kind @param {Record<string, string>} [slots] */
  function say(kind, slots) {
    last = narrator.say(kind, [last], slots);
    return last;
  }
}

/**
 * @param {string[]} prose paragraphs @param {string} rule @param {string} about
 * @param {string[]} beats @param {Narrator} narrator @returns {string[]}
 */
function mend(prose, rule, about, beats, narrator) {
  switch (rule) {
    case 'missed-beat':
      return withBeat(prose, about, beats, narrator);
    case 'forbidden-word':
      return prose.map((paragraph) => withoutWord(paragraph, about));
    case 'too-short':
      return insertAt(prose, prose.length - 1, ['scenery', 'people', 'reaction'], narrator);
    case 'too-long':
      return withoutLongest(prose, beats);
    case 'repeated-start':
      return prose.map((paragraph) => paragraph.replace(about, `All the while, ${lowerStart(about)}`));
    default:
      return prose;
  }
}

/**
 * Puts a forgotten beat behind the one that comes before it.
 * @param {string[]} prose @param {string} beat @param {string[]} beats @param {Narrator} narrator
 */
function withBeat(prose, beat, beats, narrator) {
  const before = beats[beats.indexOf(beat) - 1];
  const found = before === undefined ? 0 : prose.findIndex((paragraph) => mentions(paragraph, before));
  return insertAt(prose, found < 0 ? prose.length - 1 : found + 1, ['beat', 'reaction'], narrator, { beat });
}

/**
 * @param {string[]} prose @param {number} index @param {import('./grammar.mjs').Kind[]} kinds
 * @param {Narrator} narrator @param {Record<string, string>} [slots]
 */
function insertAt(prose, index, kinds, narrator, slots = {}) {
  let last = sentences(prose[index - 1] ?? '').at(-1) ?? '';
  const next = sentences(prose[index] ?? '')[0] ?? '';
  const fresh = kinds.map((kind) => {
    last = narrator.say(kind, [last, next], slots);
    return last;
  });
  return [...prose.slice(0, index), fresh.join(' '), ...prose.slice(index)];
}

/** @param {string} paragraph @param {string} word */
function withoutWord(paragraph, word) {
  if (!holdsWord(paragraph, word)) return paragraph;
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const text = paragraph.replaceAll(new RegExp(`\\b${escaped}\\b,? ?`, 'giu'), '');
  return text.replaceAll(/(^|[.!?]”? )(\p{Ll})/gu, (_, end, letter) => end + letter.toUpperCase());
}

/** Drops the longest paragraph that carries no beat. @param {string[]} prose @param {string[]} beats */
function withoutLongest(prose, beats) {
  const idle = prose.filter((paragraph) => !beats.some((beat) => mentions(paragraph, beat)));
  const longest = idle.sort((a, b) => words(b).length - words(a).length)[0];
  return prose.filter((paragraph) => paragraph !== longest);
}

/** A name keeps its capital. @param {string} sentence */
function lowerStart(sentence) {
  const plain = [
    'a',
    'the',
    'it',
    'there',
    'that',
    'what',
    'some',
    'so',
    'in',
    'for',
    'no',
    'nobody',
    'she',
    'he',
  ];
  return plain.includes(firstWord(sentence))
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence;
}

/** @param {string} text of the prompt @param {string} title @param {string[]} prose paragraphs */
function sceneAndPatch(text, title, prose) {
  const patch = {
    scene: field(text, 'Scene'),
    place: field(text, 'Place'),
    when: field(text, 'When'),
    present: field(text, 'People').split(', '),
    introduced: [],
    learned: list(text, 'Beats'),
  };
  return [`# ${title}`, ...prose, `\`\`\`json\n${JSON.stringify(patch)}\n\`\`\``].join('\n\n');
}

/** @param {string} text @returns {Setting} */
function settingOf(text) {
  const place = list(text, 'Place');
  const details = place
    .filter((line) => line.startsWith('detail: '))
    .map((line) => line.slice('detail: '.length));
  const names = field(text, 'People').split(', ');
  const povName = field(text, 'Point of view') || (names[0] ?? 'Someone');
  return {
    pov: personOf(text, povName),
    others: names.filter((name) => name !== povName).map((name) => personOf(text, name)),
    place: field(text, 'Place') || 'the place',
    when: field(text, 'When') || 'that day',
    question: field(text, 'Question') || 'what happened',
    smell: itemValue(place, 'smell') || 'nothing much',
    sound: itemValue(place, 'sound') || 'a footstep',
    details: details.length > 0 ? details : ['the door', 'the wall'],
    forbidden: list(text, 'Words to leave out'),
    spoken: tagged(text, 'prose') ?? '',
  };
}

/** @param {string} text @param {string} name @returns {Person} */
function personOf(text, name) {
  const [, pronoun = 'they', habit = 'said nothing'] = itemValue(list(text, 'People'), name).split('; ');
  return { name, pronoun, habit };
}

/** The value of the item `key: value`. @param {string[]} items @param {string} key */
function itemValue(items, key) {
  const item = items.find((candidate) => candidate.startsWith(`${key}: `));
  return item === undefined ? '' : item.slice(key.length + 2);
}

/** @param {Prompt} prompt */
function chanceOf(prompt) {
  return createChance(`${prompt.system ?? ''}\n${prompt.text}`);
}
