import { ok } from '../base/result.ts';
import { applyInstall as applyAgentPlan } from './agents/apply.ts';
import { listAgents as agents, planAgent as planFor } from './agents/install.ts';
import { answering } from './answering.ts';
import {
  applyDecision as apply,
  recordDecision as recordOne,
  recordSummary as summarise,
} from './brief/decide.ts';
import { migrateBrief as migrate } from './brief/migrate.ts';
import { showBrief as brief } from './brief/show.ts';
import { showCost as cost } from './calls/cost.ts';
import { showPrompt as prompt } from './calls/prompt.ts';
import { decideCheckpoint as decide } from './checkpoints/decide.ts';
import { listCheckpoints as checkpoints } from './checkpoints/list.ts';
import { showCheckpoint as showOne } from './checkpoints/show.ts';
import { examineWorkspace as examine } from './doctor/doctor.ts';
import { initWorkspace as init } from './examples/init.ts';
import { collectGarbage as collect } from './gc/collect.ts';
import { adoptFiles as adopt } from './mend/adopt.ts';
import { cancelRun as cancel } from './mend/cancel.ts';
import { repairRun as repair } from './mend/repair.ts';
import { resetRuns as reset } from './mend/reset.ts';
import { gatherPage as page } from './page/gather.ts';
import { runPipeline as run } from './run/run.ts';
import { standHere as stand } from './show/alone.ts';
import { readArtifact as artifact } from './show/artifact.ts';
import { type CandidateRequest, findCandidates as candidates } from './show/candidates.ts';
import { showDiff as diff } from './show/diff.ts';
import { inspectRun as inspect } from './show/inspect.ts';
import { showLogs as logs } from './show/logs.ts';
import { planPipeline as plan } from './show/plan.ts';
import { listRuns as list, showStatus as status } from './show/status.ts';
import { verifyRun as verify } from './show/verify.ts';
import { whyCell as why } from './show/why.ts';
import { completeTask as complete } from './tasks/complete.ts';
import {
  blockTask as block,
  failTask as failIt,
  releaseTask as release,
  heartbeat as renew,
  unblockTask as unblock,
} from './tasks/end.ts';
import { showGraph as graph } from './tasks/graph.ts';
import { nextTask as next } from './tasks/next.ts';
import { resumeReport as resume } from './tasks/resume.ts';

/*
 * The use cases: all that Pawl can do. Every face (command line, library, page, MCP, hooks) is thin over these.
 */

export { briefJsonSchema } from '../brief/schema.ts';
export { manifestJsonSchema } from '../pipeline/shape/json-schema.ts';
export { systemEnvironment } from './environment.ts';

export const adoptFiles = answering(adopt);
export const applyAgent = answering(applyAgentPlan);
export const applyDecision = answering(apply);
export const recordDecision = answering(recordOne);
export const recordSummary = answering(summarise);
export const showBrief = answering(brief);
export const blockTask = answering(block);
export const collectGarbage = answering(collect);
export const completeTask = answering(complete);
export const cancelRun = answering(cancel);
export const decideCheckpoint = answering(decide);
export const listAgents = answering(agents);
export const listCheckpoints = answering(checkpoints);
export const showCheckpoint = answering(showOne);
export const examineWorkspace = answering(examine);
export const failTask = answering(failIt);
export const findCandidates = answering(async (env, request: CandidateRequest) =>
  ok(await candidates(env, request)),
);
export const gatherPage = answering(page);
export const heartbeat = answering(renew);
export const initWorkspace = answering(init);
export const inspectRun = answering(inspect);
export const listRuns = answering(list);
export const migrateBrief = answering(migrate);
export const nextTask = answering(next);
export const planAgent = answering(planFor);
export const planPipeline = answering(plan);
export const readArtifact = answering(artifact);
export const releaseTask = answering(release);
export const repairRun = answering(repair);
export const resetRuns = answering(reset);
export const resumeReport = answering(resume);
export const runPipeline = answering(run);
export const showCost = answering(cost);
export const showDiff = answering(diff);
export const showGraph = answering(graph);
export const showLogs = answering(logs);
export const showPrompt = answering(prompt);
export const showStatus = answering(status);
export const standHere = answering(stand);
export const unblockTask = answering(unblock);
export const verifyRun = answering(verify);
export const whyCell = answering(why);
