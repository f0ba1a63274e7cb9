import type { AgentTrouble } from '../../engine/agents/trouble.ts';
import type { Failure, LockOwner } from '../../model/failure.ts';
import type { ExistingFiles, MissingObject, RunChoice } from '../../model/failure-details.ts';
import { diskStep, diskWords } from '../phrases/disk.ts';
import { identityOf, ownerWords } from '../phrases/heading.ts';
import { hint, quoted, repairReason } from '../phrases/hints.ts';
import { plain, plainLines } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { changeWords, count, didYouMean, idleWords, short, time } from '../style/words.ts';
import { briefTroubleNext, briefTroubleTitle, isBriefTrouble } from './brief-failures.ts';
import { type CallProblem, callProblemNext, callProblemWords } from './call-problems.ts';
import { findingLines } from './findings.ts';
import { missingProvidersNext, missingProvidersTitle } from './model-failures.ts';
import { invalidNext, invalidTitle, problemLines } from './problems.ts';
import { questionTroubleNext, questionTroubleTitle } from './question-failures.ts';
import { optionLines, optionWords } from './refusal-options.ts';
import { allWaysOn, groupRefusals, refusalLines } from './refusals.ts';
import { rerunAboveLines, rerunAboveOptions, rerunAboveTitle } from './rerun-above.ts';
import {
  isRestoreTrouble,
  restoreTroubleNext,
  restoreTroubleTitle,
  toldTroubleNext,
  toldTroubleTitle,
} from './result-failures.ts';
import { agentTroubleNext, agentTroubleTitle, isAgentTrouble } from './settings-problems.ts';
import { incompleteLines, isTaskTrouble, taskTroubleNext, taskTroubleTitle } from './task-troubles.ts';
import { usageWords } from './usage-problems.ts';

/** Everything that a command may return instead of an answer. */
export type Trouble = Failure | CallProblem | AgentTrouble;

/** The whole message: the particulars, what happened in one line, and the safe ways on. */
export function troubleText(trouble: Trouble, style: Style): string {
  const { paint, symbols } = style;
  const mark = trouble.reason === 'declined' ? paint.yellow(symbols.warning) : paint.red(symbols.bad);
  // The options of a refusal stand with each guard already.
  const next =
    trouble.reason === 'refused' || trouble.reason === 'rerun-above' ? [] : nextSteps(trouble, style);
  return [
    ...particulars(trouble, style),
    `${mark} ${paint.bold(troubleTitle(trouble, style))}`,
    ...next.map((step) => `  ${paint.cyan(symbols.becomes)} ${step}`),
    ...(trouble.reason === 'rerun-above' ? optionLines(rerunAboveOptions(trouble, style), style) : []),
  ].join('\n');
}

