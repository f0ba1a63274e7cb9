import { isPublicAddress } from '../../model/secrets.ts';
import { endingVariable, variableIn } from '../../model/variables.ts';
import type { LoadContext } from '../prompts/context.ts';

/* Whoever reads a manifest must not be let in by it: what opens a door is named there, and lies in the environment. */

/** Neither the value nor its line is shown: somebody may have written a secret there. */
export function addUnshown({ problems }: LoadContext, at: string, expected: readonly string[]): void {
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
