// Measures one scene against its checklist. It tells what it found in a report and exits 0 whatever the verdict:
// a bad scene is a finding, only a lint that could not look is a failure.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { field, list } from '../prompt.mjs';
import { firstWord, holdsWord, mentions, sentences, words } from '../text.mjs';

/**
 * @typedef {{ rule: string, severity: 'error' | 'warning', about: string, message: string }} Finding
 * @typedef {import('../state.mjs').State} State
 * @typedef {import('../state.mjs').Patch} Patch
 */

const calls = process.env.BOOK_CALLS;
if (calls) {
  const { PAWL_UNIT, PAWL_PHASE, PAWL_ATTEMPT, PAWL_ITERATION } = process.env;
  appendFileSync(calls, `${PAWL_UNIT} ${PAWL_PHASE} ${PAWL_ATTEMPT} ${PAWL_ITERATION}\n`);
}

const checklist = read('PAWL_PROMPT');
const prose = read('PAWL_INPUT_PROSE');
const patch = /** @type {Patch} */ (JSON.parse(read('PAWL_INPUT_STATE_PATCH')));
const snapshot = /** @type {State} */ (JSON.parse(read('PAWL_INPUT_SNAPSHOT')));
const before = /** @type {State} */ (JSON.parse(read('PAWL_STATE')));
const beats = list(checklist, 'Beats');

const findings = [...checkBeats(), ...checkWords(), ...checkLength(), ...checkPatch(), ...checkStarts()];
const report = {
  scene: field(checklist, 'Scene'),
  status: verdict(),
  measures: {
    words: words(prose).length,
    sentences: sentences(prose).length,
    beats_mentioned: beats.filter((beat) => mentions(prose, beat)).length,
    beats: beats.length,
  },
  findings,
};
writeFileSync(pathOf('PAWL_OUTPUT_REPORT'), `${JSON.stringify(report, null, 2)}\n`);

/** @returns {'pass' | 'warn' | 'fail'} */
function verdict() {
  if (findings.some((finding) => finding.severity === 'error')) return 'fail';
  return findings.length > 0 ? 'warn' : 'pass';
}

/** @returns {Finding[]} */
function checkBeats() {
  return beats
    .filter((beat) => !mentions(prose, beat))
    .map((beat) => error('missed-beat', beat, 'no sentence of the scene says this'));
}

/** @returns {Finding[]} */
function checkWords() {
  return list(checklist, 'Words to leave out').flatMap((word) => {
    const sentence = sentences(prose).find((candidate) => holdsWord(candidate, word));
    return sentence === undefined ? [] : [error('forbidden-word', word, `it stands in: ${sentence}`)];
  });
}

/** @returns {Finding[]} */
function checkLength() {
  const [min = 0, max = Number.POSITIVE_INFINITY] = (field(checklist, 'Words').match(/\d+/g) ?? []).map(
    Number,
  );
  const count = words(prose).length;
  if (count < min) return [error('too-short', `${count} words`, `a scene has at least ${min} words`)];
  if (count > max) return [error('too-long', `${count} words`, `a scene has at most ${max} words`)];
  return [];
}

/** The patch claims what the prose says, of people whom the book knows. @returns {Finding[]} */
function checkPatch() {
  const people = new Set(snapshot.characters.map((character) => character.name));
  const known = new Set(before.facts.map((entry) => entry.fact));
  return [
    ...patch.present
      .filter((name) => !people.has(name))
      .map((name) => error('patch-disagrees', name, 'the patch names somebody whom the book does not know')),
    ...patch.present
      .filter((name) => people.has(name) && !holdsWord(prose, name))
      .map((name) =>
        error('patch-disagrees', name, 'the patch has them present, the prose never names them'),
      ),
    ...patch.learned
      .filter((fact) => !mentions(prose, fact))
      .map((fact) => error('patch-disagrees', fact, 'the patch claims it, the prose does not say it')),
    ...patch.learned
      .filter((fact) => known.has(fact))
      .map((fact) => error('patch-disagrees', fact, 'the book knew this before the scene')),
  ];
}

/** @returns {Finding[]} */
function checkStarts() {
  const all = sentences(prose);
  return all
    .filter((sentence, index) => index > 0 && firstWord(sentence) === firstWord(all[index - 1] ?? ''))
    .map((sentence) => ({
      rule: 'repeated-start',
      severity: 'warning',
      about: sentence,
      message: 'it begins with the same word as the sentence before',
    }));
}

/** @param {string} rule @param {string} about @param {string} message @returns {Finding} */
function error(rule, about, message) {
  return { rule, severity: 'error', about, message };
}

/** @param {string} variable */
function read(variable) {
  return readFileSync(pathOf(variable), 'utf8');
}

/** @param {string} variable */
function pathOf(variable) {
  const path = process.env[variable];
  if (path) return path;
  process.stderr.write(`${variable} is not set: this tool is started by pawl (see pawl.yaml)\n`);
  process.exit(2);
}
