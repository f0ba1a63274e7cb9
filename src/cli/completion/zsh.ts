import { bare } from './actions.ts';
import { choosers } from './choosers.ts';
import type { CompletedOption, Completion } from './model.ts';

/** The script for zsh. It can be read by `eval`, or lie as `_pawl` in a folder of `fpath`. */
export function zshScript(completion: Completion): string {
  const { commands, options } = completion;
  return [
    '#compdef pawl',
    '# Completion of pawl for zsh. To install it, put this line into ~/.zshrc, below compinit: eval "$(pawl completion zsh)"',
    '',
    ...choosers(completion),
    '',
    '_pawl_commands() {',
    ...described(commands.map(({ name, summary }) => [name, summary])),
    '}',
    '',
    '# The options of a command.',
    '_pawl_options() {',
    '  case $1 in',
    ...commands.flatMap(({ name, options: own }) => [`  ${bare(name)})`, ...described(flags(own)), '    ;;']),
    `  '')`,
    ...described(flags(options)),
    '    ;;',
    '  esac',
    '}',
    '',
    main,
  ].join('\n');
}

type Described = readonly [name: string, summary: string];

function flags(options: readonly CompletedOption[]): Described[] {
  return options.flatMap(({ names, summary }) => names.map((name) => [name, summary] as const));
}

function described(items: readonly Described[]): string[] {
  return [
    '    described=(',
    ...items.map(([name, summary]) => `      ${quoted(`${bare(name)}:${summary}`)}`),
    '    )',
  ];
}

/** Between single quotes everything is itself, but for these. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

// `path`, `words`, `options` and `commands` are zsh's own. What is not quoted is not taken apart, and $'' counts there.
const main = `_pawl() {
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
if [[ $funcstack[1] == _pawl ]]; then _pawl "$@"; else compdef _pawl pawl; fi`;
