import type { JsonObject } from '../../src/base/json.ts';
import { type Finished, start } from '../support/command.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/** Calls the hook of an agent as the agent would. */
export function hook(
  workspace: TestWorkspace,
  agent: string,
  payload: JsonObject | string,
): Promise<Finished> {
  const input = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return start(workspace, ['hook', agent], { input }).ended;
}

/** A session of Claude Code, which knows nothing but what its hooks are told and answer. */
export class ClaudeSession {
  readonly #workspace: TestWorkspace;
  readonly #id: string;

  constructor(workspace: TestWorkspace, id: string) {
    this.#workspace = workspace;
    this.#id = id;
  }

  /** What the model is told; empty where nothing is. */
  async tell(event: string, more: JsonObject = {}): Promise<string> {
    const base = { session_id: this.#id, transcript_path: '/t', cwd: this.#workspace.root };
    const finished = await hook(this.#workspace, 'claude', { ...base, hook_event_name: event, ...more });
    if (finished.code !== 0 || finished.stderr !== '')
      throw new Error(`${event}: ${JSON.stringify(finished)}`);
    return finished.stdout === '' ? '' : JSON.parse(finished.stdout).hookSpecificOutput.additionalContext;
  }

  async statusLine(used_percentage: number): Promise<string> {
    const payload = {
      session_id: this.#id,
      workspace: { current_dir: this.#workspace.root, project_dir: this.#workspace.root },
      context_window: { used_percentage },
    };
    const { ended } = start(this.#workspace, ['statusline'], { input: JSON.stringify(payload) });
    return (await ended).stdout;
  }
}
