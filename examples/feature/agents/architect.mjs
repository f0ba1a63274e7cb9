// A stand-in for an architect: it writes down what it has looked up, decides, and holds that against the constitution.
import { existing, output, prompt, say } from '../standin/task.mjs';
import { changesAskedFor, list, page, section } from '../standin/text.mjs';

/** What this stand-in thinks of the principles that it knows. */
const verdicts = new Map([
  ['Tests first', ['COMPLIES', '-']],
  ['No new dependencies', ['COMPLIES', '-']],
  ['Data stays small', ['EXCEPTION', 'finance needs one file; 10,000 refunds are less than 2 MB']],
  ['People can undo', ['N/A', '-']],
]);

const facts = [
  'CSV is described by RFC 4180: CRLF, and quotes are doubled',
  'Spreadsheets run a cell that begins with =',
];
const known = list(existing('research') ?? '', 'Facts');
output(
  'research',
  page('Research', section('Facts', [...known, ...facts.filter((fact) => !known.includes(fact))])),
);

const requirements = list(prompt(), 'Requirements');
const rows = list(prompt(), 'Principles').map((principle) => {
  const name = principle.split(':', 1)[0] ?? '';
  const [verdict, why] = verdicts.get(name) ?? ['COMPLIES', 'as far as a stand-in can tell'];
  return `| ${name} | ${verdict} | ${why} |`;
});
const check = [
  '## Constitution Check',
  '',
  '| Principle | Verdict | Justification |',
  '|---|---|---|',
  ...rows,
];
const decision = [
  'Format: CSV as in RFC 4180',
  'Where: src/refund-export.ts, one function without side effects',
  'Who calls it writes the file',
];
output(
  'adr',
  page(
    'ADR: refund export',
    section('What it has to do', requirements),
    section('Decision', decision),
    check.join('\n'),
    ...changesAskedFor(),
  ),
);
say(`${rows.length} principles checked, ${known.length} facts were known`);
