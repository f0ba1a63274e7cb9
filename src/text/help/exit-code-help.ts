import { exitCodeTable } from '../catalogue/exit-codes.ts';
import type { ExitCodeLine } from '../catalogue/kinds.ts';
import { indented, lineLengthMax } from '../style/table.ts';

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
/** Printed without a style: help knows nothing of the terminal. */
export function exitCodesText(codes: readonly ExitCodeLine[]): string {
  const lines = codes.flatMap(({ code, means, example }) => [
    `  ${String(code).padStart(codeWidth)}  ${means}`,
    ...indented(example, ' '.repeat(codeWidth + 6), lineLengthMax),
  ]);
  return [
    'exit codes, and when a command ends so',
    ...lines,
    '',
    'With --json the same number is exitCode, and reason says why.',
  ].join('\n');
}

const codeWidth = 3;
