import { claude, claudeEvents } from './claude.ts';
import type { Dialect } from './dialect.ts';
import { readShared } from './shared.ts';

/*
 * Codex. https://developers.openai.com/codex/hooks, and the schemas in github.com/openai/codex,
 * codex-rs/hooks/schema/generated.
 *
 * The events, fields and answers of Claude Code, with these differences: `source` is startup, resume, clear, compact
 * or fork; files are written with `apply_patch`, whose `tool_input.command` is the patch; `last_assistant_message` may
 * be null; SessionEnd has one second and always the reason `other`. An answer with an unknown member counts as failed.
 * `additionalContext` of PreToolUse is taken by newer versions, and does no harm in older ones.
 */
export const codex: Dialect = {
  agent: 'codex',
  read: (payload, event) => readShared('codex', claudeEvents, payload, event),
  write: claude.write,
};