/** What happened, in one line. */
export function troubleTitle(trouble: Trouble, style: Style): string {
  if (isAgentTrouble(trouble)) return agentTroubleTitle(trouble);
  if (isBriefTrouble(trouble)) return briefTroubleTitle(trouble);
  if (isTaskTrouble(trouble)) return taskTroubleTitle(trouble);
  if (trouble.reason === 'run-stale' || trouble.reason === 'rerun-above') return unsureTitle(trouble);
  if (isRestoreTrouble(trouble)) return restoreTroubleTitle(trouble);
  switch (trouble.reason) {
    case 'manifest-not-found':
      return `there is no manifest at ${plain(trouble.path)}${didYouMean(trouble.near)}`;
    case 'manifest-invalid':
      return invalidTitle(trouble);
    case 'usage':
      return usageWords(trouble.problem);
    case 'refused':
      return `refused for ${count(groupRefusals(trouble.refusals, style).length, 'reason')}; nothing was started and nothing was paid`;
    case 'which-run':
      return `${count(trouble.candidates.length, 'run')} match; which one?`;
    case 'which-workspace':
      return trouble.candidates.length === 1
        ? 'there is no manifest here, but one below in which nothing was run yet; is it meant?'
        : `${count(trouble.candidates.length, 'pipeline')} can be meant; which one?`;
    case 'outputs-exist':
      return existingTitle(trouble);
    case 'no-run':
      return `there is no run in ${plain(trouble.workspace === '' ? '.' : trouble.workspace)}`;
    case 'run-of-another':
      return `run ${plain(trouble.run)} is of another pipeline or identity: ${plain(trouble.pipeline)} ${identityOf(trouble)}`.trimEnd();
    case 'run-not-found':
      return unknownRunWords(trouble);
    case 'run-terminal':
      return terminalTitle(trouble);
    case 'told-only':
    case 'import-check-failed':
      return toldTroubleTitle(trouble);
    case 'run-held':
      return `run ${plain(trouble.run)} is held by ${holderWords(trouble.holder)}`;
    case 'fenced-out':
      return `run ${plain(trouble.run)} was taken over by ${trouble.holder === undefined ? 'another process' : holderWords(trouble.holder)}; this process has written nothing since`;
    case 'journal-damaged':
      return `the journal of run ${plain(trouble.run)} is damaged; nothing was started and nothing was changed`;
    case 'disk-failed':
      if ('gone' in trouble) return goneTitle(trouble.gone);
      return `the disk failed: ${diskWords(trouble.code)} (${plain(trouble.code)}, ${plain(trouble.operation)} ${plain(trouble.path)})`;
    case 'link-outside':
      return `${plain(trouble.path)} is a symbolic link that leads out of the workspace, to ${trouble.target === undefined ? 'where nothing is' : plain(trouble.target)}; nothing was started`;
    case 'archive-failed':
      return `${plain(trouble.path)} could not be archived, and was not removed: ${plain(trouble.detail)}`;
    case 'nothing-to-adopt':
      return `${plain(trouble.path)} is no edited output: there is nothing to adopt`;
    case 'nothing-to-repair':
      return `the journal of run ${plain(trouble.run)} is whole: there is nothing to repair`;
    case 'adopt-check-failed':
      return `${plain(trouble.path)} does not pass its check ${plain(trouble.check)}: ${plain(trouble.detail)}`;
    case 'object-missing':
      return `the recorded bytes of ${plain(trouble.path)} (${short(trouble.hash)}) are ${trouble.damaged ? 'damaged in' : 'not in'} the content store${trouble.restoring ? '; nothing was started' : ''}`;
    case 'module-failed':
      return `${plain(trouble.path)} could not be loaded: ${plain(plainLines(trouble.detail)[0] ?? '')}`;
    case 'provider-missing':
      return missingProvidersTitle(trouble);
    case 'status-unclear':
    case 'status-blocked':
    case 'no-such-question':
    case 'question-closed':
    case 'channel-closed':
    case 'inside-phase':
      return questionTroubleTitle(trouble);
    default:
      return callProblemWords(trouble);
  }
}

/** Safe ways on. None of them is a whole command that discards or overrides anything. */
export function nextSteps(trouble: Trouble, style: Style): string[] {
  if (isAgentTrouble(trouble)) return agentTroubleNext(trouble);
  const { path } = style;
  if (isBriefTrouble(trouble)) return briefTroubleNext(trouble, path);
  if (isTaskTrouble(trouble)) return taskTroubleNext(trouble, path);
  if (isRestoreTrouble(trouble)) return restoreTroubleNext(trouble, path);
  switch (trouble.reason) {
    case 'manifest-not-found':
      return ['give the folder of a pawl.yaml, or go there', 'to write a small one to start from: pawl init'];
    case 'manifest-invalid':
      return invalidNext(trouble, path);
    case 'refused':
      return allWaysOn(trouble.refusals, style);
    case 'which-run':
      return whichRunNext(trouble.candidates[0], path);
    case 'which-workspace':
      return whichWorkspaceNext(trouble.candidates[0]);
    case 'outputs-exist':
      return existingNext(trouble);
    case 'no-run':
      return trouble.adopting
        ? [`to start one that keeps existing files whose check passes: ${hint('run', path)} --adopt-existing`]
        : [`to start one: ${hint('run', path)}`];
    case 'run-of-another':
      return ['name its own manifest'];
    case 'run-not-found':
      return [`to see all runs: ${hint('runs', path)}`];
    case 'run-terminal':
      return terminalNext(trouble, path);
    case 'run-stale':
      return staleNext(trouble.run, path);
    case 'rerun-above':
      return rerunAboveOptions(trouble, style).map(optionWords);
    case 'told-only':
    case 'import-check-failed':
      return toldTroubleNext(trouble, path);
    case 'run-held':
      return heldSteps(trouble.holder, path);
    case 'journal-damaged':
      return damageNext(path);
    case 'disk-failed':
      if ('gone' in trouble) return goneNext(path);
      return [diskStep(trouble.code), 'then try again: nothing that was acknowledged is lost'];
    case 'link-outside':
      return ['remove the link, or put a folder in its place, and try again'];
    case 'nothing-to-adopt':
      return [`to see what changed: ${hint('diff', path)}`];
    case 'fenced-out':
    case 'nothing-to-repair':
      return [`to see where it stands: ${hint('status', path)}`];
    case 'object-missing':
      return missingObjectNext(trouble, path);
    case 'archive-failed':
    case 'adopt-check-failed':
    case 'module-failed':
      return ['fix the cause and try again'];
    case 'provider-missing':
      return missingProvidersNext(trouble);
    case 'status-unclear':
    case 'status-blocked':
    case 'no-such-question':
    case 'question-closed':
    case 'channel-closed':
    case 'inside-phase':
      return questionTroubleNext(trouble, path);
    default:
      return trouble.reason === 'usage' ? [] : callProblemNext(trouble);
  }
}

