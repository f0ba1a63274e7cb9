import { ok, type Result } from './base/result.ts';
import type { AgentRequest, AgentsRequest } from './engine/agents/install.ts';
import type { InstallPlan } from './engine/agents/plan.ts';
import type { AgentTrouble } from './engine/agents/trouble.ts';
import type { DecisionRequest } from './engine/brief/decide.ts';
import type { MigrateRequest } from './engine/brief/migrate.ts';
import type { InitRequest, InitTrouble } from './engine/examples/init.ts';
import * as engine from './engine/index.ts';
import type * as types from './engine/library-types.ts';
import type { DoctorRequest } from './engine/maintain/doctor/doctor.ts';
import type { GcRequest } from './engine/maintain/gc/collect.ts';
import type { GraphAnswer } from './engine/observe/task-answers.ts';
import type { Environment } from './engine/open/environment.ts';
import type { PlanRequest, SelectionRequest, Target } from './engine/open/requests.ts';
import type { CancelRequest } from './engine/people/cancel.ts';
import type { CheckpointAnswerRequest } from './engine/people/checkpoints/answer.ts';
import type { Notifying, RunAnswer, RunRequest } from './engine/run/run-request.ts';
import type { AnswerEffectsRequest } from './engine/show/answer-effects.ts';
import type { ArtifactRequest } from './engine/show/artifact.ts';
import type { CandidateRequest } from './engine/show/candidates.ts';
import type { CostRequest } from './engine/show/cost.ts';
import type { FollowLogsRequest } from './engine/show/follow-logs.ts';
import type { InspectRequest } from './engine/show/inspect.ts';
import type { LogsRequest, ManyLogsRequest } from './engine/show/logs.ts';
import type { PromptRequest } from './engine/show/prompt.ts';
import type { WatchStatusRequest } from './engine/show/watch-status.ts';
import type { CompleteRequest } from './engine/tasks/complete.ts';
import type { TaskRequest } from './engine/tasks/end.ts';
import type { NextRequest } from './engine/tasks/next.ts';
import type { Failure } from './model/failure.ts';
import {
  type DefinedPipeline,
  definePipeline as define,
  type PipelineDefinition,
} from './pipeline/define.ts';
import type { PhaseFunction } from './runner/executors/task.ts';
import { exitCodeOfTrouble } from './text/catalogue/exit-codes-of-troubles.ts';
import { nextSteps, troubleTitle } from './text/catalogue/failures.ts';
import type { KindOfReasons, Meaning } from './text/catalogue/kinds.ts';
import { type GraphFileFormat, graphDocument } from './text/graph/answer.ts';
import { pageMark, reportHtml } from './text/html/page.ts';
import { notificationWords } from './text/notify.ts';
import { endOf as end, type RunEnd } from './text/phrases/outcome.ts';
import { plainStyle } from './text/style/style.ts';

/*
 * The library. Every function takes what the command takes and gives back a value: `{ ok: true, value }`, or
 * `{ ok: false, failure }` with a stable reason and the facts. Only bugs throw.
 */

