import { fail, ok, type Result } from '../../base/result.ts';
import type { AgentsAnswer } from '../../engine/agents/answers.ts';
import type { AgentRequest } from '../../engine/agents/install.ts';
import type { InstallPlan } from '../../engine/agents/plan.ts';
import type { Environment } from '../../engine/open/environment.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { type Call, flagOption, pathOf, textOption } from '../call.ts';
import { type Command, environmentOf, type Outcome, present } from '../command.ts';
import { confirm } from '../confirm.ts';
import { yesOption } from '../options.ts';

export const agentsCommand: Command = {
  name: 'agents',
  group: 'tasks',
  summary: 'install or remove hooks, server and skills of coding agents; alone: say which are there',
  details: [
    'claude, codex, cursor, gemini, copilot, opencode. Shows every change first. Other entries and comments stay',
    'as they are, and uninstall takes out exactly what install has put in.',
  ],
  arguments: [
    { name: '[action]', summary: 'install, uninstall or list' },
    { name: '[agent]', summary: 'which one' },
  ],
  options: [
    { flags: '--user', summary: 'in the settings of the user, for all projects' },
    { flags: '--plugin <folder>', summary: 'for claude: write a plugin folder instead' },
    { flags: '--dry-run', summary: 'show what would change, and stop' },
    yesOption,
  ],
  examples: [{ line: 'pawl agents install claude', summary: 'shows the difference, then asks' }],
  async perform(call, face) {
    const [action = 'list', name] = call.arguments;
    const env = await environmentOf(face);
    const { listAgents, planAgent } = await import('../../engine/agents/install.ts');
    const path = pathOf(call);
    if (action === 'list') {
      const agents = await listAgents(env, { path });
      return presentAgents(agents.ok ? ok({ action, agents: agents.value }) : agents);
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
    const shown = await answerOf(wanted.value, plan.value, env);
    if (flagOption(call, 'dryRun') || plan.value.changes.length === 0) return presentAgents(ok(shown));
    const { applyInstall } = await import('../../engine/agents/apply.ts');
    const { installDiff, installQuestion } = await import('../../text/agents.ts');
    // The changes are shown before they are written, also with --yes.
    if (!face.json && !face.quiet) face.err(installDiff(shown.changes, face.errStyle));
    const agreed = await confirm(call, face, installQuestion(shown));
    if (!agreed.ok) return agreed;
    const applied = await applyInstall(env, plan.value);
    return presentAgents(applied.ok ? ok({ ...shown, isApplied: true }) : applied);
  },
};

function presentAgents(answer: Result<AgentsAnswer, Trouble>): Outcome {
  return present('agents', answer, {
    loadText: async () => (await import('../../text/agents.ts')).agentsText,
  });
}

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

async function answerOf(wanted: Wanted, plan: InstallPlan, env: Environment) {
  const { shownFrom } = await import('../../engine/open/environment.ts');
  // The path as it can be typed in the current folder.
  const shownPath = (path: string) => {
    const short = shownFrom(env, path);
    return short.startsWith('..') ? path : short;
  };
  const changes = plan.changes.map(({ path, before, after, diff }) => ({
    path: shownPath(path),
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
