/** The name in `$NAME`: how a manifest names what only the environment holds. Undefined: it is any other text. */
export function variableIn(written: string): string | undefined {
  const reference = endingVariable(written);
  return reference?.before === '' ? reference.name : undefined;
}

/** A text that ends in a variable, as a header does: `Bearer $NAME`. */
export interface EndingVariable {
  readonly before: string;
  readonly name: string;
}

/** Undefined: it ends in none. */
export function endingVariable(written: string): EndingVariable | undefined {
  const [, before, name] = ending.exec(written) ?? [];
  return before === undefined || name === undefined ? undefined : { before, name };
}

const ending = /^(.*)\$([A-Za-z_][A-Za-z0-9_]{0,127})$/s;
