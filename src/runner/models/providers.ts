import { pathToFileURL } from 'node:url';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Models, Phase, Provider } from '../../model/definition.ts';
import type { AttemptFailure, MissingProvider } from '../../model/failure.ts';
import { inWorkspace, type RunContext } from '../context.ts';
import type { ModelClient } from './client.ts';
import { functionClient, type ModelFunction } from './function-client.ts';
import { findPackage, packageSpec, packagesOf } from './packages.ts';

type Clients = Map<string, Promise<Result<ModelClient, AttemptFailure>>>;

/** By the ledger: a run's context is made anew on the way, what it has heard of is not. */
const connections = new WeakMap<Ledger, Clients>();

/** Whoever asks this provider's models. */
export function clientOf(run: RunContext, name: string): Promise<Result<ModelClient, AttemptFailure>> {
  const clients = connections.get(run.ledger) ?? new Map();
  connections.set(run.ledger, clients);
  let client = clients.get(name);
  if (client === undefined) {
    client = connect(run, providerOf(run.loaded.pipeline.models, name));
    clients.set(name, client);
  }
  return client;
}

function providerOf({ providers }: Models, name: string): Provider {
  const provider = providers.find((one) => one.name === name);
  if (provider === undefined) throw new Error(`no provider ${name}`);
  return provider;
}

async function connect(run: RunContext, provider: Provider): Promise<Result<ModelClient, AttemptFailure>> {
  const { api } = provider;
  if (api.kind === 'function') return await importAnswer(run, api);
  const missing = missingOf(run.root, provider, process.env);
  if (missing !== undefined) {
    const { packages, key = '' } = missing;
    const facts = { provider: provider.name, packages: packages.join(' '), key };
    return fail({ reason: 'provider-missing', message: '', facts });
  }
  // The packages of a provider take long to load: only who asks its models pays for them.
  const { sdkClient } = await import('./ai-sdk.ts');
  const access = {
    key: provider.key === undefined ? undefined : process.env[provider.key],
    baseUrl: baseUrlOf(provider, process.env),
    headers: headersOf(provider, process.env),
  };
  const client = sdkClient(run.root, provider, access, run.clock);
  if (client === undefined) throw new Error(`the packages of ${provider.name} have gone`);
  return ok(client);
}

async function importAnswer(
  run: RunContext,
  { module, name }: { readonly module: string; readonly name: string },
): Promise<Result<ModelClient, AttemptFailure>> {
  try {
    const loaded = (await import(pathToFileURL(inWorkspace(run, module)).href)) as Record<string, unknown>;
    const exported = loaded[name];
    if (typeof exported === 'function') return ok(functionClient(exported as ModelFunction));
    return fail({ reason: 'function-missing', message: '', facts: { module, name } });
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return fail({ reason: 'function-missing', message, facts: { module, name } });
  }
}

/** Providers that these phases ask and that cannot be asked: told before anything is started. */
export function missingProviders(
  root: string,
  models: Models,
  phases: readonly Phase[],
  env: NodeJS.ProcessEnv,
): MissingProvider[] {
  const asked = new Map<string, string[]>();
  for (const { name, executor } of phases) {
    if (executor.kind !== 'model') continue;
    asked.set(executor.provider, [...(asked.get(executor.provider) ?? []), name]);
  }
  return [...asked].flatMap(([name, names]) => {
    const missing = missingOf(root, providerOf(models, name), env);
    return missing === undefined ? [] : [{ provider: name, phases: names, ...missing }];
  });
}

function missingOf(
  root: string,
  { api, key, baseUrl, headers }: Provider,
  env: NodeJS.ProcessEnv,
): Pick<MissingProvider, 'packages' | 'key'> | undefined {
  if (api.kind === 'function') return undefined;
  const packages = packagesOf[api.kind].filter((wanted) => findPackage(root, wanted) === undefined);
  const written = [...Object.values(headers), baseUrl ?? ''];
  const named = written.flatMap((value) => /\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1] ?? []);
  const names = key === undefined ? named : [key, ...named];
  const unset = names.find((name) => !env[name]);
  if (packages.length === 0 && unset === undefined) return undefined;
  return { packages: packages.map(packageSpec), key: unset };
}

/** Where everybody else says it, too, when the manifest does not. */
const baseUrlVariables: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
};

function baseUrlOf({ api, baseUrl }: Provider, env: NodeJS.ProcessEnv): string | undefined {
  const name = baseUrl === undefined ? baseUrlVariables[api.kind] : variableOf(baseUrl);
  return name === undefined ? baseUrl : env[name] || undefined;
}

function headersOf({ headers }: Provider, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/\$([A-Za-z_][A-Za-z0-9_]*)$/, (_, variable: string) => env[variable] ?? ''),
    ]),
  );
}

function variableOf(value: string | undefined): string | undefined {
  return /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value ?? '')?.[1];
}
