import { fail, ok } from '../../base/result.ts';
import type { AgentsAnswer } from '../../engine/agents/answers.ts';
import type { AgentRequest } from '../../engine/agents/install.ts';
import type { InstallPlan } from '../../engine/agents/plan.ts';
import { type Environment, shownFrom } from '../../engine/open/environment.ts';
import { type Act, pathOf } from '../act.ts';
import { type Call, flagOption, textOption } from '../call.ts';
import { confirm } from '../confirm.ts';

/** `agents list`, `agents install AGENT`, `agents uninstall AGENT`. */
export const act: Act = async (call, face) => {
  const [action = 'list', name] = call.arguments;
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const { listAgents, planAgent } = await import('../../engine/agents/install.ts');
  const path = pathOf(call);
  if (action === 'list') {
    const agents = await listAgents(env, { path });
    return agents.ok ? ok({ command: 'agents', answer: { action, agents: agents.value } }) : agents;
  }
  const wanted = await wantedIn(call, action, name);
  if (!wanted.ok) return wanted;
  const plan = await planAgent(env, {
    path,
    ...wanted.value,
    scope: flagOption(call, 'user') ? 'user' : 'project',
    plugin: textOption(call, 'plugin'),
  });
  if (!plan.ok) return plan;
  const shown = answerOf(wanted.value, plan.value, env);
  if (flagOption(call, 'dryRun') || plan.value.changes.length === 0)
    return ok({ command: 'agents', answer: shown });
  const { applyInstall } = await import('../../engine/agents/apply.ts');
  const { installDiff, installQuestion } = await import('../../text/agents.ts');
  // Always before it is written, whoever has said yes to it already.
  if (!face.json && !face.quiet) face.err(installDiff(shown.changes, face.errStyle));
  const agreed = await confirm(call, face, installQuestion(shown));
  if (!agreed.ok) return agreed;
  const applied = await applyInstall(env, plan.value);
  return applied.ok ? ok({ command: 'agents', answer: { ...shown, isApplied: true } }) : applied;
};

type Wanted = Pick<AgentRequest, 'action' | 'agent'>;

async function wantedIn(call: Call, action: string, name: string | undefined) {
  if (action !== 'install' && action !== 'uninstall')
    return fail({
      reason: 'bad-value',
      option: 'agents',
      found: action,
      expected: 'install, uninstall or list',
    } as const);
  const { agentNames } = await import('../../engine/agents/supports.ts');
  if (name === undefined)
    return fail({ reason: 'missing-argument', command: `agents ${action}`, argument: '<agent>' } as const);
  const agent = agentNames.find((known) => known === name);
  const isPlugin = textOption(call, 'plugin') !== undefined;
  if (isPlugin && action !== 'install')
    return fail({ reason: 'bad-value', option: '--plugin', found: action, expected: 'install' } as const);
  if (agent === undefined || (isPlugin && agent !== 'claude'))
    return fail({
      reason: 'bad-value',
      option: 'agents',
      found: name,
      expected: agentNames.join(', '),
    } as const);
  return ok({ action, agent } as const);
}

function answerOf(wanted: Wanted, plan: InstallPlan, env: Environment) {
  const changes = plan.changes.map(({ path, before, after, diff }) => ({
    path: shownPath(env, path),
    change:
      before === undefined
        ? ('made' as const)
        : after === undefined
          ? ('removed' as const)
          : ('changed' as const),
    diff,
  }));
  return { ...wanted, changes, notes: plan.notes, isApplied: false } satisfies AgentsAnswer;
}

/** As one would type it from here. */
function shownPath(env: Environment, path: string): string {
  const short = shownFrom(env, path);
  return short.startsWith('..') ? path : short;
}
