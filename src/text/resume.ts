import { unreachable } from '../base/result.ts';
import type { StaleRun } from '../engine/observe/stale-answer.ts';
import type { NextAction, ResumeAnswer, TaskClaim } from '../engine/observe/task-answers.ts';
import type { DoubtfulTask, ResumeReport } from '../engine/show/resume.ts';
import { parseStepName } from '../model/names.ts';
import type { GuardName } from '../model/reason.ts';
import { findingLines } from './catalogue/findings.ts';
import { noticeLines } from './catalogue/notices.ts';
import { hint, nextHint, unblockHint } from './phrases/hints.ts';
import { pauseWords, waitHint } from './phrases/model-calls.ts';
import { stepList } from './phrases/steps.ts';
import { clip, plain } from './style/plain.ts';
import { asciiSymbols, type Style } from './style/style.ts';
import { changeWords, count, list, longTime, stepLabel, time } from './style/words.ts';
import { validationLines } from './validation.ts';

/**
 * Where a run stands, for whoever comes to it anew. The form is fixed: people and other tools look for its lines.
 * `goesOn`: the run is taken up in the same breath, and only then does it say so.
 */
export function resumeText(
  answer: ResumeReport,
  style: Style,
  { goesOn = false }: { readonly goesOn?: boolean } = {},
): string {
  const { heading, phase, tasks, lastActivity, lastCompleted, next } = answer;
  const rule = (style.symbols === asciiSymbols ? '=' : '═').repeat(ruleLength);
  const completed = lastCompleted === undefined ? 'none' : taskName(lastCompleted, style);
  return [
    rule,
    style.paint.bold(`RESUMING RUN: ${plain(heading.run)}`),
    '',
    'Current State:',
    `- Phase: ${phase.number} (${plain(phase.name)})`,
    `- Tasks: ${tasks.done}/${tasks.total} complete`,
    `- Last activity: ${time(lastActivity)}`,
    `- Last completed: ${completed}`,
    '',
    'Next Action:',
    `- ${nextWords(next, heading.workspace, style)}`,
    '',
    ...section('Validation:', validationLines(answer.validation, style)),
    ...section('Stale:', staleLines(answer.stale, style)),
    ...section('In Doubt:', doubtLines(answer.inDoubt, heading.workspace, style)),
    ...section('Decisions:', decisionLines(answer.decisions)),
    ...section('Warnings:', warningLines(answer, style)),
    ...(goesOn ? ['Continuing...'] : []),
    rule,
  ].join('\n');
}

/** Asked before a run is resumed in which nothing has happened for long. */
export function staleQuestion({ idleMs }: Pick<StaleRun, 'idleMs'>): string {
  return `Nothing has happened in this run for ${longTime(idleMs)}. Resume it?`;
}

const ruleLength = 59;
const titleLengthMax = 120;
const linesMax = 20;
const leftMax = 6;
const claimsMax = 4;

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}

/** `t2 - Cook`. */
function taskName(
  { unit, title }: { readonly unit: string; readonly title: string | undefined },
  style: Style,
): string {
  if (title === undefined) return plain(unit);
  return `${plain(unit)} - ${clip(plain(title), titleLengthMax, style.symbols.more)}`;
}

function nextWords(next: NextAction, path: string, style: Style): string {
  switch (next.code) {
    case 'run-phases':
      return next.cells.length === 0 ? 'run what comes next' : `run ${stepsWords(next.cells)}`;
    case 'claim-task':
      return `claim ${taskName(next, style)}: ${nextHint(path)}`;
    case 'wait-for-claims':
      return `wait for ${list(next.claims.map(claimWords), claimsMax)}`;
    case 'decide':
      return `a person has to decide about ${stepsWords(next.cells)}; to see what is asked: ${hint('checkpoints', path)}`;
    case 'refused':
      return `nothing is run while ${list(next.guards.map(guardWords))}; to see the ways on: ${hint('plan', path)}`;
    case 'unblock':
      return `unblock ${list(next.units.map(plain))}; when the first is settled: ${unblockHint(next.units[0] ?? '', path)}`;
    case 'look-at-failure':
      return failureWords(next.cells, path);
    case 'wait-for-provider':
      return `wait: ${stepsWords(next.cells)} ${next.cells.length === 1 ? 'is' : 'are'} paused until ${time(next.until)} by ${pauseWords(next.pause)}; to wait and continue: ${waitHint(path)}`;
    case 'nothing':
      return 'nothing: everything is done';
    default:
      return unreachable(next);
  }
}

