import { bare, optionActions } from './actions.ts';
import type { CompletedOption, Completion } from './model.ts';
import type { Value } from './values.ts';

/** The script for fish, version 3 and later. */
export function fishScript(completion: Completion): string {
  const { commands, options } = completion;
  const names = commands.map(({ name }) => bare(name));
  const start = `__pawl_at "" 0`;
  return [
    '# Completion of pawl for fish. To install it: pawl completion fish > ~/.config/fish/completions/pawl.fish',
    '',
    '# Options that take a value, and arguments that are a workspace.',
    `set -g __pawl_valued ${[...optionActions(completion).values()].flat().map(quoted).join(' ')}`,
    `set -g __pawl_workspaces ${workspaces(completion).map(quoted).join(' ')}`,
    '',
    functions,
    '',
    'complete -c pawl -f',
    ...commands.map(({ name, summary }) => line(start, `-a ${bare(name)} -d ${quoted(summary)}`)),
    ...options.map((option) => line(start, optionWords(option, names))),
    ...commands.flatMap((command) => [
      ...command.options.map((option) => line(`__pawl_in ${command.name}`, optionWords(option, names))),
      ...command.arguments.flatMap(({ value, isMany }, at) => {
        const words = valueWords(value, names);
        const place = isMany ? `__pawl_in ${command.name}` : `__pawl_at ${command.name} ${at + 1}`;
        return words === '' ? [] : [line(place, words)];
      }),
    ]),
  ].join('\n');
}

function workspaces({ commands }: Completion): string[] {
  return commands.flatMap(({ name, arguments: places }) =>
    places.flatMap(({ value }, at) => (value.kind === 'workspace' ? [`${name} ${at + 1}`] : [])),
  );
}

function line(condition: string, words: string): string {
  return `complete -c pawl -n ${quoted(condition)} ${words}`;
}

function optionWords({ names, summary, value }: CompletedOption, commands: readonly string[]): string {
  const flags = names.map((name) =>
    name.startsWith('--') ? `-l ${bare(name).slice(2)}` : `-s ${name.slice(1)}`,
  );
  const isPath = value?.kind === 'file' || value?.kind === 'workspace';
  const needs = value === undefined ? [] : [isPath ? '-r' : '-x'];
  const offered = value === undefined ? '' : valueWords(value, commands);
  return [...flags, ...needs, ...(offered === '' ? [] : [offered]), `-d ${quoted(summary)}`].join(' ');
}

/** Empty: nothing is offered. */
function valueWords(value: Value, commands: readonly string[]): string {
  switch (value.kind) {
    case 'words':
      return `-a ${quoted(value.words.map(bare).join(' '))}`;
    case 'command':
      return `-a ${quoted(commands.join(' '))}`;
    case 'asked':
      return `-a '(__pawl_ask ${value.of})'`;
    case 'workspace':
    case 'file':
      return '-F';
    case 'folder':
      return `-a '(__fish_complete_directories)'`;
    case 'text':
      return '';
  }
}

/** Between single quotes everything is itself, but for these. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const functions = `# The command and its arguments before the cursor; for "target", the options that say which workspace is meant.
function __pawl_typed
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l typed
    set -l target
    set -l option ''
    for token in $tokens
        set -l folder (string replace -r -- '^~/' "$HOME/" $token)
        if test -n "$option"
            if contains -- $option -C --dir
                set -a target -C $folder
            else if test "$option" = --run
                set -a target --run $token
            end
            set option ''
        else if string match -q -- '--dir=*' $token
            set -a target -C (string replace -- '--dir=' '' $token)
        else if string match -q -- '--run=*' $token
            set -a target --run (string replace -- '--run=' '' $token)
        else if string match -q -- '-*' $token
            if contains -- "$typed[1] $token" $__pawl_valued
                set option $token
            end
        else
            if contains -- "$typed[1] "(count $typed) $__pawl_workspaces
                set -a target -C $folder
            end
            set -a typed $token
        end
    end
    if test "$argv[1]" = target
        string join -- \\n $target
    else
        string join -- \\n $typed
    end
end

function __pawl_in --argument-names command
    set -l typed (__pawl_typed)
    test "$typed[1]" = "$command"
end

function __pawl_at --argument-names command place
    set -l typed (__pawl_typed)
    test "$typed[1]" = "$command"; and test (count $typed) -eq $place
end

# Words that only the workspace knows. Beginnings of many words come with a remark.
function __pawl_ask --argument-names kind
    set -l current (commandline -ct | string replace -r -- '^--[a-z-]+=' '')
    command pawl __complete $kind "$current" (__pawl_typed target) 2>/dev/null
end`;
