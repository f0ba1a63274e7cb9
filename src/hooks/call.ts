import type { AgentName, HookMoment } from '../engine/agents/supports.ts';

/*
 * What every coding agent tells its hooks, and what it can be answered, without the words of any of them. The
 * dialects translate.
 */

/**
 * - `session-start`: a session begins, is resumed, or has lost its context: it can be shown where the work stands.
 * - `pre-compact`: the context is about to be cut down to a summary. No answer is possible.
 * - `pre-tool`: a tool is about to be used, or was used, where an agent takes an answer only then.
 * - `prompt`: a person has said something to the agent.
 * - `stop`, `subagent-stop`: the agent, or one that it started, has ended its turn.
 * - `session-end`: the session is over. No answer is possible.
 */
export type Moment = HookMoment;

/** One call of a hook. Every text in it is untrusted, and no longer than `textLengthMax`. */
export interface HookCall {
  readonly agent: AgentName;
  readonly moment: Moment;
  /** The agent's own name of the moment, which its answer has to repeat. */
  readonly event: string;
  /** Empty if the agent does not send it. */
  readonly session: string;
  /** Absolute; undefined if the agent does not send it. */
  readonly cwd: string | undefined;
  /** How a session began: `startup`, `resume`, `clear`, `compact`, `fork`. */
  readonly source?: string | undefined;
  /** Who asked for a compaction. */
  readonly trigger?: 'auto' | 'manual' | undefined;
  /** How full the context is, in percent, if the agent sends it. */
  readonly fill?: number | undefined;
  readonly tool?: ToolUse | undefined;
  /** The agent continues only because a hook kept it from stopping. */
  readonly stopHookActive?: boolean | undefined;
  readonly subagent?: Subagent | undefined;
  /** Why a session ended. */
  readonly reason?: string | undefined;
}

export interface Subagent {
  readonly id: string | undefined;
  readonly type: string | undefined;
  /** The last that it said, as it was said. */
  readonly message: string | undefined;
}

export interface ToolUse {
  readonly name: string;
  /** None for a tool that writes no files, as far as can be seen. */
  readonly writes: readonly FileWrite[];
  /** It has been used already. */
  readonly isDone: boolean;
}

export interface FileWrite {
  /** As the agent named it: absolute, or relative to its folder. */
  readonly path: string;
  /** Empty if the written text is unknown. */
  readonly edits: readonly TextEdit[];
}

export interface TextEdit {
  /** Undefined: the whole file is replaced. */
  readonly before: string | undefined;
  readonly after: string;
  readonly everywhere: boolean;
}

/** The answer for an agent. Hooks never allow, deny or delay anything. */
export interface HookAnswer {
  /** For the model to read. */
  readonly context: string;
}
