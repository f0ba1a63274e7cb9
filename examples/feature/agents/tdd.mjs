// A stand-in for an agent that writes tests: it knows those of one module.
import { existing, output, prompt, say } from '../standin/task.mjs';
import { answer, changesInCode, list } from '../standin/text.mjs';

const there = existing('tests');
// Tests that are there are gone on with; only what they say of themselves at the top is written anew.
const tests = there?.replace(/^(?:\/\/.*\n)+\n/, '') ?? answer('refund-export.test.ts');
const covered = list(prompt(), 'Requirements').map((requirement) => `// ${requirement}\n`);
output('tests', `${[...covered, ...changesInCode()].join('')}\n${tests}`);
say(there === undefined ? 'tests written' : 'the tests that are there gone on with');
