// A stand-in for a spec agent: it numbers the wishes of a request, and marks what they leave open.
import { existing, output, prompt, say } from '../standin/task.mjs';
import { changesAskedFor, list, page, section } from '../standin/text.mjs';

/** What this stand-in finds vague. */
const questions = [
  { about: /spreadsheet/, ask: 'Which separator, and which quotes?' },
  { about: /amount/, ask: 'How many digits, and which sign?' },
];

// What stands in a draft already keeps its number and its words.
const before = list(existing('draft') ?? '', 'Requirements');
const isThere = (/** @type {string} */ wish) => before.some((line) => line.includes(wish));
const added = list(prompt(), 'Wishes').filter((wish) => !isThere(wish));
const requirements = [
  ...before,
  ...added.map((wish, at) => `R${before.length + at + 1}: ${wish}${marker(wish)}`),
];
output('draft', page('Refund export (draft)', section('Requirements', requirements), ...changesAskedFor()));
say(`${added.length} of ${requirements.length} requirements are new`);

/** @param {string} wish */
function marker(wish) {
  const open = questions.find(({ about }) => about.test(wish));
  return open === undefined ? '' : ` [NEEDS CLARIFICATION: ${open.ask}]`;
}
