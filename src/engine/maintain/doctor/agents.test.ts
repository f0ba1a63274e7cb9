import { expect, it } from 'vitest';
import { testMachine } from '../../../../test/fixtures/doctor.ts';
import { demand } from '../../../../test/fixtures/memory.ts';
import { realEnvironment } from '../../../../test/fixtures/real.ts';
import { tempFolder } from '../../../../test/support/temp.ts';
import { applyInstall } from '../../agents/apply.ts';
import { planInstall } from '../../agents/plan.ts';
import { checkAgents } from './agents.ts';

async function world(files: Record<string, string> = {}) {
  const root = tempFolder(files);
  const home = tempFolder();
  const env = realEnvironment(root);
  const variables = { HOME: home, PATH: '' };
  const install = async (scope: 'project' | 'user') => {
    const request = { agent: 'claude', scope, root, home, variables } as const;
    demand(await applyInstall(env, demand(planInstall(env, request))));
  };
  const check = () => checkAgents({ env, machine: testMachine({ variables }), start: root }, root);
  return { root, env, install, check };
}

it('no agent may call us: that is nobody’s fault', async () => {
  const { check } = await world();
  expect(check()).toEqual([{ check: 'agent-hooks', state: 'ok', facts: { installed: [] } }]);
});

it('those that do are named', async () => {
  const { check, install } = await world();
  await install('project');
  await install('user');
  expect(check()).toEqual([
    {
      check: 'agent-hooks',
      state: 'ok',
      facts: {
        installed: [
          { agent: 'claude', scope: 'project' },
          { agent: 'claude', scope: 'user' },
        ],
      },
    },
  ]);
});

it('hooks that are not as this version has them, and settings that cannot be read, are told', async () => {
  const { check, install, env, root } = await world();
  await install('project');
  const skill = `${root}/.claude/skills/resume-run/SKILL.md`;
  env.disk.remove(skill);
  expect(check()).toEqual([
    {
      check: 'agent-hooks',
      state: 'warning',
      facts: { agent: 'claude', scope: 'project', outdated: [skill], folder: '.' },
    },
  ]);
  const broken = await world({ '.gemini/settings.json': '{ "hooks": ' });
  expect(broken.check()).toMatchObject([
    { check: 'agent-hooks', state: 'ok' },
    { check: 'agent-settings', state: 'warning', facts: { agent: 'gemini' } },
  ]);
});
