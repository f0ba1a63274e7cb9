// A stand-in for a spec agent that clarifies: it puts an answer in the place of every marker.
import { existing, output, prompt, say } from '../standin/task.mjs';
import { changesAskedFor, list, page, section } from '../standin/text.mjs';

const known = list(prompt(), 'If asked');
/** @type {string[]} */
const settled = [];
const draft = list(prompt(), 'Requirements').map(settle);
// A requirement of the spec that somebody has worked on stays as it is.
const before = list(existing('spec') ?? '', 'Requirements');
const requirements = draft.map((line) => before.find((other) => number(other) === number(line)) ?? line);
const more = before.filter((line) => !draft.some((other) => number(other) === number(line)));
const spec = section('Requirements', [...requirements, ...more]);
output('spec', page('Refund export', spec, ...changesAskedFor()));
output('clarifications', page('What was unclear', section('Questions', settled, 'nothing was')));
say(`${settled.length} questions settled`);

/** @param {string} line */
function settle(line) {
  return line.replace(/ \[NEEDS CLARIFICATION: ([^\]]*)\]/, (_, question) => {
    const found = known.find((item) => item.startsWith(question));
    const told = found?.slice(question.length).trim() ?? 'Nobody said; as is usual.';
    settled.push(`${question} ${told}${found === undefined ? ' (assumed)' : ''}`);
    return `: ${told.charAt(0).toLowerCase()}${told.slice(1).replace(/\.$/, '')}`;
  });
}

/** @param {string} line */
function number(line) {
  return line.split(':', 1)[0];
}
