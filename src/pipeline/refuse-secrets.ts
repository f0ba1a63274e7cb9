import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { Problem } from '../model/failure.ts';
import {
  endingVariable,
  isPublicAddress,
  secretShapeIn,
  variableIn,
  withoutSecretShapes,
} from '../model/secrets.ts';
import type { LoadContext } from './context.ts';
import { joinPath, type ProblemList } from './text/problems.ts';

/*
 * A manifest must not grant access to its readers: it names variables of the environment, which hold the
 * secrets.
 */

/** Neither the value nor its line is shown, because it may contain a secret. */
export function addUnshown({ problems }: LoadContext, at: string, expected: readonly string[]): void {
  if (problems.problems.some(({ code, path }) => code === 'literal-secret' && path === at)) return;
  const place = problems.locate(at);
  problems.addAt(place && { ...place, source: '' }, 'wrong-type', at, { found: 'string', expected });
}

/** An address without a name and a password: these belong into a header. */
export function checkAddress(context: LoadContext, written: string, at: string): void {
  if (variableIn(written) === undefined && !isPublicAddress(written))
    addUnshown(context, at, ['http://HOST', 'https://HOST', '$NAME']);
}

/** A header that names a variable, behind a scheme or alone. */
export function checkSecretHeader(context: LoadContext, written: string, at: string): void {
  const before = endingVariable(written)?.before;
  if (before === undefined || !scheme.test(before)) addUnshown(context, at, ['$NAME', 'Bearer $NAME']);
}

const scheme = /^(?:[A-Za-z][A-Za-z0-9._-]{0,31} )?$/;

/** A key that stands in a manifest would lie in clear in the lock file and in the store. */
export function refuseSecrets(problems: ProblemList, value: JsonValue, at = ''): void {
  if (typeof value === 'string') {
    const found = secretShapeIn(value);
    if (found !== undefined) problems.add('literal-secret', at, { found });
  } else if (Array.isArray(value))
    for (const [nth, item] of value.entries()) refuseSecrets(problems, item, `${at}[${nth}]`);
  else if (isJsonObject(value))
    for (const [key, item] of Object.entries(value)) {
      const found = secretShapeIn(key);
      // Said of the map around it, because its own path would name it.
      if (found !== undefined) problems.add('literal-secret', at, { found });
      else refuseSecrets(problems, item, joinPath(at, key));
    }
}

/** Without any part of a key: whatever is wrong there, the line itself is not shown. */
export function hideSecrets(problem: Problem): Problem {
  const { place, facts } = problem;
  const isShown = place === undefined || secretShapeIn(place.source) === undefined;
  const clean = Object.entries(facts).map(([name, fact]) => [name, cleanFact(fact)]);
  return {
    ...problem,
    path: withoutSecretShapes(problem.path),
    place: isShown ? place : { ...place, source: '' },
    facts: Object.fromEntries(clean) as Problem['facts'],
  };
}

function cleanFact(fact: Problem['facts'][string]): Problem['facts'][string] {
  if (typeof fact === 'string') return withoutSecretShapes(fact);
  return typeof fact === 'number' ? fact : fact.map(withoutSecretShapes);
}
