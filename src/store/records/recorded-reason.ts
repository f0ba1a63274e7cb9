import { isJsonObject } from '../../base/json.ts';
import type { AttemptStarted, PauseReason } from '../../model/event.ts';
import type { AttemptReason, Damage, PolicySource, RunReason } from '../../model/reason.ts';
import {
  type Check,
  type Checks,
  fieldsOf,
  haveKinds,
  isFlag,
  isHash,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isText,
} from './field-check.ts';

/**
 * Why an attempt was started. Every other field of the event is checked when it is read; this one may be anything, so
 * that a reason which a later version wrote never costs the event.
 */
export function readReason({
  attempt,
  why,
  repaired = false,
}: Pick<AttemptStarted, 'attempt' | 'why' | 'repaired'>): AttemptReason {
  if (why === undefined) return { code: attempt === 1 && !repaired ? 'never-ran' : 'not-recorded' };
  if (!isJsonObject(why)) return { code: 'other-version', recorded: { why } };
  const fields = fieldsByCode.get(String(why.code));
  const isKnown = fields !== undefined && haveKinds(fields, why) && isOptional(isText)(why.decision);
  return isKnown ? (why as unknown as AttemptReason) : { code: 'other-version', recorded: why };
}

const changed = { before: isOptional(isHash), after: isOptional(isHash) };
const byPerson = { reason: isOptional(isText) };
const byPolicy = { policy: isOptional(isOneOf<PolicySource>({ manifest: true, default: true })) };
const answered = { ...byPerson, ...changed, ...byPolicy, change: isOptional(isText) };

const damages: { readonly [Kind in Damage['kind']]: Check } = {
  'not-a-file': () => true,
  'check-failed': isRecord<Omit<Extract<Damage, { kind: 'check-failed' }>, 'kind'>>({
    check: isText,
    detail: isText,
  }),
  'copy-of': isRecord<Omit<Extract<Damage, { kind: 'copy-of' }>, 'kind'>>({ cell: isText }),
};
const checksOfDamage: ReadonlyMap<unknown, Check> = new Map(Object.entries(damages));
const isDamage: Check = (value) => isJsonObject(value) && checksOfDamage.get(value.kind)?.(value) === true;

type Interrupted = Extract<RunReason, { code: 'interrupted' }>;

/** Over the closed union: a new reason, or a new field of one, does not compile until it is here. */
const checksByCode: {
  readonly [Code in RunReason['code']]: Checks<Omit<Extract<RunReason, { code: Code }>, 'code'>>;
} = {
  'never-ran': {},
  'told-of-another': { actor: isText },
  interrupted: {
    attempt: isNumber,
    call: isOptional(
      isRecord<NonNullable<Interrupted['call']>>({
        model: isText,
        atStake: isOptional(isNumber),
        answered: isOptional(isFlag),
      }),
    ),
  },
  released: { attempt: isNumber },
  waited: {
    attempt: isNumber,
    pause: isOneOf<PauseReason>({ 'rate-limited': true, quota: true, overloaded: true, requested: true }),
  },
  'failed-before': { attempt: isNumber, failure: isText },
  'gate-failed': { gate: isText, verdict: isText, iteration: isNumber },
  'input-changed': { input: isText, ...changed },
  'output-missing': { output: isText, path: isText },
  'output-damaged': { output: isText, path: isText, damage: isDamage },
  'rerun-requested': byPerson,
  'prompt-changed': answered,
  'chain-cascade': {},
  'definition-changed': answered,
  'unit-changed': answered,
  'code-changed': answered,
  'file-changed': { file: isText, ...changed, ...byPerson, ...byPolicy },
  rejected: { checkpoint: isText, feedback: isText },
  'revision-requested': { by: isText, reason: isText },
  'pre-state-changed': { ...changed, ...byPerson, ...byPolicy },
};

/** A map, because the code comes from outside: `constructor` is not a reason. */
const fieldsByCode = new Map(Object.entries(checksByCode).map(([code, checks]) => [code, fieldsOf(checks)]));
