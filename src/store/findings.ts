import { byCodeUnit } from '../base/json.ts';
import type { Finding, FindingCode } from '../model/failure.ts';

/** Takes one finding about one file. */
export type Report = (
  code: FindingCode,
  weight: Finding['weight'],
  line?: number,
  detail?: string,
  lastLine?: number,
) => void;

/** For looking at a file that is read again, and reported on, elsewhere. */
export const reportNothing: Report = () => {};

/**
 * A report on one file. A file that is wrong on every line says so a limited number of times. `linesBefore` is asked
 * only when there is something to tell: lines are counted from where reading began.
 */
export function reportOn(findings: Finding[], file: string, linesBefore: () => number = () => 0): Report {
  const counts = new Map<FindingCode, number>();
  let base: number | undefined;
  return (code, weight, line, detail, lastLine) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > findingsPerCodeMax) return;
    if (line !== undefined) base ??= linesBefore();
    findings.push({
      code,
      file,
      ...(line === undefined ? {} : { line: line + (base ?? 0) }),
      ...(lastLine === undefined || lastLine === line ? {} : { lastLine: lastLine + (base ?? 0) }),
      ...(detail === undefined ? {} : { detail }),
      weight,
    });
  };
}

/** The same damage is reported in the same order, however the actors were interleaved. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => byCodeUnit(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0));
}

const findingsPerCodeMax = 100;
