import type { JsonObject, JsonValue } from '../../base/json.ts';
import type {
  AnswerFailureReason,
  CallFailureReason,
  Failure,
  MissingProvider,
} from '../../model/failure.ts';
import { quoted } from '../phrases/hints.ts';
import { clip, plain } from '../style/plain.ts';
import { bytes, count, list } from '../style/words.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';

/* What can go wrong where models are asked: one call of an attempt, or all of them at once. */

type ModelFailureReason = CallFailureReason | AnswerFailureReason;
type Facts = JsonObject;

function mayBeOver(): string {
  return 'run it again, for it may be over by itself';
}

/** The words of messages for a reason why an attempt failed. */
export interface AttemptFailureWords {
  /** What happened, in few words. */
  readonly title: string;
  /** The facts that say more: which output, which exit code, which limit. */
  readonly details: (facts: Facts) => string[];
  /** What fixes it; undefined where only the log has the cause. */
  readonly step?: (facts: Facts) => string | undefined;
}

const settingsFollow =
  'The run stops at once and uses up no attempt: no other try could succeed before somebody has set it right.';
const laterFollows =
  'It counts as an attempt. The next sitting tries it again, or this one where retries says so.';

/** Why a call of a model brought no answer that can be used. */
export const modelFailures = makeEntries<
  ModelFailureReason,
  Readonly<Record<ModelFailureReason, AttemptFailureWords>>
>(
  {
    follows: laterFollows,
    ways: ['pawl logs UNIT/PHASE has the prompt, the answer and what the provider said'],
    exitCode: exitCodes.phaseFailed,
    page: 'docs/guide/models.md',
  },
  {
    'not-authorized': {
      title: 'the provider does not accept the key',
      details: (facts) => [whom(facts), ...cause(facts), named('key in ', facts.key)],
      step: (facts) =>
        `put a key that is valid into ${named('', facts.key) || 'the environment'}; the run was stopped at once, and no attempt is used up by it`,

      what: 'The provider does not accept the key, or the key may not do this (401, 403).',
      follows: settingsFollow,
      ways: ['put a valid key into the variable that is named'],
    },
    'model-unknown': {
      title: 'the provider does not know the model',
      details: (facts) => [whom(facts), ...cause(facts)],
      step: () => 'name a model in the manifest that the provider has; no attempt is used up by it',

      what: 'The provider has no model of that name (404).',
      follows:
        'Nothing more is asked of this model in this sitting, and no attempt is used up. Other phases go on.',
      ways: ['name a model in the manifest that the provider has'],
    },
    'call-refused': {
      title: 'the provider refuses this call',
      details: (facts) => [whom(facts), ...cause(facts)],
      step: () => 'change the prompt, its inputs or the parameters; the same call would be refused again',

      what: 'The provider does not want this call, however often it is made: another 4xx, or nothing that could be sent.',
      follows: 'It is not tried again in this sitting.',
      ways: ['change the prompt, its inputs or the parameters'],
    },
    'server-error': {
      title: 'the provider failed',
      details: (facts) => [whom(facts), ...cause(facts)],
      step: mayBeOver,

      what: 'The provider failed (5xx, 408, 409, 425).',
      follows: 'It is tried again, by default three times in a sitting, with growing pauses.',
      ways: ['pawl run tries it again; it may be over by itself'],
    },
    'connection-lost': {
      title: 'the connection to the provider was lost',
      details: (facts) => [whom(facts), ...cause(facts)],
      step: mayBeOver,

      what: 'There was no answer, or it broke off in the middle.',
      follows:
        'It is tried again, by default three times in a sitting. What had arrived stays in the attempt’s folder.',
      ways: ['look at the network, or the base_url of the provider', 'pawl run tries it again'],
    },
    'provider-missing': {
      title: 'the provider cannot be asked from here',
      details: (facts) => [
        whom(facts),
        named('not installed: ', facts.packages),
        named('not set: ', facts.key),
      ],
      step: (facts) =>
        [named('install ', facts.packages), named('set ', facts.key)].filter(isSaid).join(' and ') ||
        'install its packages and set its key',

      what: 'What speaks with the provider is not installed, or its key is not set.',
      follows: settingsFollow,
      ways: ['install the packages and set the variable that are named'],
    },
    'provider-failed': {
      title: 'what speaks with the provider broke',
      details: (facts) => [whom(facts), ...cause(facts)],

      what: 'What speaks with the provider broke: its package, or a function that stands in for one.',
    },
    'answer-truncated': {
      title: 'the answer was cut off',
      details: ofAnswer,
      step: ({ finish }) =>
        finish === undefined || finish === 'length'
          ? 'raise max_tokens of the phase, or ask for less'
          : 'look at what came (pawl logs): it did not end as whole answers do',

      what: 'The answer was cut off at max_tokens, or ended before it was whole.',
      ways: ['raise max_tokens of the phase, or ask for less'],
    },
    'answer-filtered': {
      title: 'the provider held the answer back',
      details: ofAnswer,
      step: () => 'change the prompt or its inputs, or ask another model',

      what: 'The provider held the answer back.',
      ways: ['change the prompt or its inputs, or ask another model'],
    },
    'answer-calls-tool': {
      title: 'the model asked for a tool that this phase does not offer',
      details: ofAnswer,
      step: () => 'ask for the answer itself in the prompt: a model phase offers no tools',

      what: 'The answer ended in a call of a tool, and a phase that asks a model offers none.',
      ways: ['ask for the answer itself in the prompt', 'raise retries: another attempt may answer'],
    },
    'answer-empty': {
      title: 'the answer is empty',
      details: ofAnswer,
      step: mayBeOver,

      what: 'There is nothing in the answer, or no text where some was wanted.',
      follows: 'It is tried again, by default three times in a sitting.',
    },
    'answer-too-large': {
      title: 'the answer is too large',
      details: (facts) => [whom(facts), sized('', facts.bytes), sized('at most ', facts.limitBytes)],
      step: () => 'ask for less, or lower max_tokens of the phase',

      what: 'The answer has more than 16 MiB.',
      ways: ['ask for less, or lower max_tokens of the phase'],
    },
    'answer-unparsable': {
      title: 'the answer holds no JSON that could be read',
      details: ofAnswer,
      step: () => 'declare prompt.repair, which is sent with what was wrong with the answer',

      what: 'The answer holds no JSON where some was asked for, or not the member that an output is made from.',
      follows:
        'It is tried again, by default three times in a sitting; with prompt.repair the model is told what was wrong.',
      ways: ['declare prompt.repair', 'pawl logs UNIT/PHASE has the answer'],
    },
  },
);