export type { JsonObject, JsonValue } from './base/json.ts';
export type { Result } from './base/result.ts';
export type { AgentRequest, AgentsRequest } from './engine/agents/install.ts';
export type { FileChange, InstallPlan } from './engine/agents/plan.ts';
export type { AgentState } from './engine/agents/states.ts';
export type { AgentName } from './engine/agents/supports.ts';
export type { AgentTrouble, InstallNote } from './engine/agents/trouble.ts';
export type { BriefAnswer, DecisionAnswer, MigrateAnswer, SummaryAnswer } from './engine/brief/answers.ts';
export type { DecisionRequest } from './engine/brief/decide.ts';
export type { MigrateRequest } from './engine/brief/migrate.ts';
export type { InitAnswer, InitRequest, InitTrouble } from './engine/examples/init.ts';
export { briefJsonSchema, manifestJsonSchema, systemEnvironment } from './engine/index.ts';
export type * from './engine/library-types.ts';
export type { DoctorRequest } from './engine/maintain/doctor/doctor.ts';
export type { DoctorAnswer, DoctorFinding } from './engine/maintain/doctor/finding.ts';
export type { GcRequest } from './engine/maintain/gc/collect.ts';
export type {
  CollectedRun,
  GcAnswer,
  KeptRun,
  LeftFile,
  ObjectDoubt,
} from './engine/maintain/gc/gc-answer.ts';
export type { LostFact, RepairAnswer, RestoredResult } from './engine/maintain/repair-answer.ts';
export type { ResetAnswer } from './engine/maintain/reset-answer.ts';
export type { Board, StepCounts } from './engine/observe/board.ts';
export type {
  AttemptTotals,
  InspectedAttempt,
  InspectedGate,
  InspectedOutput,
  InspectedRound,
  InspectedUnit,
} from './engine/observe/inspected.ts';
export type { LogsAnswer } from './engine/observe/logs-answer.ts';
export type { PlannedCalls, PlannedModel } from './engine/observe/planned-answer.ts';
export type { TextDiff } from './engine/observe/text-diff.ts';
export type { Environment } from './engine/open/environment.ts';
export type { RunHeading } from './engine/open/find-run.ts';
export type { OverrideRequest, PlanRequest, SelectionRequest, Target } from './engine/open/requests.ts';
export type { AdoptAnswer } from './engine/people/adopt.ts';
export type { CancelAnswer, CancelRequest } from './engine/people/cancel.ts';
export type { CheckpointAnswerRequest } from './engine/people/checkpoints/answer.ts';
export type {
  InvocationEnd,
  NotificationWords,
  Notifying,
  RunAnswer,
  RunObserver,
  RunRequest,
} from './engine/run/run-request.ts';
export type { AnswerEffects, AnswerEffectsRequest } from './engine/show/answer-effects.ts';
export type { Artifact, ArtifactAnswer, ArtifactRequest, ArtifactTrouble } from './engine/show/artifact.ts';
export type { Candidate, CandidateKind, CandidateRequest } from './engine/show/candidates.ts';
export type { CostRequest } from './engine/show/cost.ts';
export type { AloneAnswer, StandingRun } from './engine/show/describe-folder.ts';
export type { DiffAnswer } from './engine/show/diff.ts';
export type { InspectAnswer, InspectRequest } from './engine/show/inspect.ts';
export type { LogsRequest, ManyLogsAnswer, ManyLogsRequest } from './engine/show/logs.ts';
export type { PlanAnswer } from './engine/show/plan.ts';
export type { PromptRequest } from './engine/show/prompt.ts';
export type { DamagedRun, RunsAnswer } from './engine/show/runs.ts';
export type { StatusAnswer } from './engine/show/status.ts';
export type { VerifyAnswer } from './engine/show/verify.ts';
export type { Part, WhyAnswer, WhyManyAnswer } from './engine/show/why.ts';
export type { CompleteRequest } from './engine/tasks/complete.ts';
export type { TaskRequest } from './engine/tasks/end.ts';
export type { NextRequest } from './engine/tasks/next.ts';
export type { Cost } from './model/event.ts';
export type { Failure, Finding, Problem } from './model/failure.ts';
export type { Notice, Refusal, RunReason, SkipReason, StopReason } from './model/reason.ts';
export type { RunStatus, StepStatus } from './model/status.ts';
export type { DefinedPipeline, PipelineDefinition } from './pipeline/define.ts';
export type { Manifest, ManifestPhase, ManifestStage, ManifestUnits } from './pipeline/schema/manifest.ts';
export type { Decision, Plan, StepPlan, UnitPlan } from './planner/plan.ts';
export type {
  CheckedFile,
  CheckFunction,
  PhaseFunction,
  PhaseOutputs,
  PhaseTask,
  TaskFile,
  UnitFile,
} from './runner/executors/task.ts';
export type {
  ModelFunction,
  ModelFunctionAnswer,
  ModelFunctionRequest,
} from './runner/models/function-client.ts';
export type { Notification, WaitingFor } from './runner/notify/notification.ts';
export type { Stop } from './runner/outcome.ts';
export type { Progress } from './runner/progress.ts';
export type { KindOfReasons, Meaning, ReasonKind } from './text/catalogue/kinds.ts';
export type { GraphFileFormat } from './text/graph/answer.ts';
export type { RunEnd } from './text/phrases/outcome.ts';

