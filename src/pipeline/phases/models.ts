import { canonicalJson } from '../../base/json.ts';
import { modelName } from '../../model/calls.ts';
import type {
  AnswerPart,
  Budget,
  CallLimits,
  Executor,
  ModelParameters,
  Models,
  Phase,
  Price,
  Provider,
  ProviderApi,
} from '../../model/definition.ts';
import { asksModel } from '../../model/executor.ts';
import { isSecretName, variableIn, withoutSecrets } from '../../model/secrets.ts';
import type { LoadContext } from '../context.ts';
import { resolveDuration } from '../durations.ts';
import { addUnshown, checkAddress, checkSecretHeader } from '../refuse-secrets.ts';
import type { ManifestPhase } from '../schema/manifest.ts';
import type { ManifestBudget, ManifestModel, ManifestModels } from '../schema/phase-parts.ts';
import { nearest, suggestion } from '../text/problems.ts';
import { resolveFunction } from './executor.ts';
import { priceOf } from './prices.ts';

const noLimits: CallLimits = {
  concurrency: undefined,
  requestsPerMinute: undefined,
  tokensPerMinute: undefined,
};

/** Providers that need no word of the manifest: their key is where everybody keeps it. */
const knownProviders: readonly Provider[] = (
  [
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['openai', 'OPENAI_API_KEY'],
    ['google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ] as const
).map(([name, key]) => ({
  name,
  api: { kind: name },
  baseUrl: undefined,
  key,
  headers: {},
  limits: noLimits,
}));

/** Reads where models are found. */
export function resolveModels(context: LoadContext, written: ManifestModels | undefined): Models {
  const named = Object.entries(written?.providers ?? {}).map(([name, provider]) =>
    resolveProvider(context, name, provider, `models.providers.${name}`),
  );
  const others = knownProviders.filter(({ name }) => named.every((provider) => provider.name !== name));
  for (const kind of ['prices', 'limits'] as const)
    for (const name of Object.keys(written?.[kind] ?? {}))
      checkModelName(context, [...named, ...others], name, `models.${kind}.${name}`);
  const prices = Object.entries(written?.prices ?? {}).map(([name, price]): [string, Price] => [
    name,
    {
      input: price.input,
      output: price.output,
      ...(price.cache_read !== undefined && { cacheRead: price.cache_read }),
      ...(price.cache_write !== undefined && { cacheWrite: price.cache_write }),
    },
  ]);
  const limits = Object.entries(written?.limits ?? {}).map(([name, limit]) => [name, limitsOf(limit)]);
  return {
    providers: [...named, ...others],
    prices: Object.fromEntries(prices),
    limits: Object.fromEntries(limits),
  };
}

/** A price or a limit of something that is never asked would be a slip of the pen. */
function checkModelName(
  { problems }: LoadContext,
  providers: readonly Provider[],
  name: string,
  at: string,
): void {
  const valid = providers.map((provider) => `${provider.name}/`);
  if (valid.some((start) => name.startsWith(start) && name.length > start.length)) return;
  const provider = `${name.split('/')[0] ?? ''}/`;
  problems.add(
    'not-one-of',
    at,
    { found: name, valid: valid.map((start) => `${start}MODEL`), ...suggestion(nearest(provider, valid)) },
    'key',
  );
}

type WrittenProvider = NonNullable<ManifestModels['providers']>[string];

function resolveProvider(context: LoadContext, name: string, written: WrittenProvider, at: string): Provider {
  const { problems } = context;
  const known = knownProviders.find((provider) => provider.name === (written.api ?? name));
  const { base_url: baseUrl, key } = written;
  if (written.function !== undefined) {
    for (const other of ['api', 'base_url', 'key', 'headers'] as const)
      if (written[other] !== undefined)
        problems.add('unknown-key', `${at}.${other}`, { found: other, other: 'function' }, 'key');
  } else if (known === undefined && baseUrl === undefined) {
    problems.add('missing-key', `${at}.base_url`, { expected: ['base_url', 'function'] });
  }
  checkSecrets(context, written, at);
  if (baseUrl !== undefined) checkAddress(context, baseUrl, `${at}.base_url`);
  return {
    name,
    api: apiOf(context, name, written, at),
    baseUrl,
    key: key === undefined ? known?.key : key.slice(1),
    headers: written.headers ?? {},
    limits: limitsOf(written),
  };
}

function apiOf(context: LoadContext, name: string, written: WrittenProvider, at: string): ProviderApi {
  if (written.function !== undefined) return resolveFunction(context, written.function, `${at}.function`);
  if (written.api !== undefined) return { kind: written.api };
  return knownProviders.find((provider) => provider.name === name)?.api ?? { kind: 'openai-compatible' };
}

/** Names of variables, and never what they hold. */
function checkSecrets(context: LoadContext, { key, headers = {} }: WrittenProvider, at: string): void {
  if (key !== undefined && variableIn(key) === undefined) addUnshown(context, `${at}.key`, ['$NAME']);
  for (const [name, value] of Object.entries(headers))
    if (isSecretName(name) || secretHeader.test(name))
      checkSecretHeader(context, value, `${at}.headers.${name}`);
}

/** What only headers are called. */
const secretHeader = /auth|key|cookie/i;

function limitsOf(written: {
  readonly concurrency?: number | undefined;
  readonly requests_per_minute?: number | undefined;
  readonly tokens_per_minute?: number | undefined;
}): CallLimits {
  return {
    concurrency: written.concurrency,
    requestsPerMinute: written.requests_per_minute,
    tokensPerMinute: written.tokens_per_minute,
  };
}

/** Reads which model a phase asks. `at` is the path of the phase. */
export function resolveModelCall(
  context: LoadContext,
  {
    models,
    named,
    reuse,
  }: {
    readonly models: Models;
    readonly named: Readonly<Record<string, string>>;
    /** What the pipeline says. */
    readonly reuse: ManifestPhase['reuse'];
  },
  phase: ManifestPhase,
  inputs: readonly string[],
  at: string,
): Executor {
  const written: Exclude<ManifestModel, string> =
    typeof phase.model === 'string' ? { use: phase.model } : (phase.model ?? { use: '' });
  const useAt = typeof phase.model === 'string' ? `${at}.model` : `${at}.model.use`;
  checkBeside(context, phase, at);
  for (const [nth, input] of (written.attach ?? []).entries()) {
    if (inputs.includes(input)) continue;
    const facts = { found: input, valid: inputs, ...suggestion(nearest(input, inputs)) };
    context.problems.add('not-one-of', `${at}.model.attach[${nth}]`, facts);
  }
  const { options } = written;
  if (options !== undefined && canonicalJson(withoutSecrets(options)) !== canonicalJson(options))
    addUnshown(context, `${at}.model.options`, ['no keys: $NAME in models.providers']);
  const parameters = parametersOf(written);
  return {
    kind: 'model',
    ...findModel(context, models, named, written.use, useAt),
    parameters,
    attach: written.attach ?? [],
    // Sampling is meant to give another answer each time, unless the manifest says otherwise.
    reuse: phase.reuse ?? reuse ?? (parameters.temperature === 0 ? 'content' : 'never'),
  };
}

/** What a phase that asks a model cannot have, and what it cannot do without. */
function checkBeside({ problems }: LoadContext, phase: ManifestPhase, at: string): void {
  if (phase.run !== undefined)
    problems.add('unknown-key', `${at}.run`, { found: 'run', other: 'model' }, 'key');
  if (phase.state === 'write')
    problems.add('unknown-key', `${at}.state`, { found: 'state: write', other: 'model' }, 'key');
  if (phase.prompt === undefined) problems.add('missing-key', `${at}.prompt`, { expected: 'prompt' });
  if (Object.keys(phase.outputs ?? {}).length === 0)
    problems.add('missing-key', `${at}.outputs`, { expected: 'outputs' });
}

function findModel(
  { problems }: LoadContext,
  { providers }: Models,
  named: Readonly<Record<string, string>>,
  use: string,
  at: string,
): { provider: string; model: string } {
  const full = Object.hasOwn(named, use) ? (named[use] ?? use) : use;
  const slash = full.indexOf('/');
  const provider = full.slice(0, Math.max(0, slash));
  const model = full.slice(slash + 1);
  if (slash <= 0 || model === '') {
    const valid = Object.keys(named);
    const facts = { expected: 'PROVIDER/MODEL', found: use, ...suggestion(nearest(use, valid)) };
    problems.add('wrong-type', at, facts);
  } else if (providers.every(({ name }) => name !== provider)) {
    const valid = providers.map(({ name }) => name);
    problems.add('not-one-of', at, { found: provider, valid, ...suggestion(nearest(provider, valid)) });
  }
  return { provider, model };
}

function parametersOf(written: Exclude<ManifestModel, string>): ModelParameters {
  const { temperature, max_tokens, top_p, top_k, seed, stop, options } = written;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(top_k !== undefined && { topK: top_k }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && { stop }),
    ...(options !== undefined && { options }),
  };
}

/** Which part of the answer an output is; only of a phase that asks a model. */
export function resolveAnswerPart(
  { problems }: LoadContext,
  { from, schema }: { readonly from?: string | undefined; readonly schema?: string | undefined },
  asksModel: boolean,
  at: string,
): { from: AnswerPart } | Record<string, never> {
  if (!asksModel) {
    if (from !== undefined) problems.add('gate-needs-key', `${at}.from`, { found: 'from', needs: 'model' });
    return {};
  }
  const part = from ?? (schema === undefined ? 'text' : 'json');
  if (part === 'text') {
    if (schema !== undefined)
      problems.add('unknown-key', `${at}.schema`, { found: 'schema', other: 'from: text' }, 'key');
    return { from: { kind: 'text' } };
  }
  const key = part.slice('json.'.length);
  return { from: { kind: 'json', key: key === '' ? undefined : key } };
}

const warnAtDefault = 0.8;
/** No timer waits for it, so it may be longer than a timer takes. */
const budgetMsMax = 100 * 365 * 24 * 60 * 60_000;

/** Reads what may be spent. */
export function resolveBudget(
  context: LoadContext,
  written: ManifestBudget | undefined,
  at: string,
): Budget | undefined {
  if (written === undefined) return undefined;
  const { usd, tokens, time, warn_at: warnAt, strict = false } = written;
  if (usd === undefined && tokens === undefined && time === undefined)
    context.problems.add('missing-key', at, { valid: ['usd', 'tokens', 'time'] }, 'key');
  return {
    usd,
    tokens,
    timeMs: time === undefined ? undefined : resolveDuration(context, time, 0, 1, `${at}.time`, budgetMsMax),
    warnAt: warnAt === undefined ? warnAtDefault : Number.parseInt(warnAt, 10) / 100,
    strict,
  };
}

/** A budget in money cannot be kept for calls whose price is unknown. */
export function checkPrices(
  { problems }: LoadContext,
  models: Models,
  budget: Budget | undefined,
  phases: readonly Phase[],
): void {
  const reported = new Set<string>();
  for (const { executor, budget: own } of phases.filter(asksModel)) {
    if (budget?.usd === undefined && own?.usd === undefined) continue;
    const name = modelName(executor);
    const isKnown = models.providers.some((provider) => provider.name === executor.provider);
    if (!isKnown || reported.has(name) || priceOf(models, name) !== undefined) continue;
    reported.add(name);
    problems.add('missing-key', `models.prices.${name}`, { expected: 'input and output' });
  }
}
