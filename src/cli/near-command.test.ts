import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { nearCommands } from './near-command.ts';

test('a word that is spelled nearly so, or what other tools call it', () => {
  expect(nearCommands('statsu')).toEqual(['status']);
  expect(nearCommands('exitcodes')).toEqual([]);
  expect(nearCommands('exitcodes', ['exit-codes'])).toEqual(['exit-codes']);
  expect(nearCommands('ls')).toEqual(['runs', 'status']);
  expect(nearCommands('constructor')).toEqual([]);
});

test('only commands are offered', () => {
  const names = new Set(['--version', ...commands.map(({ name }) => name)]);
  const words = ['list', 'continue', 'rerun', 'new', 'stop', 'check', 'validate', 'clean', 'version'];
  expect(words.flatMap((word) => nearCommands(word)).filter((name) => !names.has(name))).toEqual([]);
  expect(words.filter((word) => nearCommands(word).length === 0 || names.has(word))).toEqual([]);
});
