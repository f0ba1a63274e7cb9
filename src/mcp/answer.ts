import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { ok, type Result } from '../base/result.ts';
import type { Environment } from '../engine/open/environment.ts';
import type { Target } from '../engine/open/requests.ts';
import { type ResumeReport, resumeReport } from '../engine/show/resume.ts';
import type { Failure } from '../model/failure.ts';
import { resumeText } from '../text/resume.ts';
import { plainStyle, type Style } from '../text/style/style.ts';
import { showHidden, showHiddenIn } from './data.ts';
import { describeTrouble, type McpTrouble } from './problems.ts';

/** What a tool answers: text, and the same as data. */
export interface ToolAnswer {
  readonly text: string;
  /** Undefined for what has to be read as it is, such as an artifact. */
  readonly document: object | undefined;
  /** What comes after the words. */
  readonly more?: readonly ContentBlock[];
}

export type Outcome = Result<ToolAnswer, McpTrouble>;

/** An answer with the words of the command line; `document` where a list has to be shorter than there. */
export function toToolAnswer<Answer extends object>(
  answer: Answer,
  text: (answer: Answer, style: Style) => string,
  document: object = answer,
): ToolAnswer {
  return { text: text(answer, plainStyle), document: { ok: true, ...document } };
}

/** The result or failure as MCP has it. Invisible characters in its text are shown. */
export function toolResult(outcome: Outcome): CallToolResult {
  const { text, document, more } = outcome.ok
    ? outcome.value
    : { ...describeTrouble(outcome.failure), more: undefined };
  return {
    content: [{ type: 'text', text: showHidden(text) }, ...(more ?? [])],
    ...(document !== undefined && { structuredContent: showHiddenIn(document) as Record<string, unknown> }),
    ...(!outcome.ok && { isError: true }),
  };
}

/** The answer after a bug. The stack goes to stderr, for the person who runs the server. */
export function bugResult(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : String(error);
  const document = { ok: false, reason: 'bug', message, next: ['nothing that was acknowledged is lost'] };
  return {
    content: [{ type: 'text', text: showHidden(`a bug in pawl: ${message}`) }],
    structuredContent: showHiddenIn(document) as Record<string, unknown>,
    isError: true,
  };
}

/** The report about a run that `pawl resume` shows, as text and as data. */
export async function showResumeReport(
  env: Environment,
  target: Target,
): Promise<Result<{ readonly text: string; readonly report: ResumeReport }, Failure>> {
  const report = await resumeReport(env, target);
  return report.ok ? ok({ text: resumeText(report.value, plainStyle), report: report.value }) : report;
}
