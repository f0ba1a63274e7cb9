import type { AgentName, HookMoment } from '../engine/agents/supports.ts';

/*
 * What every coding agent tells its hooks, and what it can be answered, without the words of any of them. The
 * dialects translate.
 */

/**
 * - `session-start`: a session begins, goes on, or has lost its context: it can be told where the work stands.
 * - `pre-compact`: the context is about to be cut down to a summary. Nothing can be told.
 * - `pre-tool`: a tool is about to be used (where an agent cannot be told anything then: has been used).
 * - `prompt`: a person has said something to the agent.
 * - `stop`, `subagent-stop`: the agent, or one that it started, has come to an end of its turn.
 * - `session-end`: nobody listens any more.
 */
export type Moment = HookMoment;

/** One call of a hook. Every text in it is untrusted, and no longer than `textLengthMax`. */
export interface HookCall {
  readonly agent: AgentName;
  readonly moment: Moment;
  /** The agent's own name of the moment, which its answer has to repeat. */
  readonly event: string;
  /** Empty where the agent does not tell. */
  readonly session: string;
  /** Absolute; undefined where the agent does not tell. */
  readonly cwd: string | undefined;
  /** How a session began: `startup`, `resume`, `clear`, `compact`, `fork`. */
  readonly source?: string | undefined;
  /** Who asked for a compaction. */
  readonly trigger?: 'auto' | 'manual' | undefined;
  /** How full the context is, in percent, where the agent tells. */
  readonly fill?: number | undefined;
  readonly tool?: ToolUse | undefined;
  /** The agent only goes on because a hook kept it from stopping. */
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
  /** None where it cannot be told what is written. */
  readonly edits: readonly TextEdit[];
}

export interface TextEdit {
  /** Undefined: the whole file is replaced. */
  readonly before: string | undefined;
  readonly after: string;
  readonly everywhere: boolean;
}

/** What an agent is told. Hooks never allow, deny or hold up anything. */
export interface HookAnswer {
  /** For the model to read. */
  readonly context: string;
}
