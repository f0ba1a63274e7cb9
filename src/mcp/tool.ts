import type { McpServer, ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { bugResult, type Outcome, toolResult } from './answer.ts';
import { catchDiskErrors } from './problems.ts';
import type { Session } from './session.ts';

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

/** The client that calls. */
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
  /** Reports an unexpected error. */
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
    const call = () =>
      catchDiskErrors(() => spec.answer(request as z.output<Input>, connection.callerOf(context)));
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

/**
 * A client need not wait for an answer before it calls again. Calls that change something run in the order in which they
 * came; what only looks runs beside it. Before a server ends it waits for the calls that it has begun.
 */
export class Turns {
  readonly #running = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  beside<T>(work: () => Promise<T>): Promise<T> {
    return this.#keep(work());
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => undefined);
    return this.#keep(mine);
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #keep<T>(work: Promise<T>): Promise<T> {
    const done = () => void this.#running.delete(work);
    this.#running.add(work);
    work.then(done, done);
    return work;
  }
}
