import { argumentActions, optionActions } from './actions.ts';
import type { Completion } from './model.ts';

/** What bash and zsh have in common: the functions that they choose an action with. */
export function choosers(completion: Completion): string[] {
  return [
    '# What follows an option, by command and option. Nothing: it takes no value.',
    ...chooser('_pawl_after', optionActions(completion), ''),
    '',
    '# What an argument is, by command and number.',
    ...chooser('_pawl_argument', argumentActions(completion), 'text'),
    '',
    ways,
  ];
}

// Both shells let a function see and set the local variables of whoever calls it.
const ways = `# Takes in one word before the cursor: as it is meant, and as a path.
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
}`;

function chooser(name: string, choices: ReadonlyMap<string, readonly string[]>, otherwise: string): string[] {
  return [
    `${name}() {`,
    '  case $1 in',
    ...[...choices].flatMap(([action, places]) => [
      `    ${places.map(pattern).join(' | ')})`,
      `      action='${action}' ;;`,
    ]),
    `    *) action='${otherwise}' ;;`,
    '  esac',
    '}',
  ];
}

/** Quoted, but for the star that stands for any number. */
function pattern(place: string): string {
  return place.endsWith(' *') ? `'${place.slice(0, -1)}'*` : `'${place}'`;
}
