/** The name in `$NAME`: how a manifest names what only the environment holds. Undefined: it is any other text. */
export function variableIn(written: string): string | undefined {
  const reference = endingVariable(written);
  return reference?.before === '' ? reference.name : undefined;
}

/** What a program is handed from the environment. */
export interface HandedVariable {
  readonly name: string;
  /** Nobody misses it where it is not set. */
  readonly isOptional: boolean;
}

/** The same in the environment of a program, where `$NAME?` is one that may be missing. */
export function handedVariable(written: string): HandedVariable | undefined {
  const isOptional = written.endsWith('?');
  const name = variableIn(isOptional ? written.slice(0, -1) : written);
  return name === undefined ? undefined : { name, isOptional };
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
