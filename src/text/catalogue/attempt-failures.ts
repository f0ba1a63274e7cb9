import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { AttemptFailureReason } from '../../model/failure.ts';
import { plain } from '../style/plain.ts';
import { bytes, count, didYouMean, duration } from '../style/words.ts';
import { modelFailureDetails, modelFailureStep, modelFailureTitles } from './model-failures.ts';

type Facts = JsonObject;

/** Why an attempt has no usable result, in few words. Reasons come from the journal too, so any text is taken. */
export function failureTitle(reason: string): string {
  return isKnown(reason) ? titles[reason] : plain(reason);
}

/** The same with its facts: which output, which exit code, which limit. */
export function failureSentence(reason: string, facts: Facts = {}): string {
  const details = isKnown(reason) ? detailsOf[reason](facts).filter((detail) => detail !== '') : [];
  const title = failureTitle(reason);
  return details.length === 0 ? title : `${title} (${details.join(', ')})`;
}

/** What helps against it, as it follows `to mend it`; undefined where only the log can tell. */
export function failureStep(reason: string, facts: Facts = {}): string | undefined {
  if (reason === 'function-missing' && typeof facts.exported === 'string')
    return 'export a function of that name, or correct the name in the manifest';
  if (reason === 'command-not-executable') return makeExecutable;
  if (reason === 'output-missing') return outputStep(facts);
  if (reason === 'result-file-invalid')
    return 'correct what the command writes to $PAWL_RESULT; the outputs of this attempt are kept in its folder';
  if (reason === 'template-failed' && String(facts.code).startsWith('unit-file-'))
    return 'take its path ({{ unit.file.path }}), or attach it to the call (model: { attach: [file] })';
  return isOfModel(reason) ? modelFailureStep(reason, facts) : undefined;
}

function outputStep({ variable, declared, found }: Facts): string | undefined {
  if (typeof variable !== 'string' || typeof declared !== 'string') return undefined;
  const instead = found === undefined ? '' : ' instead';
  return `write it to "$${plain(variable)}"${instead}; Pawl checks it there and moves it to ${plain(declared)}`;
}

/** The way out where a file lacks the right to be run. */
export const makeExecutable = 'make it executable (chmod +x)';

const titles: Readonly<Record<AttemptFailureReason, string>> = {
  'command-not-found': 'the command was not found',
  'command-not-executable': 'the command is there, but may not be executed',
  'command-failed': 'the command failed',
  'command-killed': 'the command was ended from outside',
  'function-threw': 'the function threw an error',
  'function-missing': 'the function could not be loaded',
  'timed-out': 'it took longer than its time limit',
  'output-missing': 'a declared output was not made',
  'output-not-a-file': 'an output is not a regular file',
  'output-too-large': 'an output is too large',
  'output-outside': 'an output leads out of the workspace',
  'check-failed': 'an output did not pass its check',
  'verdict-unreadable': 'the gate found no verdict in the report',
  'template-failed': 'the prompt could not be put together',
  'input-unavailable': 'an input could not be read',
  'result-file-invalid': 'the file in PAWL_RESULT cannot be used',
  'agent-failed': 'whoever had it said that it failed',
  'told-failed': 'another tool’s log says that it failed',
  'revision-requested': 'an earlier phase has to be done again first',
  'revision-refused': 'it asked for an earlier phase to be done again, and may not',
  ...modelFailureTitles,
};

