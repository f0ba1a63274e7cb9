import { describe, expect, it } from 'vitest';
import { agentNames } from '../engine/agents/supports.ts';
import { exampleNames } from '../engine/examples/examples.ts';
import { commands, globalOptions } from './commands.ts';
import { partsOfFlags } from './complete.ts';
import { shells } from './completion-scripts.ts';
import { type Value, valueFor } from './completion-values.ts';

interface Place {
  readonly command: string;
  readonly name: string;
  readonly said: string;
  readonly value: Value | undefined;
}

/** Every place of the table at which something of the caller's own stands. */
const places: Place[] = commands.flatMap((command) => [
  ...command.arguments.map(({ name, summary }) => ({
    command: command.name,
    name,
    said: [summary, ...(command.details ?? [])].join(' '),
    value: valueFor(command.name, name),
  })),
  ...[...command.options, ...globalOptions].flatMap(({ flags, summary }) => {
    const { names, value } = partsOfFlags(flags);
    const name = names.at(-1) ?? '';
    if (value === undefined) return [];
    return [{ command: command.name, name, said: summary, value: valueFor(command.name, name, value) }];
  }),
]);

const wordsAt = (command: string, name: string) => {
  const value = valueFor(command, name);
  return value?.kind === 'words' ? value.words : undefined;
};

describe('what may stand where', () => {
  it('is decided for every argument and every value of the table', () => {
    const undecided = places.filter(({ value }) => value === undefined);
    expect(undecided.map(({ command, name }) => `${command} ${name}`)).toEqual([]);
  });

  it('is what the table tells people', () => {
    for (const { command, name, said, value } of places)
      for (const word of value?.kind === 'words' ? value.words : [])
        expect(said, `${command} ${name}`).toMatch(new RegExp(`\\b${word}\\b`));
  });

  it('is all that there is', () => {
    expect(wordsAt('init', '[example]')).toEqual(exampleNames);
    expect(wordsAt('agents', '[agent]')).toEqual(agentNames);
    expect(wordsAt('hook', '<agent>')).toEqual(agentNames);
    expect(wordsAt('completion', '<shell>')).toEqual(shells);
    expect(wordsAt('cost', '--by')).toEqual(['phase', 'model', 'unit', 'run']);
    expect(wordsAt('graph', '--format')).toEqual(['text', 'mermaid', 'svg', 'json']);
  });

  it('depends on the command where one name means two things', () => {
    expect(valueFor('gc', '--keep', '<what>')?.kind).toBe('words');
    expect(valueFor('decide', '--applied', '<id>')?.kind).toBe('text');
    expect(valueFor('plan', '--run', '<id>')).toEqual({ kind: 'asked', of: 'run' });
    expect(valueFor('start', '<task>')).toEqual({ kind: 'asked', of: 'task' });
    expect(valueFor('complete', '<task>')).toEqual({ kind: 'asked', of: 'claim' });
    expect(valueFor('none', '<nothing>')).toBeUndefined();
  });
});

it('flags are read as the table writes them', () => {
  expect(partsOfFlags('-C, --dir <path>')).toEqual({ names: ['-C', '--dir'], value: '<path>' });
  expect(partsOfFlags('--output <name=path...>')).toEqual({ names: ['--output'], value: '<name=path...>' });
  expect(partsOfFlags('--no-color')).toEqual({ names: ['--no-color'], value: undefined });
  expect(() => partsOfFlags('-x')).toThrow('flags that completion cannot read: -x');
});
