import type { HookCall } from './call.ts';
import { atSessionEnd, atStop, atSubagentStop } from './moments/ends.ts';
import type { Outcome } from './moments/outcome.ts';
import { beforeCompaction } from './moments/pre-compact.ts';
import { beforeTool } from './moments/pre-tool.ts';
import { atPrompt } from './moments/prompt.ts';
import { atSessionStart } from './moments/session-start.ts';
import type { World } from './world.ts';

/** Answers one call in a workspace. */
export async function handle(world: World, root: string, call: HookCall): Promise<Outcome> {
  switch (call.moment) {
    case 'session-start':
      return atSessionStart(world, root, call);
    case 'pre-compact':
      return beforeCompaction(world, root, call);
    case 'pre-tool':
      return beforeTool(world, root, call);
    case 'prompt':
      return atPrompt(world, root, call);
    case 'stop':
      return atStop(world, root, call);
    case 'subagent-stop':
      return atSubagentStop(world, root, call);
    case 'session-end':
      return atSessionEnd(world, root, call);
  }
}
