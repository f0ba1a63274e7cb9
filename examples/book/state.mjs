// The state of the book, and how a scene changes it.

/**
 * @typedef {{ name: string, role: string, pronoun: string, habit: string }} Newcomer
 * @typedef {Newcomer & { place: string, last_scene: string | null }} Character
 * @typedef {{ name: string, smell: string, sound: string, details: string[] }} Place
 * @typedef {{ fact: string, since: string }} Fact
 * @typedef {{ scene: string, when: string, place: string, present: string[] }} Moment
 * @typedef {{ book: string, characters: Character[], places: Place[], facts: Fact[], timeline: Moment[] }} State
 * @typedef {{ scene: string, place: string, when: string, present: string[], introduced: Newcomer[], learned: string[] }} Patch
 */

/**
 * A whole new state. Pure, and the same patch applied a second time changes nothing: a commit that is repeated
 * after a crash gives the same bytes.
 * @param {State} state @param {Patch} patch @returns {State}
 */
export function applyPatch(state, patch) {
  return {
    book: state.book,
    characters: withNewcomers(state.characters, patch).map((character) =>
      patch.present.includes(character.name)
        ? { ...character, place: patch.place, last_scene: patch.scene }
        : character,
    ),
    places: state.places,
    facts: withLearned(state.facts, patch),
    timeline: [...state.timeline.filter((moment) => moment.scene !== patch.scene), momentOf(patch)],
  };
}

/**
 * Who is known, where each was last seen, and which scene told what.
 * @param {State} state @param {string} scene
 */
export function registryOf(state, scene) {
  return {
    after: scene,
    scenes: state.timeline.map((moment) => moment.scene),
    characters: state.characters.map((character) => ({
      name: character.name,
      last_scene: character.last_scene,
      scenes: state.timeline.filter((moment) => moment.present.includes(character.name)).length,
    })),
    facts_by_scene: state.timeline.map((moment) => ({
      scene: moment.scene,
      facts: state.facts.filter((known) => known.since === moment.scene).length,
    })),
  };
}

/** @param {Character[]} characters @param {Patch} patch @returns {Character[]} */
function withNewcomers(characters, patch) {
  const known = new Set(characters.map((character) => character.name));
  const newcomers = patch.introduced.filter((newcomer) => !known.has(newcomer.name));
  return [
    ...characters,
    ...newcomers.map((newcomer) => ({ ...newcomer, place: patch.place, last_scene: patch.scene })),
  ];
}

/** @param {Fact[]} facts @param {Patch} patch @returns {Fact[]} */
function withLearned(facts, patch) {
  const known = new Set(facts.map((entry) => entry.fact));
  const fresh = [...new Set(patch.learned)].filter((fact) => !known.has(fact));
  return [...facts, ...fresh.map((fact) => ({ fact, since: patch.scene }))];
}

/** @param {Patch} patch @returns {Moment} */
function momentOf(patch) {
  return { scene: patch.scene, when: patch.when, place: patch.place, present: patch.present };
}
