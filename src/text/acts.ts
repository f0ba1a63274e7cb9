import type { RepairAnswer } from '../engine/maintain/repair-answer.ts';
import type { ResetAnswer, ResetLeft } from '../engine/maintain/reset-answer.ts';
import type { AdoptAnswer } from '../engine/people/adopt.ts';
import type { VerifyAnswer } from '../engine/show/verify.ts';
import type { FindingCode } from '../model/failure.ts';
import { findingLines } from './catalogue/findings.ts';
import { behindLines, headingLine } from './phrases/heading.ts';
import { hint, repairReason } from './phrases/hints.ts';
import { loud } from './phrases/outcome.ts';
import { andOutdated, outdatedLines } from './phrases/outdated.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { count, hashChange, list, stepLabel } from './style/words.ts';

export function verifyText(answer: VerifyAnswer, style: Style): string {
  const { heading, findings, checked } = answer;
  const { paint, symbols } = style;
  const checks = `${count(checked.events, 'event')}, ${count(checked.outputs, 'output')} and ${count(checked.objects, 'object')} checked`;
  const what = `${checks}${andOutdated(answer.outdated?.length)}`;
  const lost = loud(findings).length;
  const good = paint.green(symbols.good);
  const last =
    findings.length === 0
      ? `${good} ${what}; everything is as it was recorded`
      : lost === 0
        ? `${good} ${what}; ${count(findings.length, 'finding')}, nothing acknowledged is lost`
        : `${paint.red(symbols.bad)} ${what}; ${count(lost, 'finding')} of ${findings.length} ${lost === 1 ? 'needs' : 'need'} attention`;
  const repairable = loud(findings).some(({ code }) => !ofOutputs.has(code));
  const repair = hint('repair', heading.workspace, undefined, '--reason', repairReason);
  const advice = repairable
    ? [`to keep what is still proven, and to put back what intact outputs hold: ${repair}`]
    : [];
  const outdated = (answer.outdated ?? []).map((step) => ({ ...step, name: `${step.unit}/${step.phase}` }));
  const told = [
    ...behindLines(answer, style),
    ...findingLines(findings, style),
    ...outdatedLines(outdated, style),
  ];
  return [headingLine(heading, style), ...told, last, ...advice].join('\n');
}

/** What a person or the next run settles, and no repair. */
const ofOutputs: ReadonlySet<FindingCode> = new Set([
  'output-missing',
  'output-edited',
  'output-damaged',
  'unit-list-invalid',
]);

export function adoptText({ heading, adopted, reruns, waits }: AdoptAnswer, style: Style): string {
  const { paint, symbols } = style;
  const then =
    reruns.length === 0
      ? waitsAfter(waits, heading.workspace)
      : `the next run does ${list(reruns.map(plain))} again: ${hint('run', heading.workspace)}`;
  return [
    ...adopted.map(
      ({ unit, phase, output, path, before, after }) =>
        `  ${plain(path)} is now output ${plain(output)} of ${stepLabel(unit, phase)} (${hashChange(before, after, style)})`,
    ),
    `${paint.green(symbols.good)} ${count(adopted.length, 'file')} adopted; ${then}`,
  ].join('\n');
}

function waitsAfter(waits: readonly string[], workspace: string): string {
  if (waits.length === 0) return 'nothing depends on it';
  const verb = waits.length === 1 ? 'waits' : 'wait';
  return `nothing runs again at once: ${list(waits.map(plain))} ${verb}; to see what for: ${hint('plan', workspace)}`;
}

export function resetText({ archived, next }: ResetAnswer, style: Style): string {
  const { paint, symbols } = style;
  const names = list(next.map(plain));
  if (archived.length === 0) return 'there was no run to archive';
  return [
    ...archived.flatMap(({ run, to, files, left }) => [
      `  ${plain(run)}: ${count(files, 'file')} kept in ${plain(to)}`,
      ...left.map(
        ({ path, reason }) =>
          `    ${paint.yellow(symbols.warning)} left alone: ${plain(path)} (${leftWords[reason]})`,
      ),
    ]),
    `${paint.green(symbols.good)} ${count(archived.length, 'run')} archived; ${next.length === 0 ? 'the next run starts fresh' : `the next run comes back to ${names}`}`,
  ].join('\n');
}

const leftWords: Readonly<Record<ResetLeft['reason'], string>> = {
  changed: 'it was changed meanwhile, and is not the one in the archive',
  'of-another-run': 'another run has put it there, or needs it',
};

export function repairText(answer: RepairAnswer, style: Style): string {
  const { heading, accepted, facts, restored, healed, lost, moved } = answer;
  const { paint, symbols } = style;
  return [
    ...findingLines(accepted, style),
    ...facts.map(({ name, value, from }) => `  ${plain(name)}: ${plain(value)} (from ${plain(from)})`),
    ...restored.map(
      ({ unit, phase, attempt, from }) =>
        `  ${stepLabel(unit, phase)} is on record again (attempt ${attempt}, ${restoredWords[from]})`,
    ),
    ...healed.map((path) => `  the content store has the bytes of ${plain(path)} again`),
    ...lost.map((path) => `  the bytes of ${plain(path)} are lost: no intact copy was found`),
    ...moved.map(({ from, to }) => `  ${plain(from)} moved to ${plain(to)}: nothing in it could be read`),
    `${paint.green(symbols.good)} ${count(accepted.length, 'finding')} accepted and recorded, nothing was deleted; steps that nothing proves any more run again: ${hint('run', heading.workspace)}`,
  ].join('\n');
}

const restoredWords: Readonly<Record<RepairAnswer['restored'][number]['from'], string>> = {
  snapshot: 'the snapshot has it',
  success: 'its start was lost; its outputs are intact',
};