type MissingProviders = Extract<Failure, { reason: 'provider-missing' }>;

/** Models are to be asked, and some of them cannot be. */
export function missingProvidersTitle({ missing }: MissingProviders): string {
  const names = missing.map(({ provider, phases }) => `${plain(provider)} (for ${list(phases.map(plain))})`);
  return `${count(missing.length, 'provider')} cannot be asked: ${list(names)}; nothing is started and nothing is paid`;
}

export function missingProvidersNext({ missing }: MissingProviders): string[] {
  return [
    ...missing.flatMap(missingSteps),
    'or let these phases use a provider that is there: model in the manifest',
  ];
}

function missingSteps({ provider, packages, key }: MissingProvider): string[] {
  const name = plain(provider);
  return [
    ...(packages.length === 0 ? [] : [`for ${name}: npm install ${packages.map(quoted).join(' ')}`]),
    ...(key === undefined ? [] : [`for ${name}: set ${plain(key)} in the environment`]),
  ];
}

/** The model, which says the provider as well. */
function whom({ model, provider }: Facts): string {
  return named('', model) || named('', provider);
}

function cause({ status, detail }: Facts): string[] {
  return [named('HTTP ', status), named('', detail)];
}

function ofAnswer(facts: Facts): string[] {
  return [whom(facts), named('finish reason ', facts.finish), named('', facts.detail)];
}

/** Facts come from the journal too: what is neither text nor number says nothing here. */
function named(before: string, fact: JsonValue | undefined): string {
  if (fact === '' || (typeof fact !== 'string' && typeof fact !== 'number')) return '';
  return `${before}${clip(plain(String(fact)), factLengthMax, '...')}`;
}

const factLengthMax = 200;

function sized(before: string, fact: JsonValue | undefined): string {
  return typeof fact === 'number' ? `${before}${bytes(fact)}` : '';
}

function isSaid(words: string): boolean {
  return words !== '';
}