const detailsOf: Readonly<Record<AttemptFailureReason, (facts: Facts) => string[]>> = {
  'command-not-found': (facts) => [named('', facts.command)],
  'command-not-executable': (facts) => [named('', facts.command)],
  'command-failed': (facts) => [
    named('exit code ', facts.exitCode),
    named('the file in PAWL_RESULT cannot be used: ', facts.reported),
  ],
  'command-killed': (facts) => [named('', facts.signal)],
  'function-threw': () => [],
  'function-missing': (facts) => [missingFunction(facts)],
  'timed-out': (facts) => [typeof facts.timeoutMs === 'number' ? duration(facts.timeoutMs) : ''],
  'output-missing': missing,
  'output-not-a-file': outputAndPath,
  'output-too-large': (facts) => [
    named('output ', facts.output),
    typeof facts.size === 'number' ? bytes(facts.size) : '',
    typeof facts.limit === 'number' ? `at most ${bytes(facts.limit)}` : '',
  ],
  'output-outside': outputAndPath,
  'check-failed': (facts) => [
    named('output ', facts.output),
    named('check ', facts.check),
    named('', facts.path),
  ],
  'verdict-unreadable': (facts) => [named('output ', facts.output), named('at ', facts.path)],
  'template-failed': (facts) => [
    placeIn(facts),
    promptFileWords(facts) ??
      `${named(facts.code === 'template-unknown-variable' ? 'there is no variable ' : '', facts.name)}${insteadOf(facts.suggestion)}`,
  ],
  'input-unavailable': (facts) => [named('input ', facts.input), named('', facts.path)],
  'result-file-invalid': (facts) => [
    named('', facts.path),
    `${named('', facts.key)}${facts.key === undefined ? '' : ': '}${named('', facts.problem)}`,
  ],
  'agent-failed': (facts) => [named('', facts.actor)],
  'told-failed': () => [],
  'revision-requested': (facts) => [named('', facts.to)],
  'revision-refused': (facts) => [
    named('', facts.to),
    named('possible: ', facts.valid),
    typeof facts.times === 'number' ? `after ${count(facts.times, 'time')}` : '',
  ],
  ...modelFailureDetails,
};

function isKnown(reason: string): reason is AttemptFailureReason {
  return Object.hasOwn(titles, reason);
}

function isOfModel(reason: string): reason is keyof typeof modelFailureTitles {
  return Object.hasOwn(modelFailureTitles, reason);
}

/** Which of the ways in which there is no function: no module, no such export, or a module that cannot be read. */
function missingFunction(facts: Facts): string {
  const module = named('', facts.module);
  const name = named('', facts.name);
  if (module === '') return name;
  if (facts.cause === 'ENOENT') return `there is no module ${module}`;
  if (typeof facts.exported === 'string')
    return `${module} exports no function ${name}${insteadOf(facts.suggestion, facts.exported)}`;
  return facts.line ? placeIn(facts) : `${module}#${name}`;
}

/** A prompt asks for the text of a unit's own file that it cannot have. */
function promptFileWords({ code, name, size }: Facts): string | undefined {
  const file = `${named('', name)} (${typeof size === 'number' ? bytes(size) : ''})`;
  if (code === 'unit-file-too-large') return `${file} is larger than 1 MB`;
  return code === 'unit-file-not-text' ? `${file} is not text in UTF-8` : undefined;
}

function insteadOf(suggestion: JsonValue | undefined, exported = ''): string {
  if (typeof suggestion === 'string') return didYouMean([suggestion]);
  return exported === '' ? '' : `; it exports ${plain(exported)}`;
}

function outputAndPath(facts: Facts): string[] {
  return [named('output ', facts.output), named('', facts.path)];
}

/** Facts come from the journal too: what is neither text nor number says nothing here. */
function named(before: string, fact: JsonValue | undefined): string {
  if (fact === '' || (typeof fact !== 'string' && typeof fact !== 'number')) return '';
  return `${before}${plain(String(fact))}`;
}

/** Which output, where a command had to write it, and where it did. */
function missing(facts: Facts): string[] {
  const { variable, path, found } = facts;
  const output = named('output ', facts.output);
  if (variable === undefined) return [output, returned(facts.returned)];
  const looked = `there is no file at ${named('', path)}, the path in ${named('', variable)}`;
  const instead = found === undefined ? [] : [`a file lies at the declared path ${named('', found)} instead`];
  return [[output, looked, ...instead].join('; ')];
}

/** What a function gave back instead of the output that is missing. */
function returned(names: JsonValue | undefined): string {
  if (typeof names !== 'string') return '';
  return names === '' ? 'nothing was returned' : `returned: ${plain(names)}`;
}

function placeIn(facts: Facts): string {
  const path = named('', facts.path);
  return facts.line ? `${path}:${named('', facts.line)}:${named('', facts.column) || 1}` : path;
}