/** What a person has to confirm first. */
function unsureTitle(trouble: Extract<Failure, { readonly reason: 'run-stale' | 'rerun-above' }>): string {
  if (trouble.reason === 'rerun-above') return rerunAboveTitle(trouble);
  return `run ${plain(trouble.run)} is stale: ${idleWords(trouble)}; nothing was started`;
}

function unknownRunWords({ id, near }: { readonly id: string; readonly near: readonly string[] }): string {
  return near.length > 1 && near.every((one) => one.startsWith(id))
    ? `${near.length} runs begin with ${plain(id)}; type more of the id`
    : `there is no run ${plain(id)}${didYouMean(near)}`;
}

/** Id, state, progress and the time of its last event. */
function choiceLine(run: RunChoice): string {
  const steps = run.steps === undefined ? '' : `, ${count(run.steps, 'step')} done`;
  const updated = run.updated === '' ? '' : `, ${time(run.updated)}`;
  return `  ${plain(run.id)}  ${plain(run.pipeline)} ${identityOf(run)}  ${plain(run.status)}${steps}${updated}`;
}

/** Opens no guard and discards only what it names: safe to be written out whole. */
function rerunWords({ run, from }: { run: string; from?: string }, path: string | undefined): string[] {
  if (from === undefined) return [];
  return [
    `to run it again from a phase on: ${hint('run', path)} --resume ${plain(run)} --rerun-from ${quoted(from)}`,
  ];
}

function particulars(trouble: Trouble, style: Style): string[] {
  switch (trouble.reason) {
    case 'manifest-invalid':
      return problemLines(trouble.file, trouble.problems, style);
    case 'refused':
      return refusalLines(trouble.refusals, style);
    case 'rerun-above':
      return rerunAboveLines(trouble, style);
    case 'which-run':
    case 'run-not-found':
      return fewOf((trouble.candidates ?? []).map(choiceLine), style);
    case 'outputs-exist':
      return fewOf(
        trouble.paths.map((path) => `  ${plain(path)}`),
        style,
      );
    case 'which-workspace':
      return fewOf(
        trouble.candidates.map((path) => `  ${plain(path)}`),
        style,
      );
    case 'journal-damaged':
      return findingLines(trouble.findings, style);
    case 'completion-incomplete':
      return incompleteLines(trouble);
    case 'run-stale':
      return fewOf(
        trouble.changed.map((file) => `  ${plain(file.path)} ${changeWords(file)}`),
        style,
      );
    case 'module-failed':
      return plainLines(trouble.detail)
        .slice(1, 12)
        .map((line) => `  ${line}`);
    default:
      return [];
  }
}

function terminalTitle({ run, status }: { readonly run: string; readonly status: string }): string {
  return status === 'completed'
    ? `run ${plain(run)} is completed; there is nothing to resume`
    : `run ${plain(run)} is ${plain(status)} for good and is never taken up again`;
}