/** A pipeline written in code: the same as a manifest, and a phase may run a function that is given on the spot. */
export const definePipeline = (
  definition: PipelineDefinition<PhaseFunction>,
): DefinedPipeline<PhaseFunction> => define(definition);

/** Writes an example to start from. Nothing is ever overwritten. */
export const init = (request: InitRequest = {}, env?: Environment) =>
  engine.initWorkspace(here(env), request);

/** Starts a run, goes on with one, or proves that there is nothing to do. */
export const run = (request: RunRequest = {}, env?: Environment) =>
  engine.runPipeline(here(env), { ...request, notifying: request.notifying ?? usualNotifying });

/** How a call of `run` ended, in one word: `done`, or what keeps it from being done. */
export const endOf = (answer: RunAnswer): RunEnd => end(answer);

/** What `run` would do, and why. Changes nothing. */
export const plan = (request: PlanRequest = {}, env?: Environment) => engine.planPipeline(here(env), request);

/** What `run` would do if changes that it refuses were answered with re-run, and with keep. Changes nothing. */
export const effects = (request: AnswerEffectsRequest, env?: Environment) =>
  engine.answerEffects(here(env), request);

/** Why one cell (`unit/phase`) would run, or need not. */
export const why = (request: Target & { cell: string }, env?: Environment) =>
  engine.whyStep(here(env), request);

/** The same of every selected step. */
export const whySteps = (request: Target & SelectionRequest = {}, env?: Environment) =>
  engine.whySteps(here(env), request);

/** Which pipeline is in a folder, how far its run is, and what comes next; also where there is no run yet. */
export const standing = (request: Target = {}, env?: Environment) =>
  engine.describeFolder(here(env), request);

/** Where a run stands. */
export const status = (request: Target & SelectionRequest = {}, env?: Environment) =>
  engine.showStatus(here(env), request);

/** Every run of a workspace. */
export const runs = (request: Target = {}, env?: Environment) => engine.listRuns(here(env), request);

/** What the newest attempt at a step left behind, or the attempts that are asked for. */
export const logs = (request: LogsRequest, env?: Environment) => engine.showLogs(here(env), request);

/** What the newest attempts at the selected steps left behind. */
export const logsOf = (request: ManyLogsRequest = {}, env?: Environment) =>
  engine.showManyLogs(here(env), request);
/** What was decided about a run or a unit: by whom, when, why, and what it affected; the newest last. */
export const history = (request: types.HistoryRequest = {}, env?: Environment) =>
  engine.showHistory(here(env), request);

/** What the attempt that runs writes, as it writes it, then that of the next one, until the step is finished. */
export const followLogs = (request: FollowLogsRequest, env?: Environment) =>
  engine.followLogs(here(env), request);

/** Looks on while another process works on a run; answers with the status when none does any more. */
export const watchStatus = (request: WatchStatusRequest, env?: Environment) =>
  engine.watchStatus(here(env), request);

/** The prompt of a cell as it would be sent now. Changes nothing. */
export const prompt = (request: PromptRequest, env?: Environment) => engine.showPrompt(here(env), request);

/** What was spent on models, saved by reuse and wasted by retries. */
export const cost = (request: CostRequest = {}, env?: Environment) => engine.showCost(here(env), request);

