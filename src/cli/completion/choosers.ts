import { argumentActions, optionActions } from './actions.ts';
import type { Completion } from './model.ts';

/** The functions that bash and zsh choose an action with: `_pawl_after 'run --unit'`, `_pawl_argument 'why 1'`. */
export function choosers(completion: Completion): string[] {
  return [
    '# What follows an option, by command and option. Nothing: it takes no value.',
    ...chooser('_pawl_after', optionActions(completion), ''),
    '',
    '# What an argument is, by command and number.',
    ...chooser('_pawl_argument', argumentActions(completion), 'text'),
  ];
}

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
