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

/* What can go wrong where models are asked: one call of an attempt, or all of them at once. */

type Reason = CallFailureReason | AnswerFailureReason;
type Facts = JsonObject;

/** Why a call brought no answer that could be used, in few words. */
export const modelFailureTitles: Readonly<Record<Reason, string>> = {
  'not-authorized': 'the provider does not accept the key',
  'model-unknown': 'the provider does not know the model',
  'call-refused': 'the provider refuses this call',
  'server-error': 'the provider failed',
  'connection-lost': 'the connection to the provider was lost',
  'provider-missing': 'the provider cannot be asked from here',
  'provider-failed': 'what speaks with the provider broke',
  'answer-truncated': 'the answer was cut off',
  'answer-filtered': 'the provider held the answer back',
  'answer-calls-tool': 'the model asked for a tool that this phase does not offer',
  'answer-empty': 'the answer is empty',
  'answer-too-large': 'the answer is too large',
  'answer-unparsable': 'the answer holds no JSON that could be read',
};

/** The facts that say more. */
export const modelFailureDetails: Readonly<Record<Reason, (facts: Facts) => string[]>> = {
  'not-authorized': (facts) => [whom(facts), ...cause(facts), named('key in ', facts.key)],
  'model-unknown': (facts) => [whom(facts), ...cause(facts)],
  'call-refused': (facts) => [whom(facts), ...cause(facts)],
  'server-error': (facts) => [whom(facts), ...cause(facts)],
  'connection-lost': (facts) => [whom(facts), ...cause(facts)],
  'provider-missing': (facts) => [
    whom(facts),
    named('not installed: ', facts.packages),
    named('not set: ', facts.key),
  ],
  'provider-failed': (facts) => [whom(facts), ...cause(facts)],
  'answer-truncated': ofAnswer,
  'answer-filtered': ofAnswer,
  'answer-calls-tool': ofAnswer,
  'answer-empty': ofAnswer,
  'answer-too-large': (facts) => [whom(facts), sized('', facts.bytes), sized('at most ', facts.limitBytes)],
  'answer-unparsable': ofAnswer,
};

/** What helps, as it follows `to mend it`; undefined where only the log can tell. */
export function modelFailureStep(reason: Reason, facts: Facts): string | undefined {
  return steps[reason]?.(facts);
}

const steps: Readonly<Record<Reason, ((facts: Facts) => string) | undefined>> = {
  'not-authorized': (facts) =>
    `put a key that is valid into ${named('', facts.key) || 'the environment'}; the run was stopped at once, and no attempt is used up by it`,
  'model-unknown': () => 'name a model in the manifest that the provider has; no attempt is used up by it',
  'call-refused': () =>
    'change the prompt, its inputs or the parameters; the same call would be refused again',
  'server-error': mayBeOver,
  'connection-lost': mayBeOver,
  'provider-missing': (facts) =>
    [named('install ', facts.packages), named('set ', facts.key)].filter(isSaid).join(' and ') ||
    'install its packages and set its key',
  'provider-failed': undefined,
  'answer-truncated': ({ finish }) =>
    finish === undefined || finish === 'length'
      ? 'raise max_tokens of the phase, or ask for less'
      : 'look at what came (pawl logs): it did not end as whole answers do',
  'answer-filtered': () => 'change the prompt or its inputs, or ask another model',
  'answer-calls-tool': () => 'ask for the answer itself in the prompt: a model phase offers no tools',
  'answer-empty': mayBeOver,
  'answer-too-large': () => 'ask for less, or lower max_tokens of the phase',
  'answer-unparsable': () => 'declare prompt.repair, which is sent with what was wrong with the answer',
};

function mayBeOver(): string {
  return 'run it again, for it may be over by itself';
}

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