/** Every attempt ever made, by unit, with scores and reasons. */
export const inspect = (request: InspectRequest = {}, env?: Environment) =>
  engine.inspectRun(here(env), request);

/** The recorded bytes of one output, also of an attempt that was superseded. */
export const artifact = (request: ArtifactRequest, env?: Environment) =>
  engine.readArtifact(here(env), request);

/** A page about a run: one HTML document that needs no network. */
export async function report(
  request: Target & SelectionRequest = {},
  env?: Environment,
): Promise<Result<string, Failure>> {
  const page = await engine.gatherPage(here(env), request);
  return page.ok ? ok(reportHtml(page.value)) : page;
}

/** How the workspace and the machine that it is on are. Changes nothing. */
export const doctor = (request: DoctorRequest = {}, env?: Environment) =>
  engine.examineWorkspace(here(env), request);

/** What changed since results were made. */
export const diff = (request: Target & { cell?: string } = {}, env?: Environment) =>
  engine.showDiff(here(env), request);

/** What two attempts at a step were made from and made. */
export const diffAttempts = (request: types.DiffAttemptsRequest, env?: Environment) =>
  engine.diffAttempts(here(env), request);

/** Which steps of two runs differ. */
export const diffRuns = (request: types.DiffRunsRequest, env?: Environment) =>
  engine.diffRuns(here(env), request);

/** Proves the journal, the outputs and the content store. */
export const verify = (request: Target & { deep?: boolean } = {}, env?: Environment) =>
  engine.verifyRun(here(env), request);

/** Takes files that were edited by hand as results. */
export const adopt = (request: Target & { targets: readonly string[]; reason: string }, env?: Environment) =>
  engine.adoptFiles(here(env), request);

/** Takes back the last decision about results, with every step that ran because of it. Nothing is deleted. */
export const undo = (request: types.UndoRequest = {}, env?: Environment) =>
  engine.undoDecision(here(env), request);

/** Makes an earlier attempt the result of its step. */
export const restore = (request: types.RestoreRequest, env?: Environment) =>
  engine.restoreAttempt(here(env), request);

/** Archives a run, so that the next one starts fresh. */
export const reset = (request: Target = {}, env?: Environment) => engine.resetRuns(here(env), request);

/** Says what old runs and unused content take up; deletes it when told to. */
export const gc = (request: GcRequest, env?: Environment) =>
  engine.collectGarbage(here(env), { pageMark, ...request });

/** Goes on with what is readable of a damaged journal. */
export const repair = (request: Target & { reason: string }, env?: Environment) =>
  engine.repairRun(here(env), request);

/** What waits for a person; with `history` also what was ever decided. */
export const checkpoints = (request: Target & { history?: boolean } = {}, env?: Environment) =>
  engine.listCheckpoints(here(env), request);

/** One question, with the files that it is about. */
export const checkpoint = (request: Target & { id: string }, env?: Environment) =>
  engine.showCheckpoint(here(env), request);

/** Answers a checkpoint for a person: the caller knows who it is, and by which channel the answer came. */
export const answerCheckpoint = (request: CheckpointAnswerRequest, env?: Environment) =>
  engine.answerCheckpoint(here(env), request);

/** Ends a run for good. */
export const cancel = (request: CancelRequest, env?: Environment) => engine.cancelRun(here(env), request);

/** Claims the next task, or the one that is named, with all that is needed to do it. */
export const next = (request: NextRequest, env?: Environment) => engine.nextTask(here(env), request);

/** Says that a claimed task is done: it is checked, and recorded. */
export const complete = (request: CompleteRequest, env?: Environment) =>
  engine.completeTask(here(env), request);

/** Says that a claimed task failed. */
export const failTask = (request: TaskRequest & { reason: string; revise?: string }, env?: Environment) =>
  engine.failTask(here(env), request);

/** Says that a task cannot go on before something is done about it. */
export const block = (request: TaskRequest & { reason: string }, env?: Environment) =>
  engine.blockTask(here(env), request);

