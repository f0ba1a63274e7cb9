import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { CommandSpec, OptionSpec } from '../../text/help/help.ts';
import { commands, globalOptions } from '../commands.ts';
import { bare } from './actions.ts';
import { fishScript } from './fish.ts';
import { completionOf } from './model.ts';
import { zshScript } from './zsh.ts';

/*
 * The scripts for shells that may not be here. What they hold is compared with the table; the way in which they hold it
 * is pinned by a small one with everything in it that a shell could take for something else.
 */

const odd = `it's a \\ "$(touch x)": \`y\` [z] {w} * ~ %`;
const small: readonly CommandSpec[] = [
  {
    name: 'graph',
    group: 'look',
    summary: odd,
    arguments: [{ name: '[run]', summary: 'a run' }],
    options: [
      { flags: '-C, --dir <path>', summary: 'where' },
      { flags: '--format <name>', summary: odd },
    ],
  },
  {
    name: 'adopt',
    group: 'care',
    summary: 'take an edit',
    arguments: [{ name: '<targets...>', summary: 'paths' }],
    options: [{ flags: '--reason <text>', summary: 'why' }],
  },
];
const globals: readonly OptionSpec[] = [{ flags: '--json', summary: 'a document' }];
const whole = completionOf(commands, globalOptions);
const table = completionOf(small, globals);

describe('for zsh', () => {
  it('the script says on top what it is for and how to install it', () => {
    expect(zshScript(whole).split('\n').slice(0, 2)).toEqual([
      '#compdef pawl',
      '# Completion of pawl for zsh. To install it, put this line into ~/.zshrc, below compinit: eval "$(pawl completion zsh)"',
    ]);
  });

  it('every command and option has its summary, whatever is in it', () => {
    // Lists between single quotes are read by bash as zsh reads them.
    const described = (call: string, of = whole) => {
      const script = zshScript(of);
      const functions = script.slice(script.indexOf('_pawl_commands() {'), script.indexOf('\n_pawl() {'));
      const program = `${functions}\n${call}; printf '%s\\0' "\${described[@]}"`;
      return spawnSync('bash', ['--norc', '-c', program], { encoding: 'utf8' })
        .stdout.split('\0')
        .slice(0, -1);
    };
    expect(described('_pawl_commands', table)).toEqual([`graph:${odd}`, 'adopt:take an edit']);
    expect(described('_pawl_options graph', table)).toContain(`--format:${odd}`);
    expect(described('_pawl_commands')).toEqual(commands.map(({ name, summary }) => `${name}:${summary}`));
    expect(described('_pawl_options graph')).toEqual(
      expect.arrayContaining([
        '-C:as if started in this folder; a manifest is taken too',
        '--json:one JSON document on stdout; progress stays on stderr',
      ]),
    );
  });

  it('the script is this one', () => {
    expect(zshScript(table)).toMatchInlineSnapshot(`
      "#compdef pawl
      # Completion of pawl for zsh. To install it, put this line into ~/.zshrc, below compinit: eval "$(pawl completion zsh)"

      # What follows an option, by command and option. Nothing: it takes no value.
      _pawl_after() {
        case $1 in
          'graph -C' | 'graph --dir')
            action='workspace' ;;
          'graph --format')
            action='words text mermaid svg json' ;;
          'adopt --reason')
            action='text' ;;
          *) action='' ;;
        esac
      }

      # What an argument is, by command and number.
      _pawl_argument() {
        case $1 in
          'graph 1')
            action='ask run' ;;
          'adopt '*)
            action='file' ;;
          *) action='text' ;;
        esac
      }

      # Takes in one word before the cursor: as it is meant, and as a path.
      _pawl_take() {
        if [[ -n $option ]]; then
          case $option in
            -C | --dir) target+=(-C "$folder") ;;
            --run) target+=(--run "$word") ;;
          esac
          option=''
        elif [[ -z $ended && $word == -- ]]; then
          ended=yes
        elif [[ -z $ended && $word == --dir=* ]]; then
          target+=(-C "\${word#*=}")
        elif [[ -z $ended && $word == --run=* ]]; then
          target+=(--run "\${word#*=}")
        elif [[ -z $ended && $word == -* ]]; then
          _pawl_after "$command $word"
          if [[ -n $action ]]; then option=$word; fi
        elif [[ -z $command ]]; then
          command=$word
        else
          place=$((place + 1))
          _pawl_argument "$command $place"
          if [[ $action == workspace ]]; then target+=(-C "$folder"); fi
        fi
      }

      # Chooses what is done at the cursor, by the word there.
      _pawl_choose() {
        if [[ -n $option ]]; then
          _pawl_after "$command $option"
        elif [[ -z $ended && $1 == -* ]]; then
          action=options
        elif [[ -z $command ]]; then
          action=command
        else
          _pawl_argument "$command $((place + 1))"
        fi
      }

      _pawl_commands() {
          described=(
            'graph:it'\\''s a \\ "$(touch x)": \`y\` [z] {w} * ~ %'
            'adopt:take an edit'
          )
      }

      # The options of a command.
      _pawl_options() {
        case $1 in
        graph)
          described=(
            '-C:where'
            '--dir:where'
            '--format:it'\\''s a \\ "$(touch x)": \`y\` [z] {w} * ~ %'
            '--json:a document'
            '-h:say more about it'
            '--help:say more about it'
          )
          ;;
        adopt)
          described=(
            '--reason:why'
            '--json:a document'
            '-h:say more about it'
            '--help:say more about it'
          )
          ;;
        '')
          described=(
            '--json:a document'
            '-h:say more about it'
            '--help:say more about it'
            '-V:the version of pawl'
            '--version:the version of pawl'
          )
          ;;
        esac
      }

      _pawl() {
        local word action='' command='' option='' ended='' folder
        local -i at place=0 missing=1
        local -a target described whole begun
        for ((at = 2; at < CURRENT; at++)); do
          word=\${(Q)words[at]}
          folder=\${word/#\\~\\//$HOME/}
          _pawl_take
        done
        if [[ -z $option && -z $ended && $PREFIX == --*=* ]]; then
          option=\${PREFIX%%=*}
          # Up to the first one; without the number it would be the last.
          compset -P 1 '*='
        fi
        _pawl_choose "$PREFIX"
        case $action in
          command) _pawl_commands && _describe -t commands command described && missing=0 ;;
          options) _pawl_options "$command" && _describe -o option described && missing=0 ;;
          words\\ *) compadd -- \${=action#words } && missing=0 ;;
          ask\\ *)
            for word in "\${(@f)$(command pawl __complete "\${action#ask }" "$PREFIX" "\${target[@]}" 2> /dev/null)}"; do
              # Beginnings of many words come with a remark: no space is put behind them.
              if [[ $word == *$'\\t'* ]]; then begun+=(\${word%%$'\\t'*}); elif [[ -n $word ]]; then whole+=("$word"); fi
            done
            compadd -a whole && missing=0
            compadd -S '' -a begun && missing=0
            ;;
          workspace | file) _files && missing=0 ;;
          folder) _files -/ && missing=0 ;;
        esac
        return missing
      }

      # A file of fpath is run at the first use; whoever reads it by eval registers it.
      if [[ $funcstack[1] == _pawl ]]; then _pawl "$@"; else compdef _pawl pawl; fi"
    `);
  });
});

