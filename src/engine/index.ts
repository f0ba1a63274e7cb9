import { ok } from '../base/result.ts';
import { answering } from './open/answering.ts';
import type { CandidateRequest } from './show/candidates.ts';

/*
 * The use cases: all that Pawl can do. Every face (command line, library, page, MCP, hooks) is thin over these. Each is
 * loaded when it is called for: whoever defines a pipeline in code imports the library, and should not wait for all of it.
 */

export { systemEnvironment } from './open/environment.ts';

export const applyAgent = answering(async () => (await import('./agents/apply.ts')).applyInstall);
export const listAgents = answering(async () => (await import('./agents/install.ts')).listAgents);
export const planAgent = answering(async () => (await import('./agents/install.ts')).planAgent);
export const applyDecision = answering(async () => (await import('./brief/decide.ts')).applyDecision);
export const recordDecision = answering(async () => (await import('./brief/decide.ts')).recordDecision);
export const recordSummary = answering(async () => (await import('./brief/decide.ts')).recordSummary);
export const migrateBrief = answering(async () => (await import('./brief/migrate.ts')).migrateBrief);
export const showBrief = answering(async () => (await import('./brief/show.ts')).showBrief);
export const showCost = answering(async () => (await import('./show/cost.ts')).showCost);
export const showPrompt = answering(async () => (await import('./show/prompt.ts')).showPrompt);
export const answerCheckpoint = answering(
  async () => (await import('./people/checkpoints/answer.ts')).answerCheckpoint,
);
export const listCheckpoints = answering(
  async () => (await import('./people/checkpoints/list.ts')).listCheckpoints,
);
export const showCheckpoint = answering(
  async () => (await import('./people/checkpoints/show.ts')).showCheckpoint,
);
export const examineWorkspace = answering(
  async () => (await import('./maintain/doctor/doctor.ts')).examineWorkspace,
);
export const initWorkspace = answering(async () => (await import('./examples/init.ts')).initWorkspace);
export const collectGarbage = answering(
  async () => (await import('./maintain/gc/collect.ts')).collectGarbage,
);
export const showHistory = answering(async () => (await import('./show/history.ts')).showHistory);
export const adoptFiles = answering(async () => (await import('./people/adopt.ts')).adoptFiles);
export const cancelRun = answering(async () => (await import('./people/cancel.ts')).cancelRun);
export const repairRun = answering(async () => (await import('./maintain/repair.ts')).repairRun);
export const resetRuns = answering(async () => (await import('./maintain/reset.ts')).resetRuns);
export const gatherPage = answering(async () => (await import('./show/page/gather.ts')).gatherPage);
export const runPipeline = answering(async () => (await import('./run/run.ts')).runPipeline);
export const describeFolder = answering(
  async () => (await import('./show/describe-folder.ts')).describeFolder,
);
export const readArtifact = answering(async () => (await import('./show/artifact.ts')).readArtifact);
export const diffAttempts = answering(async () => (await import('./show/diff-attempts.ts')).diffAttempts);
export const diffRuns = answering(async () => (await import('./show/diff-runs.ts')).diffRuns);
export const showDiff = answering(async () => (await import('./show/diff.ts')).showDiff);
export const inspectRun = answering(async () => (await import('./show/inspect.ts')).inspectRun);
export const showManyLogs = answering(async () => (await import('./show/logs.ts')).showManyLogs);
export const showLogs = answering(async () => (await import('./show/logs.ts')).showLogs);
export const answerEffects = answering(async () => (await import('./show/answer-effects.ts')).answerEffects);
export const planPipeline = answering(async () => (await import('./show/plan.ts')).planPipeline);
export const listRuns = answering(async () => (await import('./show/runs.ts')).listRuns);
export const showStatus = answering(async () => (await import('./show/status.ts')).showStatus);
export const verifyRun = answering(async () => (await import('./show/verify.ts')).verifyRun);
export const whySteps = answering(async () => (await import('./show/why.ts')).whySteps);
export const whyStep = answering(async () => (await import('./show/why.ts')).whyStep);
export const followLogs = answering(async () => (await import('./show/follow-logs.ts')).followLogs);
export const watchStatus = answering(async () => (await import('./show/watch-status.ts')).watchStatus);
export const restoreAttempt = answering(
  async () => (await import('./people/undo/restore.ts')).restoreAttempt,
);
export const undoDecision = answering(async () => (await import('./people/undo/undo.ts')).undoDecision);
export const completeTask = answering(async () => (await import('./tasks/complete.ts')).completeTask);
export const blockTask = answering(async () => (await import('./tasks/end.ts')).blockTask);
export const failTask = answering(async () => (await import('./tasks/end.ts')).failTask);
export const heartbeat = answering(async () => (await import('./tasks/end.ts')).heartbeat);
export const releaseTask = answering(async () => (await import('./tasks/end.ts')).releaseTask);
export const unblockTask = answering(async () => (await import('./tasks/end.ts')).unblockTask);
export const showGraph = answering(async () => (await import('./show/graph.ts')).showGraph);
export const nextTask = answering(async () => (await import('./tasks/next.ts')).nextTask);
export const resumeReport = answering(async () => (await import('./show/resume.ts')).resumeReport);

export const findCandidates = answering(async () => {
  const { findCandidates: find } = await import('./show/candidates.ts');
  return async (env, request: CandidateRequest) => ok(await find(env, request));
});

/** What a manifest may look like, for editors. */
export async function manifestJsonSchema() {
  return (await import('../pipeline/schema/json-schema.ts')).buildManifestSchema();
}

/** What the resumption document looks like. */
export async function briefJsonSchema() {
  return (await import('../projections/brief/schema.ts')).makeBriefJsonSchema();
}
