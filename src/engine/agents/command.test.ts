import { describe, expect, it } from 'vitest';
import { chooseLaunch, isOwnLaunch, type LaunchFacts, pawlCall } from './command.ts';
import { agentNames } from './supports.ts';
import { shellWords } from './words.ts';

const facts: LaunchFacts = {
  agent: 'claude',
  scope: 'project',
  isOnPath: false,
  isInProject: false,
  isGitTop: true,
  program: '/opt/my tools/pawl/bin/pawl.js',
};

describe('how Pawl is started', () => {
  it('takes the package of the project before anything else: settings and version are shared', () => {
    const { shell, argv } = chooseLaunch({ ...facts, isInProject: true, isOnPath: true });
    expect(shell).toBe('node "$CLAUDE_PROJECT_DIR"/node_modules/pawl/bin/pawl.js');
    expect(argv).toEqual(['npx', '--no-install', 'pawl']);
  });

  it.each([
    ['gemini', 'node "$GEMINI_PROJECT_DIR"/node_modules/pawl/bin/pawl.js'],
    ['codex', 'node "$(git rev-parse --show-toplevel)"/node_modules/pawl/bin/pawl.js'],
    ['cursor', 'node node_modules/pawl/bin/pawl.js'],
    ['copilot', 'node node_modules/pawl/bin/pawl.js'],
  ] as const)('finds the project of %s as that agent tells it', (agent, shell) => {
    expect(chooseLaunch({ ...facts, agent, isInProject: true }).shell).toBe(shell);
  });

  it('leaves it to npx where codex could not tell the folder', () => {
    expect(chooseLaunch({ ...facts, agent: 'codex', isInProject: true, isGitTop: false }).shell).toBe(
      'npx --no-install pawl',
    );
  });

  it('takes the command on the path, and the program that runs now only where there is none', () => {
    expect(chooseLaunch({ ...facts, isOnPath: true })).toMatchObject({
      shell: 'pawl',
      isOfThisMachine: false,
    });
    expect(chooseLaunch(facts)).toMatchObject({
      argv: ['node', '/opt/my tools/pawl/bin/pawl.js'],
      shell: "node '/opt/my tools/pawl/bin/pawl.js'",
      isOfThisMachine: true,
    });
  });

  it('puts nothing of one project into settings for all', () => {
    const user = { ...facts, scope: 'user', isInProject: true } as const;
    expect(chooseLaunch(user).shell).toBe("node '/opt/my tools/pawl/bin/pawl.js'");
    expect(chooseLaunch({ ...user, isOnPath: true }).shell).toBe('pawl');
  });

  it('does as it is told', () => {
    const launch = chooseLaunch({ ...facts, isInProject: true, command: ['node', '/opt/my tools/pawl.js'] });
    expect(launch).toEqual({
      shell: "node '/opt/my tools/pawl.js'",
      statusLine: "node '/opt/my tools/pawl.js'",
      argv: ['node', '/opt/my tools/pawl.js'],
      isLocal: false,
      isOfThisMachine: false,
      isTold: true,
    });
    expect(chooseLaunch({ ...facts, command: [] }).isOfThisMachine).toBe(true);
  });
});

describe('a call of Pawl', () => {
  const startsPawl = (words: readonly string[] | undefined, task: readonly string[]) =>
    pawlCall(words ?? [], task) !== undefined;
  const isHook = (line: string) => startsPawl(shellWords(line), ['hook', 'claude']);

  it('is known in every form that is ever chosen', () => {
    for (const agent of agentNames)
      for (const scope of ['project', 'user'] as const)
        for (const bits of [0, 1, 2, 3, 4, 5, 6, 7]) {
          const launch = chooseLaunch({
            agent,
            scope,
            isOnPath: (bits & 1) > 0,
            isInProject: (bits & 2) > 0,
            isGitTop: (bits & 4) > 0,
            program: '/opt/my tools/pawl/bin/pawl.js',
          });
          expect(startsPawl(shellWords(`${launch.shell} hook ${agent}`), ['hook', agent])).toBe(true);
          expect(startsPawl(shellWords(`${launch.statusLine} statusline`), ['statusline'])).toBe(true);
          expect(startsPawl([...launch.argv, 'mcp'], ['mcp'])).toBe(true);
        }
  });

  it.each([
    'pawl hook claude',
    'PAWL_ACTOR=me pawl hook claude',
    '/usr/local/bin/pawl hook claude --verbose',
    'npx pawl@1.2.3 hook claude',
    'bunx pawl hook claude',
    'pnpm exec pawl hook claude',
    'node --no-warnings /srv/pawl/bin/pawl.js hook claude',
  ])('is known as a person may have written it: %s', (line) => {
    expect(isHook(line)).toBe(true);
  });

  it.each([
    'echo pawl hook claude',
    'pawl hook codex',
    'pawl status',
    'pawl hook claude | tee log',
    'notify "pawl hook claude"',
    'run-all pawl hook claude',
    'npx pawl-extras hook claude',
    'pawlish hook claude',
    'hook claude',
    '',
  ])('is not what only speaks of it: %s', (line) => {
    expect(isHook(line)).toBe(false);
  });

  it('falls into how Pawl is started, and what is said besides', () => {
    expect(pawlCall(['X=1', 'npx', '-y', 'pawl', 'hook', 'claude', '--flag'], ['hook', 'claude'])).toEqual({
      assigned: ['X=1'],
      launch: ['npx', '-y', 'pawl'],
      rest: ['--flag'],
    });
  });

  it('is of our own making or of a person', () => {
    expect(isOwnLaunch(['npx', '-y', 'pawl'])).toBe(true);
    expect(isOwnLaunch(['node', '$CLAUDE_PROJECT_DIR/node_modules/pawl/bin/pawl.js'])).toBe(true);
    expect(isOwnLaunch(['node', '/opt/pawl/bin/pawl.js'])).toBe(true);
    expect(isOwnLaunch(['/opt/pawl'])).toBe(false);
    expect(isOwnLaunch(['npx', 'pawl@2'])).toBe(false);
  });
});
