import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { AttemptFailureReason } from '../../model/failure.ts';
import { plain } from '../style/plain.ts';
import { bytes, count, didYouMean, duration } from '../style/words.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';
import { type AttemptFailureWords, modelFailures } from './model-failures.ts';

type Facts = JsonObject;

/** Why an attempt has no usable result, in few words. Reasons come from the journal too, so any text is taken. */
export function failureTitle(reason: string): string {
  return isKnown(reason) ? attemptFailures[reason].title : plain(reason);
}

/** The same with its facts: which output, which exit code, which limit. */
export function failureSentence(reason: string, facts: Facts = {}): string {
  const details = isKnown(reason)
    ? attemptFailures[reason].details(facts).filter((detail) => detail !== '')
    : [];
  const title = failureTitle(reason);
  return details.length === 0 ? title : `${title} (${details.join(', ')})`;
}

/** What fixes it, as the last part of a line; undefined where only the log has the cause. */
export function failureStep(reason: string, facts: Facts = {}): string | undefined {
  return isKnown(reason) ? attemptFailures[reason].step?.(facts) : undefined;
}

/** The way out where a file lacks the right to be run. */
export const makeExecutable = 'make it executable (chmod +x)';

/** Why an attempt has no usable result. */
export const attemptFailures = makeEntries<
  AttemptFailureReason,
  Readonly<Record<AttemptFailureReason, AttemptFailureWords>>
