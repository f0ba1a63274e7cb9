import type { AgentName } from '../../engine/agents/supports.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

const dialects: Readonly<Record<AgentName, Dialect>> = { claude, codex, cursor, gemini, copilot, opencode };

/** Undefined for an unknown agent. */
export function dialectOf(name: string | undefined): Dialect | undefined {
  return Object.values(dialects).find(({ agent }) => agent === name);
}
