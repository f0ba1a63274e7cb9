import type { AnswerFailureReason, AttemptFailureReason, CallFailureReason } from '../../model/failure.ts';
import { exitCodes } from '../catalogue/exit-codes.ts';
import { explained } from './explanation.ts';

const settingsFollow =
  'The run stops at once and uses up no attempt: no other try could succeed before somebody has set it right.';
const laterFollows =
  'It counts as an attempt. The next sitting tries it again, or this one where retries says so.';

/** Why an attempt has no usable result. */
export const attemptFailures = explained<AttemptFailureReason>(
  {
    follows:
      'The attempt has failed and nothing of it reaches its path. It is tried again as retries says; else the unit stops there.',
    ways: ['pawl logs UNIT/PHASE shows what it said and what it left'],
    exitCode: exitCodes.phaseFailed,
    page: 'docs/reference/manifest.md',
  },
  {
    'command-not-found': {
      what: 'The program of the phase could not be started: it is not there.',
      ways: ['install it, or mend run.command in the manifest'],
    },
    'command-not-executable': {
      what: 'The program of the phase could not be started: the file is there, but lacks the right to be executed.',
      ways: ['make it executable (chmod +x), or name the program that reads it first in run.command'],
    },
    'command-failed': {
      what: 'The command ended with another exit code than 0. What it wrote to stderr last is told with it.',
    },
    'command-killed': {
      what: 'The command was ended by a signal from outside, such as by a system that ran out of memory.',
    },
    'function-threw': {
      what: 'The function of the phase threw an error; its first places are told with it.',
    },
    'function-missing': {
      what: 'The module of the phase could not be loaded, or exports no function of that name.',
      ways: ['mend the module, or run.function in the manifest'],
    },
    'timed-out': {
      what: 'The attempt took longer than the timeout of its phase. A command is ended with everything that it started.',
      ways: ['raise timeout in the manifest at any time: no result hangs on it'],
    },
    'output-missing': {
      what: 'The attempt ended well and has not made a declared output.',
      ways: [
        'a command writes each output to the path in PAWL_OUTPUT_NAME; Pawl moves it to the declared path',
        'optional: true says that an output may be left out',
      ],
    },
    'output-not-a-file': {
      what: 'What was made in place of an output is a folder, a link or something else.',
    },
    'output-too-large': { what: 'An output has more bytes than are taken in.' },
    'output-outside': { what: 'An output leads out of the workspace, such as through a link.' },
    'check-failed': {
      what: 'A declared output was made and does not pass its check. The file is kept with the attempt.',
      ways: [
        'pawl logs UNIT/PHASE shows which check says what',
        'of a model: prompt.repair tells it what was wrong with its answer',
      ],
      page: 'docs/reference/checks.md',
    },
    'verdict-unreadable': {
      what: 'A gate found no verdict, or no score, at the place of the report that the manifest names.',
      follows: 'It is a failed attempt: neither a pass nor a bad round.',
      page: 'docs/guide/gates.md',
    },
    'template-failed': {
      what: 'The prompt could not be put together from its templates: a variable or an include is missing, or a filter fails.',
      ways: ['pawl prompt UNIT/PHASE shows the prompt as it would be sent'],
      page: 'docs/guide/prompts.md',
    },
    'result-file-invalid': {
      what: 'The command reported its cost or a pause in a file that is not as documented, so that nothing of it could be counted.',
      ways: ['the file holds one JSON object with retry_at, cost_usd and tokens, and no other key'],
      page: 'docs/guide/cost.md',
    },
    'input-unavailable': {
      what: 'An input that was recorded or declared could not be read, neither from its path nor from the content store.',
      ways: ['pawl verify shows what is missing'],
    },
    'agent-failed': {
      what: 'Whoever had claimed the task said with pawl fail that it failed.',
      follows: 'It can be claimed again while it has attempts left.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'told-failed': {
      what: 'The log of another tool says that it failed. Nothing but that word is known of it.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'revision-requested': {
      what: 'The attempt found that an earlier phase has to be done again first, and said why. It made nothing itself.',
      follows:
        'It does not count as a failure. The earlier phase runs again with the reason as feedback, then this one.',
      exitCode: undefined,
      page: 'docs/guide/checkpoints.md',
    },
    'revision-refused': {
      what: 'The attempt asked for an earlier phase to be done again, and may not: revises does not list it, or it has asked three times already.',
      ways: ['list the phase under revises', 'pawl inspect shows what the two have said to each other'],
      page: 'docs/guide/checkpoints.md',
    },
    ...explained<ModelFailureReason>(
      {
        follows: laterFollows,
        ways: ['pawl logs UNIT/PHASE has the prompt, the answer and what the provider said'],
        exitCode: exitCodes.phaseFailed,
        page: 'docs/guide/models.md',
      },
      {
        'not-authorized': {
          what: 'The provider does not accept the key, or the key may not do this (401, 403).',
          follows: settingsFollow,
          ways: ['put a valid key into the variable that is named'],
        },
        'model-unknown': {
          what: 'The provider has no model of that name (404).',
          follows:
            'Nothing more is asked of this model in this sitting, and no attempt is used up. Other phases go on.',
          ways: ['name a model in the manifest that the provider has'],
        },
        'call-refused': {
          what: 'The provider does not want this call, however often it is made: another 4xx, or nothing that could be sent.',
          follows: 'It is not tried again in this sitting.',
          ways: ['change the prompt, its inputs or the parameters'],
        },
        'server-error': {
          what: 'The provider failed (5xx, 408, 409, 425).',
          follows: 'It is tried again, by default three times in a sitting, with growing pauses.',
          ways: ['pawl run tries it again; it may be over by itself'],
        },
        'connection-lost': {
          what: 'There was no answer, or it broke off in the middle.',
          follows:
            'It is tried again, by default three times in a sitting. What had arrived stays in the attempt’s folder.',
          ways: ['look at the network, or the base_url of the provider', 'pawl run tries it again'],
        },
        'provider-missing': {
          what: 'What speaks with the provider is not installed, or its key is not set.',
          follows: settingsFollow,
          ways: ['install the packages and set the variable that are named'],
        },
        'provider-failed': {
          what: 'What speaks with the provider broke: its package, or a function that stands in for one.',
        },
        'answer-truncated': {
          what: 'The answer was cut off at max_tokens, or ended before it was whole.',
          ways: ['raise max_tokens of the phase, or ask for less'],
        },
        'answer-filtered': {
          what: 'The provider held the answer back.',
          ways: ['change the prompt or its inputs, or ask another model'],
        },
        'answer-calls-tool': {
          what: 'The answer ended in a call of a tool, and a phase that asks a model offers none.',
          ways: ['ask for the answer itself in the prompt', 'raise retries: another attempt may answer'],
        },
        'answer-empty': {
          what: 'There is nothing in the answer, or no text where some was wanted.',
          follows: 'It is tried again, by default three times in a sitting.',
        },
        'answer-too-large': {
          what: 'The answer has more than 16 MiB.',
          ways: ['ask for less, or lower max_tokens of the phase'],
        },
        'answer-unparsable': {
          what: 'The answer holds no JSON where some was asked for, or not the member that an output is made from.',
          follows:
            'It is tried again, by default three times in a sitting; with prompt.repair the model is told what was wrong.',
          ways: ['declare prompt.repair', 'pawl logs UNIT/PHASE has the answer'],
        },
      },
    ),
  },
);

type ModelFailureReason = CallFailureReason | AnswerFailureReason;
