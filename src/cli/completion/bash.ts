import { bare } from './actions.ts';
import { choosers } from './choosers.ts';
import type { CompletedOption, Completion } from './model.ts';

/** The script for bash. From version 4 on it completes paths too; what is older has no way to ask for that. */
export function bashScript(completion: Completion): string {
  const { commands, options } = completion;
  return [
    '# Completion of pawl for bash. To install it, put this line into ~/.bashrc: eval "$(pawl completion bash)"',
    '',
    ...choosers(completion),
    '',
    `_pawl_commands() { words='${commands.map(({ name }) => bare(name)).join(' ')}'; }`,
    '',
    '# The options of a command.',
    '_pawl_options() {',
    '  case $1 in',
    ...commands.map(({ name, options: own }) => `    ${bare(name)}) words='${flagsOf(own)}' ;;`),
    `    '') words='${flagsOf(options)}' ;;`,
    `    *) words='' ;;`,
    '  esac',
    '}',
    '',
    main,
  ].join('\n');
}

function flagsOf(options: readonly CompletedOption[]): string {
  return options.flatMap(({ names }) => names.map(bare)).join(' ');
}

const main = `# A path as the shell would read it, in the spellings that are usual: ~/a, 'a b', a\\ b.
_pawl_path() {
  path=\${1//[\\"\\'\\\\]/}
  case $1 in "~/"*) path=$HOME/\${path#??} ;; esac
}

_pawl() {
  local IFS=$' \\t\\n' current=\${COMP_WORDS[COMP_CWORD]} word words='' action='' path=''
  local command='' option='' ended='' at place=0
  local -a target=()
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    # bash takes --run=x apart.
    if [[ $word == = ]]; then continue; fi
    if [[ -n $option ]]; then
      _pawl_path "$word"
      case $option in
        -C | --dir) target+=(-C "$path") ;;
        --run) target+=(--run "$path") ;;
      esac
      option=''
    elif [[ -z $ended && $word == -- ]]; then
      ended=yes
    elif [[ -z $ended && $word == -* ]]; then
      _pawl_after "$command $word"
      if [[ -n $action ]]; then option=$word; fi
    elif [[ -z $command ]]; then
      command=$word
    else
      place=$((place + 1))
      _pawl_argument "$command $place"
      if [[ $action == workspace ]]; then
        _pawl_path "$word"
        target+=(-C "$path")
      fi
    fi
  done
  if [[ $current == = ]]; then current=''; fi
  current=\${current#[\\"\\']}
  if [[ -n $option ]]; then
    _pawl_after "$command $option"
  elif [[ -z $ended && $current == -* ]]; then
    action=options
  elif [[ -z $command ]]; then
    action=command
  else
    _pawl_argument "$command $((place + 1))"
  fi
  case $action in
    command) _pawl_commands ;;
    options) _pawl_options "$command" ;;
    words\\ *) words=\${action#words } ;;
    # Beginnings of many words come with a remark.
    ask\\ *)
      while IFS= read -r word; do
        COMPREPLY+=("\${word%%$'\\t'*}")
      done < <(command pawl __complete "\${action#ask }" "$current" \${target[@]+"\${target[@]}"} 2> /dev/null)
      ;;
    workspace | file) compopt -o default 2> /dev/null ;;
    folder) compopt -o dirnames 2> /dev/null ;;
  esac
  for word in $words; do
    if [[ $word == "$current"* ]]; then COMPREPLY+=("$word"); fi
  done
  return 0
}

complete -F _pawl pawl`;
