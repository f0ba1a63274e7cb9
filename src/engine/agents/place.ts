import { fail, ok, type Result } from '../../base/result.ts';
import type { Environment } from '../open/environment.ts';
import type { AgentFilePlace } from './definitions.ts';
import { findLaunch } from './find-launch.ts';
import type { AgentName } from './supports.ts';
import type { AgentTrouble } from './trouble.ts';

/** For whom something is installed, and where. */
export interface InstallRequest {
  readonly agent: AgentName;
  /** The settings of the project, which others share, or those of the user, which count for all projects. */
  readonly scope: 'project' | 'user';
  readonly root: string;
  readonly home: string | undefined;
  /** How Pawl is to be started; chosen from what is there when nothing is said. */
  readonly command?: readonly string[] | undefined;
  /** Of the process: `PATH`, and those that say where agents keep their settings. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

export function settingsPlaceOf(
  { disk }: Environment,
  request: InstallRequest,
): Result<AgentFilePlace, AgentTrouble> {
  const { agent, scope, root, home, command, variables = {} } = request;
  const userFolder = userFolderOf(agent, home, variables);
  if (scope === 'user' && (userFolder === undefined || home === undefined))
    return fail({ reason: 'no-home' });
  const launch = findLaunch(disk, { agent, scope, root, command, path: variables.PATH });
  const userSkills = home === undefined ? undefined : `${home}/.agents/skills`;
  return ok({ agent, scope, root, userFolder, userSkills, launch });
}

function userFolderOf(
  agent: AgentName,
  home: string | undefined,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { name, variable, below = '' } = userFolders[agent];
  const told = variable === undefined ? undefined : variables[variable];
  if (told?.startsWith('/')) return `${told}${below}`;
  return home === undefined ? undefined : `${home}/${name}${below}`;
}

const userFolders: Readonly<Record<AgentName, { name: string; variable?: string; below?: string }>> = {
  claude: { name: '.claude', variable: 'CLAUDE_CONFIG_DIR' },
  codex: { name: '.codex', variable: 'CODEX_HOME' },
  cursor: { name: '.cursor' },
  gemini: { name: '.gemini' },
  copilot: { name: '.copilot', variable: 'COPILOT_HOME' },
  opencode: { name: '.config', variable: 'XDG_CONFIG_HOME', below: '/opencode' },
};
