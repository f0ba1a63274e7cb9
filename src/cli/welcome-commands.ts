import type { CommandSpec } from '../text/help/help.ts';
import { path } from './command-parts.ts';

/** What is about Pawl itself, for those who come to it. */
export const welcomeCommands: readonly CommandSpec[] = [
  {
    name: 'doctor',
    group: 'care',
    summary: 'examine workspace and machine, and say what mends what is amiss',
    details: [
      'Versions, manifest, programs, modules, providers and keys by name, file system, runs, coding agents. Nothing',
      'is changed, and nothing of the manifest is started. Exit code 1: something is bad; with warnings alone 0.',
    ],
    arguments: [path],
    options: [],
    examples: [{ line: 'pawl doctor --json', summary: 'every finding with its facts and its fix' }],
  },
  {
    name: 'completion',
    group: 'care',
    summary: 'print what makes a shell complete commands, options and names of units',
    details: ['The first lines of what is printed say how to install it.'],
    arguments: [{ name: '<shell>', summary: 'bash, zsh or fish' }],
    options: [],
    examples: [{ line: 'eval "$(pawl completion bash)"', summary: 'for this shell; in ~/.bashrc for all' }],
  },
  {
    name: 'schema',
    group: 'care',
    summary: 'print the JSON Schema of a manifest, for editors',
    arguments: [],
    options: [],
  },
  {
    name: 'explain',
    group: 'look',
    summary: 'say what a word, reason, status or event means, and what can be done about it',
    arguments: [
      { name: '[word]', summary: 'a word that Pawl has said: cell, output-edited; default: which there are' },
    ],
    options: [{ flags: '--all', summary: 'without a word: list all of them, by kind' }],
    examples: [
      { line: 'pawl explain cell', summary: 'what the word means' },
      { line: 'pawl explain guard', summary: 'the same, and every guard that there is' },
    ],
  },
  {
    name: 'help',
    group: 'care',
    summary: 'say more about a command, or about the exit codes',
    arguments: [{ name: '[command]', summary: 'which one, or exit-codes; default: all in short' }],
    options: [],
  },
];
