/** What was typed: a command of the table, its arguments and options. */
export interface Call {
  readonly command: string;
  readonly arguments: readonly string[];
  /** By name in camel case: `rerunFrom`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The options whose value was typed in the same word: `--resume=ID`. */
  readonly attached?: ReadonlySet<string>;
}

/** The value of an option that takes one. */
export function textOption(call: Call, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be given several times. */
export function listOption(call: Call, name: string): string[] {
  const value = call.options[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function flagOption(call: Call, name: string): boolean {
  return call.options[name] === true;
}