/** Says that what blocked a task is settled. */
export const unblock = (request: TaskRequest & { note?: string }, env?: Environment) =>
  engine.unblockTask(here(env), request);

/** Keeps a claim: its lease starts anew. */
export const heartbeat = (request: TaskRequest, env?: Environment) => engine.heartbeat(here(env), request);

/** Gives a claim back. */
export const release = (request: TaskRequest, env?: Environment) => engine.releaseTask(here(env), request);

/** The units with what they need and where they stand. */
export const graph = (request: Target = {}, env?: Environment) => engine.showGraph(here(env), request);

/** A graph as a document: Mermaid, SVG, or the JSON that the command prints. */
export const drawGraph = (answer: GraphAnswer, format: GraphFileFormat): string =>
  graphDocument(answer, format);

/** Where a run stands, for whoever comes to it anew. Changes nothing. */
export const resumption = (request: Target = {}, env?: Environment) =>
  engine.resumeReport(here(env), request);

/** The resumption document of a run, as its journal has it now; brought up to it unless it is only checked. */
export const brief = (request: Target & { check?: boolean } = {}, env?: Environment) =>
  engine.showBrief(here(env), request);

/** Puts a decision on record for those who come later. It is no approval. */
export const recordDecision = (request: DecisionRequest, env?: Environment) =>
  engine.recordDecision(here(env), request);

/** What was decided has been done. */
export const applyDecision = (request: Target & { actor?: string; id: string }, env?: Environment) =>
  engine.applyDecision(here(env), request);

/** One line that an agent leaves behind. */
export const recordSummary = (request: Target & { agent: string; summary: string }, env?: Environment) =>
  engine.recordSummary(here(env), request);

/** Turns a brief of version 1 into version 2, in the file that it stands in; written only when told to. */
export const migrateBrief = (request: MigrateRequest, env?: Environment) =>
  engine.migrateBrief(here(env), request);

/** Which coding agents Pawl is installed for, in a project and for the user. */
export const agents = (request: AgentsRequest = {}, env?: Environment) =>
  engine.listAgents(here(env), request);

/** What installing Pawl for an agent, or taking it out, would write: to be shown before it is. */
export const planAgent = (request: AgentRequest, env?: Environment) => engine.planAgent(here(env), request);

/** Writes what was planned; nothing at all when a file is no longer as it was shown. */
export const applyAgent = (planned: InstallPlan, env?: Environment) => engine.applyAgent(here(env), planned);

/** Words that begin as asked: what an editor or a shell can offer for a cell, a unit, a run and the like. */
export const candidates = (request: CandidateRequest, env?: Environment) =>
  engine.findCandidates(here(env), request);

/** A failure in words: what happened, the safe ways on, and what the command would exit with. */
export function explain(failure: Failure | AgentTrouble | InitTrouble): Explained {
  const message = troubleTitle(failure, plainStyle);
  return { message, next: nextSteps(failure, plainStyle), exitCode: exitCodeOfTrouble(failure) };
}

export interface Explained {
  readonly message: string;
  readonly next: readonly string[];
  readonly exitCode: number;
}

/** All meanings of a reason, a status or the name of an event; none where Pawl never says that word. */
export async function explainReason(word: string): Promise<readonly Meaning[]> {
  const { explainReason: meanings } = await import('./text/catalogue/find.ts');
  return meanings(word)?.meanings ?? [];
}

/** Every word that `explainReason` knows, by kind. */
export async function listReasons(): Promise<readonly KindOfReasons[]> {
  const { listReasons: list } = await import('./text/catalogue/find.ts');
  return list();
}

/** In the words of the command, and without a terminal: whose it is only the caller knows. */
const usualNotifying: Notifying = { words: async (end) => notificationWords(end) };

function here(env: Environment | undefined): Environment {
  return env ?? engine.systemEnvironment();
}
