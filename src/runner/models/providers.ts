import { fail, ok, type Result } from '../../base/result.ts';
import { providerOf } from '../../model/calls.ts';
import type { Models, Phase, Provider } from '../../model/definition.ts';
import { asksModel } from '../../model/executor.ts';
import type { AttemptFailure, MissingProvider } from '../../model/failure.ts';
import { endingVariable, variableIn } from '../../model/secrets.ts';
import { importFunction } from '../executors/call-function.ts';
import type { ExecutorHost } from '../executors/host.ts';
import type { ModelClient } from '../executors/model-client.ts';
import { namedByProviders } from '../redaction.ts';
import { functionClient, type ModelFunction } from './function-client.ts';
import { findPackage, packageSpec, packagesOf } from './packages.ts';

type Ground = Pick<ExecutorHost, 'connections' | 'workspace' | 'clock' | 'process'>;

/** The client that asks this provider's models. */
export function clientOf(host: Ground, provider: Provider): Promise<Result<ModelClient, AttemptFailure>> {
  const { connections } = host;
  let client = connections.get(provider.name);
  if (client === undefined) {
    client = connect(host, provider);
    connections.set(provider.name, client);
  }
  return client;
}

async function connect(
  { workspace, clock, process }: Ground,
  provider: Provider,
): Promise<Result<ModelClient, AttemptFailure>> {
  const { variables } = process;
  const { api } = provider;
  if (api.kind === 'function') {
    const answer = await importFunction<ModelFunction>({ workspace, process }, api);
    return answer.ok ? ok(functionClient(answer.value)) : answer;
  }
  const missing = missingOf(workspace, provider, variables);
  if (missing !== undefined) {
    const { packages, key = '' } = missing;
    const facts = { provider: provider.name, packages: packages.join(' '), key };
    return fail({ reason: 'provider-missing', message: '', facts });
  }
  // The packages of a provider take long to load: only who asks its models pays for them.
  const { sdkClient } = await import('./ai-sdk.ts');
  const access = {
    key: provider.key === undefined ? undefined : variables[provider.key],
    baseUrl: baseUrlOf(provider, variables),
    headers: headersOf(provider, variables),
  };
  const client = sdkClient(workspace, provider, access, clock);
  if (client === undefined) throw new Error(`the packages of ${provider.name} have gone`);
  return ok(client);
}

/** Providers that these phases ask and that cannot be asked: reported before anything starts. */
export function missingProviders(
  root: string,
  models: Models,
  phases: readonly Phase[],
  env: NodeJS.ProcessEnv,
): MissingProvider[] {
  const asked = new Map<string, string[]>();
  for (const { name, executor } of phases.filter(asksModel)) {
    asked.set(executor.provider, [...(asked.get(executor.provider) ?? []), name]);
  }
  return [...asked].flatMap(([name, names]) => {
    const missing = missingOf(root, providerOf(models, name), env);
    return missing === undefined ? [] : [{ provider: name, phases: names, ...missing }];
  });
}

function missingOf(
  root: string,
  provider: Provider,
  env: NodeJS.ProcessEnv,
): Pick<MissingProvider, 'packages' | 'key'> | undefined {
  const { api } = provider;
  if (api.kind === 'function') return undefined;
  const packages = packagesOf[api.kind].filter((wanted) => findPackage(root, wanted) === undefined);
  const { secrets, addresses } = namedByProviders([provider]);
  const unset = [...secrets, ...addresses].find((name) => !env[name]);
  if (packages.length === 0 && unset === undefined) return undefined;
  return { packages: packages.map(packageSpec), key: unset };
}

/** Where everybody else says it, too, when the manifest does not. */
const baseUrlVariables: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
};

function baseUrlOf({ api, baseUrl }: Provider, env: NodeJS.ProcessEnv): string | undefined {
  const name = baseUrl === undefined ? baseUrlVariables[api.kind] : variableIn(baseUrl);
  return name === undefined ? baseUrl : env[name] || undefined;
}

function headersOf({ headers }: Provider, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const ending = endingVariable(value);
      return [name, ending === undefined ? value : `${ending.before}${env[ending.name] ?? ''}`];
    }),
  );
}
