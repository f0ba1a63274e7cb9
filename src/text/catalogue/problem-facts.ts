import type { Problem } from '../../model/failure.ts';
import { plain } from '../style/plain.ts';
import { bytes, choice, count, didYouMean } from '../style/words.ts';

/* The facts of a problem as parts of its sentence. */

type Facts = Problem['facts'];

export function yamlSyntax(facts: Facts): string {
  switch (one(facts, 'cause')) {
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; a manifest is one';
    case 'BAD_ALIAS':
      return `nothing is anchored as ${one(facts, 'found')} before this place`;
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent YAML; indent with spaces, here and in all other lines';
    case 'JSON':
      return 'not JSON';
    default: {
      // The library adds the place and the source line; both are shown here in one form for all problems.
      const [message = ''] = String(facts.detail ?? '').split(/ at line \d+, column \d+|\n/);
      return `not YAML: ${plain(message) || one(facts, 'cause')}`;
    }
  }
}

export function unknownKey(facts: Facts): string {
  if (has(facts, 'other')) return `the key ${one(facts, 'found')} cannot stand beside ${one(facts, 'other')}`;
  return `unknown key ${one(facts, 'found')}${guess(facts)}${valid(facts)}`;
}

export function range(facts: Facts): string {
  const limits = [
    has(facts, 'minimum') ? `at least ${one(facts, 'minimum')}` : '',
    has(facts, 'maximum') ? `at most ${one(facts, 'maximum')}` : '',
  ];
  return `${one(facts, 'found')} is out of range; ${limits.filter((limit) => limit !== '').join(' and ')}`;
}

export function has(facts: Facts, name: string): boolean {
  const fact = facts[name];
  return fact !== undefined && (!Array.isArray(fact) || fact.length > 0);
}

/** A fact as text; a list as a choice. */
export function one(facts: Facts, name: string): string {
  return choice(many(facts, name));
}

export function many(facts: Facts, name: string): string[] {
  const fact = facts[name];
  if (fact === undefined) return [];
  return (typeof fact === 'object' ? fact : [String(fact)]).map(plain);
}

/** The value that was found, in quotes unless it is a name of a kind of value. */
export function found(facts: Facts): string {
  const text = one(facts, 'found');
  return kindsOfValue.has(text) ? text : `"${text}"`;
}

const kindsOfValue = new Set(['map', 'list', 'string', 'number', 'boolean', 'null', 'nothing', 'key']);

export function expected(facts: Facts): string {
  return has(facts, 'expected') ? `; expected ${one(facts, 'expected')}` : '';
}

/** What would be possible; where there is a good guess, that is enough. */
export function valid(facts: Facts): string {
  if (has(facts, 'suggestion')) return '';
  return has(facts, 'valid') ? `; possible: ${many(facts, 'valid').join(', ')}` : '';
}

export function guess(facts: Facts): string {
  return didYouMean(many(facts, 'suggestion'));
}

export function detail(facts: Facts): string {
  const text = one(facts, has(facts, 'detail') ? 'detail' : 'cause');
  return text === '' ? '' : ` (${text})`;
}

export function ofUnit(facts: Facts): string {
  return has(facts, 'unit') ? ` (unit ${one(facts, 'unit')})` : '';
}

export function ofFile(facts: Facts): string {
  return has(facts, 'file') ? ` (file ${one(facts, 'file')})` : '';
}

export function size(facts: Facts): string {
  return typeof facts.limit === 'number' ? bytes(facts.limit) : count(0, 'byte');
}

export function cycle(facts: Facts): string {
  return many(facts, 'cycle').join(' > ');
}

/** How messages name a problem. */
export interface ProblemWords {
  /** What is wrong, without the place. */
  readonly words: (facts: Facts) => string;
}
