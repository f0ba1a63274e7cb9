import type { DoctorAnswer, DoctorFinding } from '../engine/maintain/doctor/finding.ts';
import { sayFinding } from './doctor-words.ts';
import type { Style } from './style/style.ts';
import { count } from './style/words.ts';

/** A line for each check, and for what is amiss the one thing that mends it. */
export function doctorText({ workspace, findings, counts }: DoctorAnswer, style: Style): string {
  const { paint, symbols } = style;
  const lines = findings.flatMap((finding) => {
    const { what, fix } = sayFinding(finding, workspace);
    return [
      `${markOf(finding, style)} ${what}`,
      ...(fix === undefined ? [] : [`  ${paint.cyan(symbols.becomes)} ${fix}`]),
    ];
  });
  return [...lines, '', lastLine(counts, style)].join('\n');
}

/** The answer as data, each finding with its words; if one is bad, first the reason and the fixes. */
export function doctorFacts({ findings, ...rest }: DoctorAnswer): object {
  const described = findings.map((finding) => {
    const { what, fix } = sayFinding(finding, rest.workspace);
    return { ...finding, message: what, ...(fix !== undefined && { fix }) };
  });
  const bad = described.filter(({ state }) => state === 'bad');
  const shortcoming = bad.length > 0 && { reason: 'bad-findings', next: bad.flatMap(({ fix }) => fix ?? []) };
  return { ...shortcoming, ...rest, findings: described };
}

function markOf({ state }: Pick<DoctorFinding, 'state'>, { paint, symbols }: Style): string {
  if (state === 'ok') return paint.green(symbols.good);
  return state === 'warning' ? paint.yellow(symbols.warning) : paint.red(symbols.bad);
}

function lastLine({ warning, bad }: DoctorAnswer['counts'], style: Style): string {
  const state = bad > 0 ? 'bad' : warning > 0 ? 'warning' : 'ok';
  const words = [
    ...(bad > 0 ? [`${count(bad, 'finding')} to be mended`] : []),
    ...(warning > 0 ? [`${count(warning, 'warning')}`] : []),
  ];
  return `${markOf({ state }, style)} ${style.paint.bold(words.join(', ') || 'all is well')}`;
}
