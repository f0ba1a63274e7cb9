import type { JsonObject } from '../base/json.ts';
import { unreachable } from '../base/result.ts';
import type { AgentsAnswer } from '../engine/agents/answers.ts';
import type { BriefAnswer, DecisionAnswer, MigrateAnswer, SummaryAnswer } from '../engine/brief/answers.ts';
import type { InitAnswer } from '../engine/examples/init.ts';
import type { DoctorAnswer } from '../engine/maintain/doctor/finding.ts';
import type { GcAnswer } from '../engine/maintain/gc/gc-answer.ts';
import type { RepairAnswer } from '../engine/maintain/repair-answer.ts';
import type { ResetAnswer } from '../engine/maintain/reset-answer.ts';
import type { FollowedLogs, LogsAnswer } from '../engine/observe/logs-answer.ts';
import type { NextAnswer, TaskAnswer } from '../engine/observe/task-answers.ts';
import type { AdoptAnswer } from '../engine/people/adopt.ts';
import type { CancelAnswer } from '../engine/people/cancel.ts';
import type { CheckpointsAnswer, DecideAnswer, ShowAnswer } from '../engine/people/checkpoints/answers.ts';
import type { BroughtBackAnswer } from '../engine/people/undo/answers.ts';
import type { RunAnswer } from '../engine/run/run-request.ts';
import type { AloneAnswer } from '../engine/show/alone.ts';
import type { CostAnswer, PromptAnswer } from '../engine/show/call-answers.ts';
import type { DiffAnswer } from '../engine/show/diff.ts';
import type { DiffAttemptsAnswer } from '../engine/show/diff-attempts.ts';
import type { DiffRunsAnswer } from '../engine/show/diff-runs.ts';
import type { HistoryAnswer } from '../engine/show/history.ts';
import type { InspectAnswer } from '../engine/show/inspect.ts';
import type { ManyLogsAnswer } from '../engine/show/logs.ts';
import type { ReportAnswer } from '../engine/show/page/page-file.ts';
import type { PlanAnswer } from '../engine/show/plan.ts';
import type { ResumeReport } from '../engine/show/resume.ts';
import type { RunsAnswer } from '../engine/show/runs.ts';
import type { StatusAnswer } from '../engine/show/status.ts';
import type { VerifyAnswer } from '../engine/show/verify.ts';
import type { WhyAnswer, WhyManyAnswer } from '../engine/show/why.ts';
import { adoptText, repairText, resetText, verifyText } from './acts.ts';
import { agentsText } from './agents.ts';
import { aloneText } from './alone.ts';
import { briefText, decisionText, migrateText, summaryText } from './brief.ts';
import { cancelText, checkpointsText, decideText, showText } from './checkpoints.ts';
import { costText } from './cost.ts';
import { diffText } from './diff.ts';
import { doctorText } from './doctor.ts';
import type { ExplainAnswer } from './explain/kinds.ts';
import { explainText } from './explain.ts';
import { followedText } from './followed-logs.ts';
import { gcText } from './gc.ts';
import { type GraphAnswered, graphOutput } from './graph/answer.ts';
import { historyText } from './history.ts';
import { inspectText } from './inspect.ts';
import { inspectCsv } from './inspect-csv.ts';
import { logsText, manyLogsText } from './logs.ts';
import { hint } from './phrases/hints.ts';
import { planText } from './plan.ts';
import { promptText } from './prompt.ts';
import { reportText } from './report.ts';
import { runText } from './run.ts';
import { runsText } from './runs.ts';
import { statusText } from './status.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { count, list } from './style/words.ts';
import { nextText, taskText } from './tasks.ts';
import { broughtBackText } from './undo.ts';
import { watchedText } from './watched.ts';
import { whyText } from './why.ts';

