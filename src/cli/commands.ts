import type { CommandSpec, OptionSpec } from '../text/help/help.ts';
import type { Command } from './command.ts';
import { adoptCommand } from './commands/adopt.ts';
import { agentsCommand } from './commands/agents.ts';
import { approveCommand } from './commands/approve.ts';
import { blockCommand } from './commands/block.ts';
import { briefCommand } from './commands/brief.ts';
import { cancelCommand } from './commands/cancel.ts';
import { checkpointsCommand } from './commands/checkpoints.ts';
import { completeCommand } from './commands/complete.ts';
import { completionCommand } from './commands/completion.ts';
import { costCommand } from './commands/cost.ts';
import { decideCommand } from './commands/decide.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { helpCommand, hookCommand, mcpCommand, statuslineCommand } from './commands/elsewhere.ts';
import { explainCommand } from './commands/explain.ts';
import { failCommand } from './commands/fail.ts';
import { gcCommand } from './commands/gc.ts';
import { graphCommand } from './commands/graph.ts';
import { heartbeatCommand } from './commands/heartbeat.ts';
import { historyCommand } from './commands/history.ts';
import { initCommand } from './commands/init.ts';
import { inspectCommand } from './commands/inspect.ts';
import { logsCommand } from './commands/logs.ts';
import { nextCommand } from './commands/next.ts';
import { planCommand } from './commands/plan.ts';
import { promptCommand } from './commands/prompt.ts';
import { rejectCommand } from './commands/reject.ts';
import { releaseCommand } from './commands/release.ts';
import { repairCommand } from './commands/repair.ts';
import { reportCommand } from './commands/report.ts';
import { resetCommand } from './commands/reset.ts';
import { restoreCommand } from './commands/restore.ts';
import { resumeCommand } from './commands/resume.ts';
import { runPipelineCommand } from './commands/run.ts';
import { runsCommand } from './commands/runs.ts';
import { schemaCommand } from './commands/schema.ts';
import { showCommand } from './commands/show.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { summaryCommand } from './commands/summary.ts';
import { unblockCommand } from './commands/unblock.ts';
import { undoCommand } from './commands/undo.ts';
import { verifyCommand } from './commands/verify.ts';
import { whyCommand } from './commands/why.ts';

/** Options that every command takes. */
export const globalOptions: readonly OptionSpec[] = [
  { flags: '-C, --dir <path>', summary: 'as if started in this folder; a manifest is taken too' },
  { flags: '--json', summary: 'one JSON document on stdout; progress stays on stderr' },
  { flags: '-q, --quiet', summary: 'no progress, only the result' },
  { flags: '--no-input', summary: 'ask nothing, also in a terminal: refuse, and print the options' },
  { flags: '--no-color', summary: 'no colours (also: the variable NO_COLOR)' },
];

/** All commands, in the order of help: those that are needed first stand first. */
export const commands: readonly (Command | CommandSpec)[] = [
  initCommand,
  runPipelineCommand,
  resumeCommand,
  statusCommand,
  planCommand,
  whyCommand,
  runsCommand,
  logsCommand,
  historyCommand,
  diffCommand,
  inspectCommand,
  graphCommand,
  reportCommand,
  verifyCommand,
  promptCommand,
  costCommand,
  checkpointsCommand,
  showCommand,
  approveCommand,
  rejectCommand,
  cancelCommand,
  undoCommand,
  restoreCommand,
  adoptCommand,
  nextCommand,
  startCommand,
  completeCommand,
  failCommand,
  blockCommand,
  unblockCommand,
  heartbeatCommand,
  releaseCommand,
  briefCommand,
  decideCommand,
  summaryCommand,
  agentsCommand,
  hookCommand,
  statuslineCommand,
  mcpCommand,
  resetCommand,
  repairCommand,
  gcCommand,
  doctorCommand,
  completionCommand,
  schemaCommand,
  explainCommand,
  helpCommand,
];
