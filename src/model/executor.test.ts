import { expect, it } from 'vitest';
import {
  asksModel,
  type Executor,
  isCalledHere,
  isForOthers,
  moduleOf,
  roleOf,
  runsProgram,
} from './executor.ts';

const executors: { readonly [Kind in Executor['kind']]: Extract<Executor, { kind: Kind }> } = {
  command: { kind: 'command', argv: ['true'], env: {} },
  function: { kind: 'function', module: 'phases.mjs', name: 'draw' },
  inline: { kind: 'inline', name: 'draw' },
  task: { kind: 'task', role: 'painter', leaseMs: 1000, files: undefined },
  model: { kind: 'model', provider: 'here', model: 'm', parameters: {}, attach: [], reuse: 'never' },
};

it('answers every question of every kind', () => {
  const yes = Object.entries(executors).map(([kind, executor]) => {
    const questions = { runsProgram, isCalledHere, isForOthers, asksModel };
    const answered = Object.entries(questions).filter(([, asks]) => asks({ executor }));
    return [kind, ...answered.map(([question]) => question)];
  });
  expect(yes).toEqual([
    ['command', 'runsProgram'],
    ['function', 'isCalledHere'],
    ['inline', 'isCalledHere'],
    ['task', 'isForOthers'],
    ['model', 'asksModel'],
  ]);
});

it('has a role where it is claimed, and a module where one is called', () => {
  const roles = Object.values(executors).map((executor) => roleOf({ executor }));
  expect(roles).toEqual([undefined, undefined, undefined, 'painter', undefined]);
  const modules = Object.values(executors).map((executor) => moduleOf({ executor }));
  expect(modules).toEqual([undefined, 'phases.mjs', undefined, undefined, undefined]);
});
