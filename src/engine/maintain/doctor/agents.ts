import { agentStates } from '../../agents/states.ts';
import { shownFrom } from '../../open/environment.ts';
import { type DoctorFinding, good, warning } from './finding.ts';
import type { DoctorScope } from './ground.ts';

/** Which coding agents call Pawl, here and for all projects of the user, and whether as this version has it. */
export function checkAgents({ env, machine, start }: DoctorScope, root: string | undefined): DoctorFinding[] {
  const folder = root ?? start;
  const { variables } = machine;
  const states = agentStates(env, { root: folder, home: variables.HOME, variables });
  const current = states.filter((state) => state.isInstalled && state.outdated.length === 0);
  const isNone = states.every((state) => !state.isInstalled);
  const installed = current.map(({ agent, scope }) => ({ agent, scope }));
  return [
    ...(isNone || installed.length > 0 ? [good('agent-hooks', { installed })] : []),
    ...states.flatMap(({ agent, scope, outdated, trouble }): DoctorFinding[] => {
      if (trouble !== undefined) return [warning('agent-settings', { agent, trouble })];
      if (outdated.length === 0) return [];
      const shown = shownFrom(env, folder) || '.';
      return [warning('agent-hooks', { agent, scope, outdated, folder: shown })];
    }),
  ];
}