describe('for fish', () => {
  it('the script says on top how to install it', () => {
    expect(fishScript(whole).split('\n', 1)[0]).toBe(
      '# Completion of pawl for fish. To install it: pawl completion fish > ~/.config/fish/completions/pawl.fish',
    );
  });

  it('every command, option and argument has its line', () => {
    const lines = fishScript(whole).split('\n');
    for (const { name, summary, options } of whole.commands) {
      expect(lines).toContain(`complete -c pawl -n '__pawl_at "" 0' -a ${name} -d ${fishQuoted(summary)}`);
      for (const option of options) {
        const long = option.names.at(-1)?.slice(2);
        const start = `complete -c pawl -n '__pawl_in ${name}' `;
        const own = lines.filter((line) => line.startsWith(start) && line.includes(`-l ${long} `));
        expect(own, `${name} --${long}`).toHaveLength(1);
        expect(own[0]).toMatch(/ -d '/);
        expect(own[0]?.endsWith(`-d ${fishQuoted(option.summary)}`)).toBe(true);
      }
    }
    expect(lines).toContain(`complete -c pawl -n '__pawl_at why 1' -a '(__pawl_ask cell)'`);
  });

  it('the script is this one', () => {
    expect(fishScript(table)).toMatchInlineSnapshot(`
      "# Completion of pawl for fish. To install it: pawl completion fish > ~/.config/fish/completions/pawl.fish

      # Options that take a value, and arguments that are a workspace.
      set -g __pawl_valued 'graph -C' 'graph --dir' 'graph --format' 'adopt --reason'
      set -g __pawl_workspaces 

      # The command and its arguments before the cursor; for "target", the options that say which workspace is meant.
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
      end

      complete -c pawl -f
      complete -c pawl -n '__pawl_at "" 0' -a graph -d 'it\\'s a \\\\ "$(touch x)": \`y\` [z] {w} * ~ %'
      complete -c pawl -n '__pawl_at "" 0' -a adopt -d 'take an edit'
      complete -c pawl -n '__pawl_at "" 0' -l json -d 'a document'
      complete -c pawl -n '__pawl_at "" 0' -s h -l help -d 'say more about it'
      complete -c pawl -n '__pawl_at "" 0' -s V -l version -d 'the version of pawl'
      complete -c pawl -n '__pawl_in graph' -s C -l dir -r -F -d 'where'
      complete -c pawl -n '__pawl_in graph' -l format -x -a 'text mermaid svg json' -d 'it\\'s a \\\\ "$(touch x)": \`y\` [z] {w} * ~ %'
      complete -c pawl -n '__pawl_in graph' -l json -d 'a document'
      complete -c pawl -n '__pawl_in graph' -s h -l help -d 'say more about it'
      complete -c pawl -n '__pawl_at graph 1' -a '(__pawl_ask run)'
      complete -c pawl -n '__pawl_in adopt' -l reason -x -d 'why'
      complete -c pawl -n '__pawl_in adopt' -l json -d 'a document'
      complete -c pawl -n '__pawl_in adopt' -s h -l help -d 'say more about it'
      complete -c pawl -n '__pawl_in adopt' -F"
    `);
  });
});

it('a word that some shell reads as more than itself gets into no script', () => {
  for (const word of ['a b', '$x', "it's", '*', '', 'a;b', '(x)', 'a|b']) expect(() => bare(word)).toThrow();
  for (const word of ['ask', '__complete', '--no-color', '-C', 'a.b-c_1']) expect(bare(word)).toBe(word);
});

function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