function existingTitle({ paths }: ExistingFiles): string {
  const [are, them] = paths.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  return `${count(paths.length, 'file')} ${are} at output paths of this new run, and no run of this workspace recorded ${them}; nothing was started`;
}

/** Complete commands: neither deletes anything. */
function existingNext({ workspace, paths, checked, fresh }: ExistingFiles): string[] {
  const start = `${hint('run', workspace)}${fresh ? ' --fresh' : ''}`;
  const some = `${checked} of ${paths.length}`;
  return [
    `to keep those whose check passes (${some} have a check), at no cost: ${start} --adopt-existing`,
    `to run every step, and move the files to aside/: ${start} --replace-existing`,
  ];
}

/** A screen of them is enough to choose from; `--json` has all. */
function fewOf(lines: readonly string[], { symbols }: Style): string[] {
  if (lines.length <= choicesMax) return [...lines];
  return [...lines.slice(0, choicesMax), `  ${symbols.more} and ${lines.length - choicesMax} more`];
}

const choicesMax = 20;

function goneTitle(journal: string): string {
  return `the journal of the run was removed while the run was at work: ${plain(journal)} is gone, and with it the proof of what was done`;
}

function goneNext(path: string | undefined): string[] {
  return [
    'keep phases from removing .pawl; outputs that were made are still at their paths',
    'put back a copy of .pawl, if there is one',
    `to see what would run without it: ${hint('plan', path)}`,
  ];
}

function staleNext(run: string, path: string | undefined): string[] {
  return [
    `to see what it would do: ${hint('plan', path)}`,
    `to resume it all the same: ${hint('resume', path, undefined, '--run', run, '--yes')}`,
    'with other options: add --yes to the same command',
  ];
}

function whichRunNext(newest: RunChoice | undefined, path: string | undefined): string[] {
  if (newest === undefined) return [`to see all runs: ${hint('runs', path)}`];
  return [
    `to look at the first: ${hint('status', path, undefined, '--run', newest.id)}`,
    `to resume the first: ${hint('run', path, undefined, '--run', newest.id)}`,
  ];
}

function whichWorkspaceNext(first: string | undefined): string[] {
  const look = `to see what it would do: ${hint('plan', first)}`;
  return ['give its path', look];
}

function damageNext(path: string | undefined): string[] {
  return [
    `to see everything that is wrong: ${hint('verify', path)}`,
    'to put back a copy of the journal, do it now, before anything else is written',
    `to continue with what is readable: ${hint('repair', path, undefined, '--reason', repairReason)}`,
  ];
}

function missingObjectNext({ restoring }: MissingObject, path: string | undefined): string[] {
  const look = `to see what else is missing: ${hint('verify', path)}`;
  return restoring ? [look, `to run its step again, without --restore: ${hint('run', path)}`] : [look];
}

function holderWords(holder: LockOwner): string {
  const alive =
    holder.alive === 'alive' ? '' : ', of which it cannot be told from here whether it still lives';
  return `${ownerWords(holder)}${alive}`;
}

function heldSteps(holder: LockOwner, path: string | undefined): string[] {
  const look = `to see where it stands: ${hint('status', path)}`;
  const takeOver = (command: 'run' | 'repair', ...options: string[]) =>
    hint(command, path, undefined, '--takeover', ...options);
  return holder.alive === 'alive'
    ? [look, 'wait for it, or end it there']
    : holder.pid === 0
      ? [look, `if you know that it is gone: ${takeOver('repair', '--reason', repairReason)}`]
      : [look, `if you know that it is gone: ${takeOver('run')}`];
}

function terminalNext(trouble: Extract<Trouble, { reason: 'run-terminal' }>, path: string | undefined) {
  if (trouble.status !== 'completed')
    return ['its files and logs stay as they are; without an id a new run starts'];
  return [
    `to prove it again: ${hint('run', path, undefined, '--run', trouble.run)}`,
    ...rerunWords(trouble, path),
    `to start over beside it: ${hint('run', path, undefined, '--fresh')}`,
  ];
}
