/*
 * The scripts of `pawl completion`. They are short, because they only hand the words of the line to `pawl __complete`
 * (`complete.ts`). Its first line says what to offer: `words` (the following lines), `file`, `folder` or `nothing`.
 */

const bash = `# Completion of pawl for bash. To install it, put this line into ~/.bashrc: eval "$(pawl completion bash)"

_pawl() {
  local IFS=$' \\t\\n' kind='' line=''
  COMPREPLY=()
  while IFS= read -r line; do
    # A description follows the tab.
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done < <(command pawl __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
  # bash 3 has no compopt, and completes no paths here.
  case $kind in
    file) compopt -o default 2> /dev/null ;;
    folder) compopt -o dirnames 2> /dev/null ;;
  esac
  return 0
}

complete -F _pawl pawl`;

// `words` and `path` are variables of zsh. Unquoted values are not split there, and $'' works in patterns.
const zsh = `#compdef pawl
# Completion of pawl for zsh. To install it, put this line into ~/.zshrc, below compinit: eval "$(pawl completion zsh)"

_pawl() {
  local line kind=''
  local -i at missing=1
  local -a typed described whole begun
  for ((at = 2; at < CURRENT; at++)); do typed+=("\${(Q)words[at]}"); done
  for line in "\${(@f)$(command pawl __complete zsh "\${typed[@]}" "$PREFIX" 2> /dev/null)}"; do
    if [[ -z $kind ]]; then
      kind=$line
    elif [[ $line == *$'\\t...' ]]; then
      # The beginning of many words: no space is put behind it.
      begun+=("\${line%%$'\\t'*}")
    elif [[ $line == *$'\\t'* ]]; then
      described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    else
      whole+=("$line")
    fi
  done
  # Behind --option= only the value is completed, up to the first equals sign.
  if [[ $PREFIX == --*=* ]]; then compset -P 1 '*='; fi
  case $kind in
    words)
      if (( $#described )); then
        if [[ $PREFIX == -* ]]; then _describe -o option described && missing=0
        else _describe -t commands command described && missing=0; fi
      fi
      compadd -a whole && missing=0
      compadd -S '' -a begun && missing=0
      ;;
    file) _files && missing=0 ;;
    folder) _files -/ && missing=0 ;;
  esac
  return missing
}

# A file of fpath is run at the first use; with eval the function is registered here.
if [[ $funcstack[1] == _pawl ]]; then _pawl "$@"; else compdef _pawl pawl; fi`;

const fish = `# Completion of pawl for fish. To install it: pawl completion fish > ~/.config/fish/completions/pawl.fish

function __pawl_complete
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l current (commandline -ct)
    set -l lines (command pawl __complete fish $tokens "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    # Behind --option= only the value is completed; fish wants the whole word.
    set -l option (string match -r -- '^--[a-z-]+=' "$current")
    set -l value (string replace -- "$option" '' "$current")
    switch "$kind"
        case words
            string join -- \\n $lines | string replace -r -- '^' "$option"
        case file
            __fish_complete_path "$value" | string replace -r -- '^' "$option"
        case folder
            __fish_complete_directories "$value" | string replace -r -- '^' "$option"
    end
end

complete -c pawl -f -a '(__pawl_complete)'`;

/** By shell, its script. */
export const completionScripts = { bash, zsh, fish } as const;

export type Shell = keyof typeof completionScripts;
export const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];
