import type { Problem, ProblemCode } from '../../model/failure.ts';
import { plain } from '../style/plain.ts';
import { bytes, choice, count, didYouMean } from '../style/words.ts';

type Facts = Problem['facts'];

/** What is wrong with a manifest, without the place. */
export function problemWords(problem: Problem): string {
  const { code, facts } = problem;
  return `${words[code](facts)}${isBareBraces(problem) ? '; quote values that hold { }' : ''}`;
}

/** `{unit}.txt` without quotes begins a map, which then goes on in a strange way or stands where a text belongs. */
function isBareBraces({ code, place, facts }: Problem): boolean {
  if (place === undefined) return false;
  const opens = place.source.charAt(place.column - 1) === '{';
  if (code === 'wrong-type')
    return opens && facts.found === 'map' && many(facts, 'expected').includes('string');
  const closed = place.source
    .slice(0, place.column - 1)
    .trimEnd()
    .endsWith('}');
  return code === 'yaml-syntax' && facts.cause === 'UNEXPECTED_TOKEN' && (opens || closed);
}

const words: Readonly<Record<ProblemCode, (facts: Facts) => string>> = {
  'file-too-large': (facts) => `${one(facts, 'found')} is too large; at most ${size(facts)}`,
  'file-unreadable': (facts) =>
    one(facts, 'cause') === 'ENOENT'
      ? `there is no file ${one(facts, 'found')}${guess(facts)}`
      : `${one(facts, 'found')} cannot be read (${one(facts, 'cause')})`,
  'not-utf8': (facts) => `${one(facts, 'found')} is not a UTF-8 text`,
  'manifest-empty': () =>
    'the file is empty; it needs pawl: 1, pipeline, units and phases, as in the example that pawl init minimal FOLDER writes',
  'yaml-syntax': yamlSyntax,
  'yaml-too-deep': (facts) => `nested deeper than ${one(facts, 'limit')} levels`,
  'yaml-too-many-aliases': (facts) => `more than ${one(facts, 'limit')} aliases, or aliases of aliases`,
  'yaml-custom-tag': (facts) => `the tag ${one(facts, 'found')} is not allowed; write plain YAML`,
  'yaml-duplicate-key': (facts) => `the key ${one(facts, 'found')} stands here twice`,
  'unknown-key': unknownKey,
  'literal-secret': (facts) =>
    `holds what looks like ${one(facts, 'found')}; keep it in a variable of the environment and name that here, as in env: { TOKEN: $TOKEN }`,
  'missing-key': (facts) =>
    has(facts, 'valid')
      ? `one of ${choice(many(facts, 'valid'))} is needed here`
      : `missing${expected(facts)}`,
  'wrong-type': (facts) => `found ${found(facts)}${expected(facts) || '; it does not fit here'}`,
  'not-one-of': (facts) => `${found(facts)} is not possible here${guess(facts)}${valid(facts)}`,
  'out-of-range': range,
  'bad-name': (facts) =>
    one(facts, 'expected') === 'letters'
      ? `${found(facts)} cannot be a name: a number would lose its place; begin it with a letter`
      : `${found(facts)} cannot be a name; use a-z, 0-9, ".", "_" and "-", beginning with a letter or digit, 64 at most${guess(facts)}`,
  'reserved-name': (facts) => `the name ${one(facts, 'found')} is reserved; choose another one`,
  'duplicate-unit': (facts) =>
    has(facts, 'files')
      ? `two files give the unit ${one(facts, 'found')}: ${many(facts, 'files').join(' and ')}; set id to a field in which they differ, such as "{stem}" or "{folder}"`
      : `there are two units called ${one(facts, 'found')}`,
  'no-units': (facts) =>
    has(facts, 'pattern')
      ? `no file matches ${one(facts, 'pattern')}, so there are no units`
      : 'there are no units; list at least one',
  'unit-source-missing': (facts) => `there is no file ${one(facts, 'found')} to take the units from`,
  'unit-source-not-a-list': (facts) =>
    `there is ${one(facts, 'found')} at that place of ${one(facts, 'file')}; a list of units is expected${valid(facts)}`,
  'unknown-unit-need': (facts) => `no unit of this stage is called ${one(facts, 'found')}${guess(facts)}`,
  'unit-cycle': (facts) => `these units need each other in a circle: ${cycle(facts)}`,
  'no-phases': () => 'there are no phases; list at least one',
  'duplicate-phase': (facts) =>
    `there are two ${has(facts, 'kind') ? `${one(facts, 'kind')}s` : 'phases'} called ${one(facts, 'found')}`,
  'unknown-need': (facts) =>
    has(facts, 'listed-later')
      ? `${one(facts, 'found')} is listed after this phase; a phase can only need phases listed before it`
      : `no phase is called ${one(facts, 'found')}${guess(facts)}${valid(facts)}`,
  'need-cycle': (facts) => `these phases need each other in a circle: ${cycle(facts)}`,
  'unknown-input': (facts) => `no phase makes ${one(facts, 'found')}${guess(facts)}${valid(facts)}`,
  'input-from-later-phase': (facts) =>
    `${one(facts, 'found')} is made after ${one(facts, 'phase')}, and no gate leads back from there`,
  'no-unit-file': (facts) =>
    `${one(facts, 'found')} needs units with a file: units: { glob: … }, or units: { …, file: FIELD }`,
  'unknown-file': (facts) =>
    `no declared file is called ${one(facts, 'found')}${guess(facts)}${valid(facts)}`,
  'duplicate-output': (facts) =>
    `${one(facts, 'found')}${ofUnit(facts)} is taken by ${one(facts, 'other')}; every file has one writer`,
  'output-not-per-unit': (facts) =>
    `${one(facts, 'found')} is the same for all ${one(facts, 'units')} units; put {unit} into it`,
  'path-absolute': (facts) =>
    `${one(facts, 'found')} is absolute; write it relative to the workspace${ofUnit(facts)}`,
  'path-outside': (facts) => `${one(facts, 'found')} leads out of the workspace${ofUnit(facts)}`,
  'path-reserved': (facts) =>
    `${one(facts, 'found')} is reserved and cannot be part of a path${ofUnit(facts)}`,
  'path-control-character': (facts) =>
    `the path holds ${one(facts, 'found')}; use plain letters and "/"${ofUnit(facts)}`,
  'path-through-link': (facts) => `${one(facts, 'found')} leads out of the workspace through a symbolic link`,
  'pattern-unknown-field': (facts) =>
    `there is no field ${one(facts, 'found')}${ofUnit(facts)}${ofFile(facts)}${guess(facts)}${valid(facts)}`,
  'template-missing': (facts) => `there is no template ${one(facts, 'found')}`,
  'template-too-large': (facts) => `the template ${one(facts, 'found')} is too large; at most ${size(facts)}`,
  'template-syntax': (facts) =>
    one(facts, 'cause') === 'include-not-literal'
      ? 'an include must name its file in quotes, so that changes of it can be seen'
      : `not a template: ${one(facts, 'detail')}`,
  'template-unknown-variable': (facts) =>
    has(facts, 'takes')
      ? `the phase does not take the file of its unit, which ${one(facts, 'found')} needs; add inputs: { file: ${one(facts, 'takes')} }`
      : `there is no variable ${one(facts, 'found')}${guess(facts)}`,
  'template-includes-itself': (facts) => `these templates include each other in a circle: ${cycle(facts)}`,
  'shell-with-template': (facts) =>
    `${one(facts, 'found')} would become part of a program text of ${one(facts, 'program')}; pass it as an argument of its own`,
  'program-from-unit': (facts) =>
    `the program would be what ${one(facts, 'found')} says; name the program here, and pass the value as an argument`,
  'env-forbidden': (facts) =>
    `the variable ${one(facts, 'found')} may not be set: it changes what a program loads`,
  'gate-unknown-output': (facts) =>
    `this phase has no output ${one(facts, 'found')} for the gate to read${guess(facts)}${valid(facts)}`,
  'gate-back-to-later': (facts) =>
    `${one(facts, 'found')} is listed after the gate; a gate goes back to its own phase or one before${valid(facts)}`,
  'gate-loops-overlap': (facts) =>
    `the loops of the gates ${one(facts, 'found')} and ${one(facts, 'other')} share phases`,
  'gate-needs-key': (facts) =>
    `${one(facts, 'found')} does nothing without ${one(facts, 'needs')}; add ${one(facts, 'needs')}`,
  'when-outside-loop': (facts) =>
    `no gate goes back to ${one(facts, 'found')} or before, so it would never run`,
  'ladder-outside-loop': () => 'no gate goes back to this phase or before, so it has no later rounds',
  'not-the-only-unit': (facts) =>
    `stage ${one(facts, 'stage')} has ${one(facts, 'units')} units; take "of: every", or "of: previous" within a stage`,
  'state-missing': () => 'this phase uses a state, and the manifest declares none; add a "state" at the top',
  'state-needs-chain': () => 'units that share a state must follow one another; add "order: chain"',
  'state-two-writers': (facts) => `${one(facts, 'other')} writes the state already; only one phase can`,
  'schema-invalid': (facts) =>
    one(facts, 'cause') === 'missing'
      ? `there is no schema ${one(facts, 'found')}`
      : `${one(facts, 'found')} is not a JSON Schema${detail(facts)}`,
  'regex-invalid': (facts) => `${found(facts)} is not a regular expression${detail(facts)}`,
  'version-unsupported': (facts) =>
    `version ${one(facts, 'found')} of the format is not known; this pawl reads version ${one(facts, 'expected')}`,
};

