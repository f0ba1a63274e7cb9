// A stand-in for a security review: it looks for a few things, and finds what is there.
import { input, output, say } from '../standin/task.mjs';
import { changesAskedFor, page } from '../standin/text.mjs';

const source = input('source');
const rows = [
  source.includes('/^[=+@-]/')
    ? '| A cell is run as a formula | MITIGATED | what begins with =, +, @ or - gets a quote in front |'
    : '| A cell is run as a formula | ACCEPTED | finance opens the file with formulas switched off |',
  /node:(fs|child_process|net)/.test(source)
    ? '| It reaches out of its own text | ACCEPTED | it was asked to |'
    : '| It reaches out of its own text | SAFE | it imports nothing |',
];
const table = ['## Threats', '', '| Threat | Verdict | How |', '|---|---|---|', ...rows].join('\n');
output('report', page('Security review', table, ...changesAskedFor()));
say(`${rows.length} threats looked at`);
