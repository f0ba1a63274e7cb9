// A stand-in for a reviewer: it looks for a few things, and finds what is there.
import { input, output, say } from '../standin/task.mjs';
import { changesAskedFor, page, section } from '../standin/text.mjs';

const source = input('source');
const blocking = [/\bany\b/.test(source) ? 'a value has no type (any)' : undefined];
const minor = [
  /const header = '/.test(source) ? 'the columns are listed twice, in the header and in the rows' : undefined,
  source.split('\n').some((line) => line.length > 120) ? 'a line is longer than 120 characters' : undefined,
];
const findings = [...blocking, ...minor].filter((finding) => finding !== undefined);
const isBlocked = blocking.some((finding) => finding !== undefined);
const verdict = isBlocked ? 'blocking' : findings.length > 0 ? 'minor' : 'approve';
output('review', `${JSON.stringify({ verdict, findings }, null, 2)}\n`);
output(
  'page',
  page('Code review', `Verdict: ${verdict}`, section('Findings', findings), ...changesAskedFor()),
);
say(`${verdict}, ${findings.length} findings`);