function yamlSyntax(facts: Facts): string {
  switch (one(facts, 'cause')) {
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; a manifest is one';
    case 'BAD_ALIAS':
      return `nothing is anchored as ${one(facts, 'found')} before this place`;
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent YAML; indent with spaces, here and in all other lines';
    case 'JSON':
      return 'not JSON';
    default: {
      // The library adds the place and the source line; both are shown here in one form for all problems.
      const [message = ''] = String(facts.detail ?? '').split(/ at line \d+, column \d+|\n/);
      return `not YAML: ${plain(message) || one(facts, 'cause')}`;
    }
  }
}

function unknownKey(facts: Facts): string {
  if (has(facts, 'other')) return `the key ${one(facts, 'found')} cannot stand beside ${one(facts, 'other')}`;
  return `unknown key ${one(facts, 'found')}${guess(facts)}${valid(facts)}`;
}

function range(facts: Facts): string {
  const limits = [
    has(facts, 'minimum') ? `at least ${one(facts, 'minimum')}` : '',
    has(facts, 'maximum') ? `at most ${one(facts, 'maximum')}` : '',
  ];
  return `${one(facts, 'found')} is out of range; ${limits.filter((limit) => limit !== '').join(' and ')}`;
}

function has(facts: Facts, name: string): boolean {
  const fact = facts[name];
  return fact !== undefined && (!Array.isArray(fact) || fact.length > 0);
}

