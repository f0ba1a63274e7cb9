import { resolve } from 'node:path';
import { ok, type Result } from '../../base/result.ts';
import type { Environment } from '../open/environment.ts';
import { type InstallPlan, planInstall, planUninstall } from './plan.ts';
import { planPlugin } from './plugin.ts';
import { type AgentState, agentStates } from './states.ts';
import type { AgentName } from './supports.ts';
import type { AgentTrouble } from './trouble.ts';

/** Where agents keep their settings. */
export interface AgentsRequest {
  /** The project; the current folder when nothing is said. */
  readonly path?: string | undefined;
}

/** What is to be put into an agent's settings, or taken out of them. */
export interface AgentRequest extends AgentsRequest {
  readonly action: 'install' | 'uninstall';
  readonly agent: AgentName;
  /** Whose settings: those of the project, or those of the user for all projects. Default: project */
  readonly scope?: 'project' | 'user' | undefined;
  /** Instead of settings: the folder of a plugin for Claude Code, which is made or brought up to date. */
  readonly plugin?: string | undefined;
}

/** Which agents Pawl is installed for, here and for the user. */
export async function listAgents(
  env: Environment,
  request: AgentsRequest,
): Promise<Result<readonly AgentState[], never>> {
  return ok(agentStates(env, surroundings(env, request)));
}

/** What would be written, to be shown before it is. Changes nothing. */
export async function planAgent(
  env: Environment,
  request: AgentRequest,
): Promise<Result<InstallPlan, AgentTrouble>> {
  const { action, agent, scope = 'project', plugin } = request;
  if (plugin !== undefined && action === 'install')
    return planPlugin(env, { folder: resolve(env.cwd, plugin), variables: env.process.variables });
  const planned = { ...surroundings(env, request), agent, scope };
  return action === 'install' ? planInstall(env, planned) : planUninstall(env, planned);
}

function surroundings({ cwd, process: { variables } }: Environment, { path }: AgentsRequest) {
  return { root: resolve(cwd, path ?? '.'), home: variables.HOME, variables };
}