>(
  {
    follows:
      'The attempt has failed and nothing of it reaches its path. It is tried again as retries says; else the unit stops there.',
    ways: ['pawl logs UNIT/PHASE shows what it said and what it left'],
    exitCode: exitCodes.phaseFailed,
    page: 'docs/reference/manifest.md',
  },
  {
    'command-not-found': {
      title: 'the command was not found',
      details: (facts) => [named('', facts.command)],

      what: 'The program of the phase could not be started: it is not there.',
      ways: ['install it, or mend run.command in the manifest'],
    },
    'command-not-executable': {
      title: 'the command is there, but may not be executed',
      details: (facts) => [named('', facts.command)],
      step: () => makeExecutable,

      what: 'The program of the phase could not be started: the file is there, but lacks the right to be executed.',
      ways: ['make it executable (chmod +x), or name the program that reads it first in run.command'],
    },
    'command-failed': {
      title: 'the command failed',
      details: (facts) => [
        named('exit code ', facts.exitCode),
        named('the file in PAWL_RESULT cannot be used: ', facts.reported),
      ],

      what: 'The command ended with another exit code than 0. What it wrote to stderr last is told with it.',
    },
    'command-killed': {
      title: 'the command was ended from outside',
      details: (facts) => [named('', facts.signal)],

      what: 'The command was ended by a signal from outside, such as by a system that ran out of memory.',
    },
    'function-threw': {
      title: 'the function threw an error',
      details: () => [],

      what: 'The function of the phase threw an error; its first places are told with it.',
    },
    'function-missing': {
      title: 'the function could not be loaded',
      details: (facts) => [missingFunction(facts)],
      step: ({ exported }) =>
        typeof exported === 'string'
          ? 'export a function of that name, or correct the name in the manifest'
          : undefined,

      what: 'The module of the phase could not be loaded, or exports no function of that name.',
      ways: ['mend the module, or run.function in the manifest'],
    },
    'timed-out': {
      title: 'it took longer than its time limit',
      details: (facts) => [typeof facts.timeoutMs === 'number' ? duration(facts.timeoutMs) : ''],

      what: 'The attempt took longer than the timeout of its phase. A command is ended with everything that it started.',
      ways: ['raise timeout in the manifest at any time: no result hangs on it'],
    },
    'output-missing': {
      title: 'a declared output was not made',
      details: missing,
      step: outputStep,

      what: 'The attempt ended well and has not made a declared output.',
      ways: [
        'a command writes each output to the path in PAWL_OUTPUT_NAME; Pawl moves it to the declared path',
        'optional: true says that an output may be left out',
      ],
    },
    'output-not-a-file': {
      title: 'an output is not a regular file',
      details: outputAndPath,

      what: 'What was made in place of an output is a folder, a link or something else.',
    },
    'output-too-large': {
      title: 'an output is too large',
      details: (facts) => [
        named('output ', facts.output),
        typeof facts.size === 'number' ? bytes(facts.size) : '',
        typeof facts.limit === 'number' ? `at most ${bytes(facts.limit)}` : '',
      ],
      what: 'An output has more bytes than are taken in.',
    },
    'output-outside': {
      title: 'an output leads out of the workspace',
      details: outputAndPath,
      what: 'An output leads out of the workspace, such as through a link.',
    },
    'check-failed': {
      title: 'an output did not pass its check',
      details: (facts) => [
        named('output ', facts.output),
        named('check ', facts.check),
        named('', facts.path),
      ],

      what: 'A declared output was made and does not pass its check. The file is kept with the attempt.',
      ways: [
        'pawl logs UNIT/PHASE shows which check says what',
        'of a model: prompt.repair tells it what was wrong with its answer',
      ],
      page: 'docs/reference/checks.md',
    },
    'verdict-unreadable': {
      title: 'the gate found no verdict in the report',
      details: (facts) => [named('output ', facts.output), named('at ', facts.path)],

      what: 'A gate found no verdict, or no score, at the place of the report that the manifest names.',
      follows: 'It is a failed attempt: neither a pass nor a bad round.',
      page: 'docs/guide/gates.md',
    },
    'template-failed': {
      title: 'the prompt could not be put together',
      details: (facts) => [
        placeIn(facts),
        promptFileWords(facts) ??
          `${named(facts.code === 'template-unknown-variable' ? 'there is no variable ' : '', facts.name)}${insteadOf(facts.suggestion)}`,
      ],
      step: ({ code }) =>
        String(code).startsWith('unit-file-')
          ? 'take its path ({{ unit.file.path }}), or attach it to the call (model: { attach: [file] })'
          : undefined,

      what: 'The prompt could not be put together from its templates: a variable or an include is missing, or a filter fails.',
      ways: ['pawl prompt UNIT/PHASE shows the prompt as it would be sent'],
      page: 'docs/guide/prompts.md',
    },
    'result-file-invalid': {
      title: 'the file in PAWL_RESULT cannot be used',
      details: (facts) => [
        named('', facts.path),
        `${named('', facts.key)}${facts.key === undefined ? '' : ': '}${named('', facts.problem)}`,
      ],
      step: () =>
        'correct what the command writes to $PAWL_RESULT; the outputs of this attempt are kept in its folder',

      what: 'The command reported its cost or a pause in a file that is not as documented, so that nothing of it could be counted.',
      ways: ['the file holds one JSON object with retry_at, cost_usd and tokens, and no other key'],
      page: 'docs/guide/cost.md',
    },
    'input-unavailable': {
      title: 'an input could not be read',
      details: (facts) => [named('input ', facts.input), named('', facts.path)],

      what: 'An input that was recorded or declared could not be read, neither from its path nor from the content store.',
      ways: ['pawl verify shows what is missing'],
    },
    'agent-failed': {
      title: 'whoever had it said that it failed',
      details: (facts) => [named('', facts.actor)],

      what: 'Whoever had claimed the task said with pawl fail that it failed.',
      follows: 'It can be claimed again while it has attempts left.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'told-failed': {
      title: 'another tool’s log says that it failed',
      details: () => [],

      what: 'The log of another tool says that it failed. Nothing but that word is known of it.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'revision-requested': {
      title: 'an earlier phase has to be done again first',
      details: (facts) => [named('', facts.to)],

      what: 'The attempt found that an earlier phase has to be done again first, and said why. It made nothing itself.',
      follows:
        'It does not count as a failure. The earlier phase runs again with the reason as feedback, then this one.',
      exitCode: undefined,
      page: 'docs/guide/checkpoints.md',
    },
    'revision-refused': {
      title: 'it asked for an earlier phase to be done again, and may not',
      details: (facts) => [
        named('', facts.to),
        named('possible: ', facts.valid),
        typeof facts.times === 'number' ? `after ${count(facts.times, 'time')}` : '',
      ],

      what: 'The attempt asked for an earlier phase to be done again, and may not: revises does not list it, or it has asked three times already.',
      ways: ['list the phase under revises', 'pawl inspect shows what the two have said to each other'],
      page: 'docs/guide/checkpoints.md',
    },
    ...modelFailures,
  },
);

function outputStep({ variable, declared, found }: Facts): string | undefined {
  if (typeof variable !== 'string' || typeof declared !== 'string') return undefined;
  const instead = found === undefined ? '' : ' instead';
  return `write it to "$${plain(variable)}"${instead}; Pawl checks it there and moves it to ${plain(declared)}`;
}

function isKnown(reason: string): reason is AttemptFailureReason {
  return Object.hasOwn(attemptFailures, reason);
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