/** A fact as text; a list as a choice. */
function one(facts: Facts, name: string): string {
  return choice(many(facts, name));
}

function many(facts: Facts, name: string): string[] {
  const fact = facts[name];
  if (fact === undefined) return [];
  return (typeof fact === 'object' ? fact : [String(fact)]).map(plain);
}

/** What stands there, in quotes unless it is a word of ours for a kind of value. */
function found(facts: Facts): string {
  const text = one(facts, 'found');
  return kindsOfValue.has(text) ? text : `"${text}"`;
}

const kindsOfValue = new Set(['map', 'list', 'string', 'number', 'boolean', 'null', 'nothing', 'key']);

function expected(facts: Facts): string {
  return has(facts, 'expected') ? `; expected ${one(facts, 'expected')}` : '';
}

/** What would be possible; where there is a good guess, that is enough. */
function valid(facts: Facts): string {
  if (has(facts, 'suggestion')) return '';
  return has(facts, 'valid') ? `; possible: ${many(facts, 'valid').join(', ')}` : '';
}

function guess(facts: Facts): string {
  return didYouMean(many(facts, 'suggestion'));
}

function detail(facts: Facts): string {
  const text = one(facts, has(facts, 'detail') ? 'detail' : 'cause');
  return text === '' ? '' : ` (${text})`;
}

function ofUnit(facts: Facts): string {
  return has(facts, 'unit') ? ` (unit ${one(facts, 'unit')})` : '';
}

function ofFile(facts: Facts): string {
  return has(facts, 'file') ? ` (file ${one(facts, 'file')})` : '';
}

function size(facts: Facts): string {
  return typeof facts.limit === 'number' ? bytes(facts.limit) : count(0, 'byte');
}

function cycle(facts: Facts): string {
  return many(facts, 'cycle').join(' > ');
}
