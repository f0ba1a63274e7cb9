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

const main = `_pawl() {
  local IFS=$' \\t\\n' current=\${COMP_WORDS[COMP_CWORD]} word words='' action='' folder=''
  local command='' option='' ended='' at place=0
  local -a target=()
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    # bash takes --run=x apart.
    if [[ \${COMP_WORDS[at]} == = ]]; then continue; fi
    # As the shell would read it, in the spellings that are usual: ~/a, 'a b', a\\ b.
    word=\${COMP_WORDS[at]//[\\"\\'\\\\]/}
    folder=$word
    case \${COMP_WORDS[at]} in "~/"*) folder=$HOME/\${word#??} ;; esac
    _pawl_take
  done
  if [[ $current == = ]]; then current=''; fi
  current=\${current#[\\"\\']}
  _pawl_choose "$current"
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
