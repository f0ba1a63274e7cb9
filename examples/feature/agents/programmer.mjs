// A stand-in for a programmer. Like a model it slips: its first version quotes a field and forgets the quotes inside it. It
// mends that only in what it has written before, and only when it is told which test fails.
import { existing, input, output, prompt, revise, say } from '../standin/task.mjs';
import { answer, changesInCode, list } from '../standin/text.mjs';

const there = existing('source');
const failing = list(prompt(), 'Tests that fail');

if (!/^- Format: /m.test(input('adr'))) {
  revise('architect', 'the ADR does not say which format the export has');
  say('cannot go on without a format');
} else if (there === undefined) {
  output('source', withChanges(answer('refund-export.ts')));
  say('first version');
} else {
  output('source', withChanges(mended(there)));
  say(`gone on from ${there.split('\n').length - 1} lines, with ${failing.length} failing tests`);
}

/** @param {string} source */
function mended(source) {
  if (!failing.some((failure) => failure.includes('quote'))) return source;
  return source.replace('{text}', "{text.replaceAll('\"', '\"\"')}");
}

/** @param {string} source */
function withChanges(source) {
  return changesInCode().join('') + source.replace(/^(?:\/\/ Asked for .*\n)+/, '');
}
