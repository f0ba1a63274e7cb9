import { expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { has, workspaceWith } from '../support/workspace.ts';

const phase = (name: string, run: string) => `  ${name}: { run: ${run}, outputs: { o: "${name}/{unit}" } }\n`;

it('a manifest cannot run what a field of a unit says, nor set what programs run by themselves', async () => {
  const workspace = workspaceWith(
    [
      'pawl: 1\npipeline: guards\nunits: [{ id: a, x: "process.exit()" }]\nphases:\n',
      phase('eval', '{ command: [node, "--eval={unit.x}"] }'),
      phase('wrapped', '{ command: [nice, -n, "5", node, "--print={unit.x}"] }'),
      phase('split', '{ command: [env, "-S{unit.x}"] }'),
      phase('preload', '{ command: [node, "--import={unit.x}", x.mjs] }'),
      phase('field', '{ command: [env, "{unit.x}", y] }'),
      phase('filter', '{ command: [awk, "{ print {unit.x} }", f] }'),
      phase('shellcall', '{ command: [su, user, -c, "echo {unit.x}"] }'),
      phase('fetched', '{ command: [npx, "{unit.x}"] }'),
      phase('assigned', '{ command: [env, "BASH_ENV={unit.x}", bash, x.sh] }'),
      phase('splitting', '{ command: [env, -i, -S, "A=1 BASH_ENV=x bash x.sh"] }'),
      phase('attached', '{ command: [nice, env, "--split-string=LD_PRELOAD=x y"] }'),
      phase('joined', '{ command: [env, "-SPERL5OPT=-Mx perl x.pl"] }'),
      phase('harmless', '{ command: [env, -S, "A=1 sh", x.sh, "ENV=no"] }'),
      phase(
        'shell',
        '{ command: [sh, x.sh], env: { ENV: a, GIT_SSH_COMMAND: b, PYTHONSTARTUP: c, BASH_ENV: d, PERL5OPT: e, RUBYOPT: f } }',
      ),
      phase('fine', '{ command: [sh, x.sh, "{unit.x}"], env: { PATH: a, PYTHONPATH: b, NODE_PATH: c } }'),
    ].join(''),
  );
  const { code, stderr } = await pawl(workspace, 'run');
  expect(code).toBe(2);
  const problems = stderr.match(/phases\.\S+: .*/g)?.map((line) => line.split(/: |; /, 2).join(': '));
  expect(problems).toEqual([
    'phases.eval.run.command[1]: {unit.x} would become part of a program text of node',
    'phases.wrapped.run.command[4]: {unit.x} would become part of a program text of node',
    'phases.split.run.command[1]: {unit.x} would become part of a program text of env',
    'phases.preload.run.command[1]: {unit.x} would become part of a program text of node',
    'phases.field.run.command[1]: the program would be what {unit.x} says',
    'phases.filter.run.command[1]: {unit.x} would become part of a program text of awk',
    'phases.shellcall.run.command[3]: {unit.x} would become part of a program text of su',
    'phases.fetched.run.command[1]: the program would be what {unit.x} says',
    'phases.assigned.run.command[1]: the variable BASH_ENV may not be set',
    'phases.splitting.run.command[3]: the variable BASH_ENV may not be set',
    'phases.attached.run.command[2]: the variable LD_PRELOAD may not be set',
    'phases.joined.run.command[1]: the variable PERL5OPT may not be set',
    'phases.shell.run.env.ENV: the variable ENV may not be set',
    'phases.shell.run.env.GIT_SSH_COMMAND: the variable GIT_SSH_COMMAND may not be set',
    'phases.shell.run.env.PYTHONSTARTUP: the variable PYTHONSTARTUP may not be set',
    'phases.shell.run.env.BASH_ENV: the variable BASH_ENV may not be set',
    'phases.shell.run.env.PERL5OPT: the variable PERL5OPT may not be set',
    'phases.shell.run.env.RUBYOPT: the variable RUBYOPT may not be set',
  ]);
  expect(has(workspace, '.pawl')).toBe(false);
});