/** An answer with the command that asked for it. */
export type Answered =
  | { readonly command: 'run'; readonly answer: RunAnswer }
  | {
      readonly command: 'resume';
      /** How the run stood before it was gone on with. */
      readonly answer: RunAnswer & { readonly resumed?: ResumeReport | undefined };
    }
  /** `run --watch`, when it ended. */
  | { readonly command: 'watch'; readonly answer: { readonly runs: number } }
  | {
      readonly command: 'plan';
      readonly answer: PlanAnswer;
      /** What `run` has to be given to do what the plan shows. */
      readonly options?: readonly string[];
    }
  | { readonly command: 'why'; readonly answer: WhyAnswer | WhyManyAnswer }
  | { readonly command: 'status'; readonly answer: StatusAnswer }
  | { readonly command: 'runs'; readonly answer: RunsAnswer }
  | { readonly command: 'logs'; readonly answer: LogsAnswer | ManyLogsAnswer | FollowedLogs }
  | { readonly command: 'history'; readonly answer: HistoryAnswer }
  | { readonly command: 'cost'; readonly answer: CostAnswer }
  | { readonly command: 'doctor'; readonly answer: DoctorAnswer }
  | { readonly command: 'prompt'; readonly answer: PromptAnswer }
  | { readonly command: 'inspect'; readonly answer: InspectAnswer; readonly as: 'text' | 'csv' }
  | { readonly command: 'report'; readonly answer: ReportAnswer }
  | { readonly command: 'diff'; readonly answer: DiffAnswer | DiffAttemptsAnswer | DiffRunsAnswer }
  | { readonly command: 'verify'; readonly answer: VerifyAnswer }
  | { readonly command: 'adopt'; readonly answer: AdoptAnswer }
  | { readonly command: 'undo' | 'restore'; readonly answer: BroughtBackAnswer }
  | { readonly command: 'reset'; readonly answer: ResetAnswer }
  | { readonly command: 'repair'; readonly answer: RepairAnswer }
  | { readonly command: 'gc'; readonly answer: GcAnswer }
  | { readonly command: 'checkpoints'; readonly answer: CheckpointsAnswer }
  | { readonly command: 'show'; readonly answer: ShowAnswer }
  | { readonly command: 'approve' | 'reject'; readonly answer: DecideAnswer }
  | { readonly command: 'cancel'; readonly answer: CancelAnswer }
  | { readonly command: 'next'; readonly answer: NextAnswer }
  | {
      readonly command: 'complete' | 'fail' | 'block' | 'unblock' | 'heartbeat' | 'release';
      readonly answer: TaskAnswer;
    }
  | { readonly command: 'brief'; readonly answer: BriefAnswer; readonly as: 'document' | 'digest' }
  | { readonly command: 'brief migrate'; readonly answer: MigrateAnswer }
  | { readonly command: 'decide'; readonly answer: DecisionAnswer }
  | { readonly command: 'summary'; readonly answer: SummaryAnswer }
  | { readonly command: 'agents'; readonly answer: AgentsAnswer }
  | GraphAnswered
  | { readonly command: 'schema'; readonly answer: JsonObject }
  | { readonly command: 'explain'; readonly answer: ExplainAnswer }
  | { readonly command: 'init'; readonly answer: InitAnswer }
  | { readonly command: 'completion'; readonly answer: { readonly shell: string; readonly script: string } }
  | { readonly command: 'alone'; readonly answer: AloneAnswer };

/** The answer for a person. */
export function answerText(answered: Answered, style: Style): string {
  switch (answered.command) {
    case 'run':
    case 'resume':
      return runText(answered.answer, style);
    case 'plan':
      return planText(answered.answer, style, answered.options);
    case 'why':
      return whyText(answered.answer, style);
    case 'status':
      return statusText(answered.answer, style);
    case 'runs':
      return runsText(answered.answer, style);
    case 'logs':
    case 'cost':
    case 'prompt':
      return callText(answered, style);
    case 'inspect':
      return answered.as === 'csv' ? inspectCsv(answered.answer) : inspectText(answered.answer, style);
    case 'report':
      return reportText(answered.answer, style);
    case 'diff':
      return diffText(answered.answer, style);
    case 'verify':
    case 'history':
    case 'adopt':
    case 'undo':
    case 'restore':
    case 'reset':
    case 'repair':
      return careText(answered, style);
    case 'gc':
      return gcText(answered.answer, style);
    case 'approve':
    case 'reject':
    case 'checkpoints':
    case 'show':
    case 'cancel':
      return questionText(answered, style);
    case 'graph':
      return graphOutput(answered, style);
    case 'next':
      return nextText(answered.answer, style);
    case 'complete':
    case 'fail':
    case 'block':
    case 'unblock':
    case 'heartbeat':
    case 'release':
      return taskText(answered.answer, style);
    case 'brief':
    case 'brief migrate':
    case 'decide':
    case 'summary':
      return noteText(answered, style);
    case 'watch':
    case 'agents':
    case 'doctor':
    case 'schema':
    case 'explain':
    case 'init':
    case 'completion':
    case 'alone':
      return welcomeText(answered, style);
    default:
      return unreachable(answered);
  }
}

