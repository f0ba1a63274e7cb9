import type { Environment } from '../open/environment.ts';
import type { InstallRequest } from './place.ts';
import { isInstalled, planInstall } from './plan.ts';
import { type AgentName, agentNames } from './supports.ts';
import type { AgentTrouble } from './trouble.ts';

/** How one agent stands, in one scope. */
export interface AgentState {
  readonly agent: AgentName;
  readonly scope: 'project' | 'user';
  readonly isInstalled: boolean;
  /** Of an installed one, the files that installing it again would change. */
  readonly outdated: readonly string[];
  /** Why that cannot be told. */
  readonly trouble: AgentTrouble | undefined;
}

/** All agents that Pawl knows, here and for the user. */
export function agentStates(
  env: Environment,
  request: Omit<InstallRequest, 'agent' | 'scope'>,
): readonly AgentState[] {
  const scopes = request.home === undefined ? (['project'] as const) : (['project', 'user'] as const);
  return agentNames.flatMap((agent) => scopes.map((scope) => stateOf(env, { ...request, agent, scope })));
}

function stateOf(env: Environment, request: InstallRequest): AgentState {
  const { agent, scope } = request;
  const plan = planInstall(env, request);
  const found = isInstalled(env, request);
  return {
    agent,
    scope,
    isInstalled: found,
    outdated: found && plan.ok ? plan.value.changes.map(({ path }) => path) : [],
    trouble: plan.ok ? undefined : plan.failure,
  };
}
