/*
 * What each coding agent can be asked to tell Pawl, and what it calls that. Data and nothing else: hooks read it at
 * every call, and the docs print it. The addresses are where each line was read.
 */

export const agentNames = ['claude', 'codex', 'cursor', 'gemini', 'copilot', 'opencode'] as const;
export type AgentName = (typeof agentNames)[number];

/** The moments of a session at which an agent calls `pawl hook`. */
export const hookMoments = [
  'session-start',
  'pre-compact',
  'pre-tool',
  'prompt',
  'stop',
  'subagent-stop',
  'session-end',
] as const;
export type HookMoment = (typeof hookMoments)[number];

/** Those, and what else can be installed. */
export type Moment = HookMoment | 'status-line' | 'mcp' | 'skills';

/**
 * By agent and moment: the name of the event as it comes in `hook_event_name`; for the rest, where it is put. What is
 * missing here is not installed, because the agent has no such event, or would not hand on what Pawl says at it.
 */
export const supports: Readonly<Record<AgentName, Readonly<Partial<Record<Moment, string>>>>> = {
  claude: {
    'session-start': 'SessionStart',
    'pre-compact': 'PreCompact',
    'pre-tool': 'PreToolUse',
    prompt: 'UserPromptSubmit',
    stop: 'Stop',
    'subagent-stop': 'SubagentStop',
    'session-end': 'SessionEnd',
    'status-line': 'statusLine',
    mcp: '.mcp.json',
    skills: '.claude/skills',
  },
  codex: {
    'session-start': 'SessionStart',
    'pre-compact': 'PreCompact',
    'pre-tool': 'PreToolUse',
    prompt: 'UserPromptSubmit',
    stop: 'Stop',
    'subagent-stop': 'SubagentStop',
    'session-end': 'SessionEnd',
    mcp: '.codex/config.toml',
    skills: '.agents/skills',
  },
  // Before a tool these four take a verdict and no text; after it they hand text to the model.
  cursor: {
    'session-start': 'sessionStart',
    'pre-compact': 'preCompact',
    'pre-tool': 'postToolUse',
    stop: 'stop',
    'subagent-stop': 'subagentStop',
    'session-end': 'sessionEnd',
    mcp: '.cursor/mcp.json',
    skills: '.agents/skills',
  },
  gemini: {
    'session-start': 'SessionStart',
    'pre-compact': 'PreCompress',
    'pre-tool': 'AfterTool',
    prompt: 'BeforeAgent',
    stop: 'AfterAgent',
    'session-end': 'SessionEnd',
    mcp: '.gemini/settings.json',
    skills: '.agents/skills',
  },
  // Under these names, and not under `sessionStart` and its like, the event's name is part of what the hook is sent.
  copilot: {
    'session-start': 'SessionStart',
    'pre-compact': 'PreCompact',
    'pre-tool': 'PostToolUse',
    stop: 'Stop',
    'subagent-stop': 'SubagentStop',
    'session-end': 'SessionEnd',
    mcp: '.github/mcp.json',
    skills: '.agents/skills',
  },
  // Sent by the plugin that Pawl installs.
  opencode: {
    'session-start': 'session.created',
    'pre-compact': 'experimental.session.compacting',
    'pre-tool': 'tool.execute.after',
    stop: 'session.idle',
    'session-end': 'session.deleted',
    mcp: 'opencode.json',
    skills: '.agents/skills',
  },
};

/** Where the agents' own documentation says so. */
export const documentation: Readonly<Record<AgentName, readonly string[]>> = {
  claude: [
    'https://code.claude.com/docs/en/hooks',
    'https://code.claude.com/docs/en/statusline',
    'https://code.claude.com/docs/en/mcp',
    'https://code.claude.com/docs/en/skills',
    'https://code.claude.com/docs/en/plugins-reference',
  ],
  codex: [
    'https://developers.openai.com/codex/hooks',
    'https://developers.openai.com/codex/mcp',
    'https://developers.openai.com/codex/skills',
  ],
  cursor: [
    'https://cursor.com/docs/hooks',
    'https://cursor.com/docs/mcp',
    'https://cursor.com/docs/context/skills',
  ],
  gemini: [
    'https://geminicli.com/docs/hooks/reference',
    'https://geminicli.com/docs/tools/mcp-server',
    'https://geminicli.com/docs/cli/using-agent-skills',
  ],
  copilot: [
    'https://docs.github.com/en/copilot/reference/hooks-reference',
    'https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-config-dir-reference',
    'https://docs.github.com/en/copilot/concepts/customizations/agent-skills',
    'https://code.visualstudio.com/docs/agent-customization/hooks',
  ],
  opencode: [
    'https://opencode.ai/v2/docs/build/plugins/migrate-v1',
    'https://opencode.ai/docs/plugins',
    'https://opencode.ai/v2/docs/mcp-servers',
    'https://opencode.ai/v2/docs/skills',
  ],
};