type Asked = Extract<Answered, { command: 'approve' | 'reject' | 'checkpoints' | 'show' | 'cancel' }>;

/** What people are asked, and what they decided. */
function questionText(answered: Asked, style: Style): string {
  switch (answered.command) {
    case 'approve':
    case 'reject':
      return decideText(answered.answer, style);
    case 'checkpoints':
      return checkpointsText(answered.answer, style);
    case 'show':
      return showText(answered.answer, style);
    case 'cancel':
      return cancelText(answered.answer, style);
    default:
      return unreachable(answered);
  }
}

type CaredFor = Extract<
  Answered,
  { command: 'verify' | 'history' | 'adopt' | 'undo' | 'restore' | 'reset' | 'repair' }
>;

/** What people decided about results, and what became of it. */
function careText(answered: CaredFor, style: Style): string {
  switch (answered.command) {
    case 'verify':
      return verifyText(answered.answer, style);
    case 'history':
      return historyText(answered.answer, style);
    case 'adopt':
      return adoptText(answered.answer, style);
    case 'undo':
    case 'restore':
      return broughtBackText(answered.answer, style);
    case 'reset':
      return resetText(answered.answer, style);
    case 'repair':
      return repairText(answered.answer, style);
    default:
      return unreachable(answered);
  }
}

type Called = Extract<Answered, { command: 'logs' | 'cost' | 'prompt' }>;

/** What is sent, what came back, and what that costs. */
function callText(answered: Called, style: Style): string {
  switch (answered.command) {
    case 'logs':
      if ('steps' in answered.answer) return manyLogsText(answered.answer, style);
      if ('followed' in answered.answer) return followedText(answered.answer, style);
      return logsText(answered.answer, style);
    case 'cost':
      return costText(answered.answer, style);
    case 'prompt':
      return promptText(answered.answer, style);
    default:
      return unreachable(answered);
  }
}

type Welcomed = Extract<
  Answered,
  { command: 'watch' | 'agents' | 'doctor' | 'schema' | 'explain' | 'init' | 'completion' | 'alone' }
>;

/** What is about Pawl itself and those who come to it, and about no run. */
function welcomeText(answered: Welcomed, style: Style): string {
  switch (answered.command) {
    case 'watch':
      return watchedText(answered.answer);
    case 'agents':
      return agentsText(answered.answer, style);
    case 'doctor':
      return doctorText(answered.answer, style);
    case 'schema':
      return JSON.stringify(answered.answer, undefined, 2);
    case 'explain':
      return explainText(answered.answer, style);
    case 'init':
      return initText(answered.answer, style);
    case 'completion':
      return answered.answer.script;
    case 'alone':
      return aloneText(answered.answer, style);
    default:
      return unreachable(answered);
  }
}

type Noted = Extract<Answered, { command: 'brief' | 'brief migrate' | 'decide' | 'summary' }>;

/** What is kept for whoever comes later. */
function noteText(answered: Noted, style: Style): string {
  switch (answered.command) {
    case 'brief':
      return briefText(answered.answer, answered.as, style);
    case 'brief migrate':
      return migrateText(answered.answer, style);
    case 'decide':
      return decisionText(answered.answer, style);
    case 'summary':
      return summaryText(answered.answer, style);
    default:
      return unreachable(answered);
  }
}

function initText({ example, folder, manifest, files, first }: InitAnswer, style: Style): string {
  const { paint, symbols } = style;
  // A folder stands for its pawl.yaml; any other manifest is named.
  const path = [...(folder === '.' ? [] : [folder]), ...(manifest === 'pawl.yaml' ? [] : [manifest])].join(
    '/',
  );
  const place = folder === '.' ? 'this folder' : plain(folder);
  return [
    `${paint.green(symbols.good)} the example ${plain(example)} is in ${place}: ${count(files.length, 'file')}; to read first: ${list(first.map(plain))}`,
    `  ${paint.cyan(symbols.becomes)} to see what it would do: ${hint('plan', path)}`,
    `  ${paint.cyan(symbols.becomes)} to do it: ${hint('run', path)}`,
  ].join('\n');
}