function failureWords(steps: readonly string[], path: string): string {
  const [first] = steps;
  if (first === undefined) return `look at what failed: ${hint('status', path)}`;
  return `look at what failed: ${stepsWords(steps)}; the log of the first: ${hint('logs', path, first)}`;
}

function stepsWords(names: readonly string[]): string {
  return stepList(names.flatMap((name) => parseStepName(name) ?? []));
}

function claimWords({ unit, phase, actor, until }: TaskClaim): string {
  return `${plain(actor)} at ${stepLabel(unit, phase)} until ${time(until)}`;
}

function guardWords(guard: string): string {
  return guardTitles.get(guard) ?? plain(guard);
}

/** As they follow `while`. */
const titles: Readonly<Record<GuardName, string>> = {
  'manifest-changed': 'the manifest changed',
  'prompt-changed': 'a prompt changed',
  'output-edited': 'an output has other bytes than recorded',
  'state-edited': 'the state has other bytes than recorded',
  'pre-state-differs': 'a start state changed',
  'file-changed': 'a declared file changed',
  'definition-changed': 'the definition of a phase changed',
  'unit-changed': 'the fields or the file of a unit changed',
  'code-changed': 'the code of a phase changed',
  'in-doubt': 'an attempt is in doubt',
};
const guardTitles: ReadonlyMap<string, string> = new Map(Object.entries(titles));

function staleLines(stale: StaleRun | undefined, style: Style): string[] {
  if (stale === undefined) return [];
  const changes = stale.changed.map((file) => `- ${plain(file.path)} ${changeWords(file)}`);
  return [
    `- nothing has happened for ${longTime(stale.idleMs)}; look at it before it goes on`,
    ...gitLines(stale, style),
    ...shortened(changes, 'change', style),
  ];
}

function decisionLines(decisions: ResumeAnswer['decisions']): string[] {
  return decisions.slice(-decisionsShown).map(({ id, decision, because, actor }) => {
    const why = because === undefined ? '' : `, because ${plain(because)}`;
    return `- ${plain(id)} ${plain(decision)}${why} (${plain(actor)})`;
  });
}

const decisionsShown = 10;

function gitLines({ gitHead }: StaleRun, style: Style): string[] {
  const [before, now] = [gitHead.before, gitHead.now].map((commit) => commit && plain(commit.slice(0, 12)));
  if (before === undefined && now === undefined) return [];
  if (before === now) return [`- git head ${now}, as it was`];
  return [`- git head ${before ?? 'not recorded'} ${style.symbols.becomes} ${now ?? 'none'}`];
}

function doubtLines(tasks: readonly DoubtfulTask[], path: string, style: Style): string[] {
  const lines = tasks.map(({ unit, phase, actor, attempt, until, left }) => {
    const lease = until === '' ? '' : ` (the lease ran out at ${time(until)})`;
    const name = stepLabel(unit, phase);
    const files = left.length === 0 ? 'no files' : list(left.map(plain), leftMax);
    return `- ${name}: ${plain(actor)} started attempt ${attempt} and never ended it${lease}; it left ${files}; to look at it: ${hint('logs', path, name)}`;
  });
  return shortened(lines, 'task', style);
}

/** Damage names its file and line. */
function warningLines({ findings, notices }: ResumeAnswer, style: Style): string[] {
  return [...findingLines(findings, style, linesMax), ...noticeLines(notices, style)];
}

function shortened(lines: readonly string[], noun: string, { symbols }: Style): string[] {
  if (lines.length <= linesMax) return [...lines];
  const rest = count(lines.length - linesMax, `more ${noun}`);
  return [...lines.slice(0, linesMax), `  ${symbols.more} and ${rest} (--json lists all)`];
}
