import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { Result } from '../base/result.ts';
import { plainStyle, type Style } from '../text/style/style.ts';
import { seen, seenDocument } from './data.ts';
import { type McpTrouble, toldTrouble } from './problems.ts';

/** What a tool answers: words, and the same as data. */
export interface Told {
  readonly text: string;
  /** Undefined for what has to be read as it is, such as an artifact. */
  readonly document: object | undefined;
  /** What comes after the words. */
  readonly more?: readonly ContentBlock[];
}

export type Outcome = Result<Told, McpTrouble>;

/** An answer with the words of the command line; `document` where a list has to be shorter than there. */
export function told<Answer extends object>(
  answer: Answer,
  text: (answer: Answer, style: Style) => string,
  document: object = answer,
): Told {
  return { text: text(answer, plainStyle), document: { ok: true, ...document } };
}

/** In either case what an agent gets is text in which nothing is hidden. */
export function toolResult(outcome: Outcome): CallToolResult {
  const { text, document, more } = outcome.ok
    ? outcome.value
    : { ...toldTrouble(outcome.failure), more: undefined };
  return {
    content: [{ type: 'text', text: seen(text) }, ...(more ?? [])],
    ...(document !== undefined && { structuredContent: seenDocument(document) as Record<string, unknown> }),
    ...(!outcome.ok && { isError: true }),
  };
}

/** What went wrong without being expected. The particulars are for whoever looks after the server. */
export function bugResult(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : String(error);
  const document = { ok: false, reason: 'bug', message, next: ['nothing that was acknowledged is lost'] };
  return {
    content: [{ type: 'text', text: seen(`a bug in pawl: ${message}`) }],
    structuredContent: seenDocument(document) as Record<string, unknown>,
    isError: true,
  };
}
