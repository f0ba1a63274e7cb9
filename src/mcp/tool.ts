import type { McpServer, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { bugResult, type Outcome, toolResult } from './answer.ts';
import type { Session } from './session.ts';
import { settled } from './settled.ts';
import type { Turns } from './turns.ts';

/**
 * What a tool does to the world, as clients ask before they call it.
 *
 * - `looks`: changes nothing, ever.
 * - `claims`: takes something or gives it back; twice is not the same as once.
 * - `records`: writes something down that stays; saying it again changes nothing.
 */
export type Effect = 'looks' | 'claims' | 'records';

const hints: Readonly<Record<Effect, ToolAnnotations>> = {
  looks: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  claims: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  records: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

export interface ToolSpec<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: Input;
  /** The fields of its document; all that a refused call answers is added. Undefined: it answers no document. */
  readonly output: z.ZodRawShape | undefined;
  answer(request: z.output<Input>, caller: Caller): Promise<Outcome>;
}

/** Who calls. */
export interface Caller {
  readonly session: Session;
  /** The name under which work is claimed, unless the call gives another. */
  readonly actor: string;
}

/** Where tools are offered. */
export interface Connection {
  readonly server: McpServer;
  readonly session: Session;
  readonly turns: Turns;
  callerOf(context: ServerContext): Caller;
  /** An error that nobody expected. */
  bug(error: unknown): void;
}

export function offer<Input extends z.ZodObject>(connection: Connection, spec: ToolSpec<Input>): void {
  const { server, turns } = connection;
  const { name, title, description, input, output, effect } = spec;
  const config = {
    title,
    description,
    inputSchema: input as z.ZodObject,
    annotations: { title, ...hints[effect] },
    ...(output !== undefined && { outputSchema: documentOf(output) }),
  };
  server.registerTool(name, config, async (request, context) => {
    const call = () => settled(() => spec.answer(request as z.output<Input>, connection.callerOf(context)));
    try {
      return toolResult(await (effect === 'looks' ? turns.beside(call) : turns.inTurn(call)));
    } catch (error) {
      connection.bug(error);
      return bugResult(error);
    }
  });
}

/** Clients may hold a refusal against the schema too, so every field but `ok` is optional. */
function documentOf(shape: z.ZodRawShape): z.ZodObject {
  return z
    .looseObject(shape)
    .partial()
    .extend({
      ok: z.boolean().describe('False: the call was refused or failed; `reason` says why.'),
      reason: z.string().optional().describe('Stable; made for programs.'),
      message: z.string().optional(),
      next: z.array(z.string()).optional().describe('Safe ways on.'),
    });
}
