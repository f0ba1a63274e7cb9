import { exitCodeTable } from '../exit-code-table.ts';
import { type ExitCodeLine, exitCodesText } from '../explain.ts';

/** Every exit code, the smallest first. */
export function exitCodeLines(): ExitCodeLine[] {
  return Object.entries(exitCodeTable).map(([name, { code, means, example }]) => ({
    code,
    name,
    means,
    example,
  }));
}

/** `pawl help exit-codes`. */
export function exitCodeHelpText(): string {
  return exitCodesText(exitCodeLines());
}
