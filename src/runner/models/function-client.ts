import type { JsonObject } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { tokensIn } from '../../base/tokens.ts';
import { groupSignalOf } from '../../disk/group-signal.ts';
import type { ModelParameters } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type {
  CallTrouble,
  ModelAnswer,
  ModelClient,
  ModelRequest,
  ModelTurn,
} from '../executors/model-client.ts';

/** A provider that is a function of the workspace: it answers in the place of a model, without any network. */
export type ModelFunction = (
  request: ModelFunctionRequest,
) => ModelFunctionAnswer | AsyncIterable<string> | Promise<ModelFunctionAnswer | AsyncIterable<string>>;

export interface ModelFunctionRequest {
  readonly model: string;
  readonly system: string | undefined;
  /** The text of the newest turn. */
  readonly prompt: string;
  readonly turns: readonly ModelTurn[];
  readonly parameters: ModelParameters;
  readonly schema: JsonObject | undefined;
  readonly files: readonly { readonly name: string; readonly mediaType: string; bytes(): Uint8Array }[];
  readonly signal: AbortSignal;
}

export type ModelFunctionAnswer =
  | string
  | { readonly text: string; readonly finish?: string; readonly usage?: Omit<Cost, 'usd'> };

export function functionClient(answer: ModelFunction): ModelClient {
  return {
    async ask(request, onPiece) {
      const prompt = request.turns.at(-1)?.text ?? '';
      const { model, system, turns, parameters, schema, files, signal } = request;
      const asked = { model, system, prompt, turns, parameters, schema, files, signal };
      let answered: Awaited<ReturnType<ModelFunction>>;
      try {
        answered = await untilAborted(signal, async () => await answer(asked));
      } catch (error) {
        return broke(error);
      }
      if (typeof answered === 'string') return whole(request, onPiece, answered, 'stop', undefined);
      if (typeof answered !== 'object' || answered === null) return broke('it returned no text');
      if (isStream(answered)) return await streamed(request, onPiece, answered);
      const { text, finish = 'stop' } = answered;
      const usage = answered.usage ?? undefined;
      if (typeof text !== 'string' || typeof finish !== 'string') return broke('it returned no text');
      if (usage !== undefined && !isUsage(usage)) return broke('it returned a usage that is none');
      return whole(request, onPiece, text, finish, usage);
    },
  };
}

type Asked = Promise<Result<ModelAnswer, CallTrouble>>;

async function streamed(
  request: ModelRequest,
  onPiece: (text: string) => void,
  pieces: AsyncIterable<string>,
): Asked {
  let text = '';
  const from = pieces[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      let next: IteratorResult<string>;
      try {
        next = await untilAborted(request.signal, () => from.next());
      } catch (error) {
        return broke(error);
      }
      if (next.done) {
        isOver = true;
        return ok(answerOf(request, text, 'stop', undefined));
      }
      if (typeof next.value !== 'string') return broke('it returned a piece that is no text');
      text += next.value;
      onPiece(next.value);
    }
  } finally {
    // The end of the generator is not waited for.
    if (!isOver) void from.return?.().then(undefined, () => undefined);
  }
}

/** A function of this process cannot be ended: it is only not waited for any more. */
function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    // In a while: what is whole by then is not thrown away.
    const end = () => void setImmediate(() => reject(new Error('ended')));
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end));
  });
}

function whole(
  request: ModelRequest,
  onPiece: (text: string) => void,
  text: string,
  finish: string,
  usage: Omit<Cost, 'usd'> | undefined,
): Result<ModelAnswer, CallTrouble> {
  onPiece(text);
  return ok(answerOf(request, text, finish, usage));
}

/** Tokens are counted here where the function does not: what would be sent must cost something in a plan as well. */
function answerOf(
  { model, system, turns }: ModelRequest,
  text: string,
  finish: string,
  usage: Omit<Cost, 'usd'> | undefined,
): ModelAnswer {
  const sent = [system ?? '', ...turns.map((turn) => turn.text)].join('\n');
  return {
    text,
    finish,
    usage: usage ?? { inputTokens: tokensIn(sent), outputTokens: tokensIn(text) },
    answered: model,
    request: undefined,
  };
}

/** It goes into the journal, which holds no other numbers. */
function isUsage(usage: object): boolean {
  const counts = Object.values(usage) as unknown[];
  return counts.every((count) => count === undefined || (Number.isFinite(count) && Number(count) >= 0));
}

function isStream(value: object): value is AsyncIterable<string> {
  return Symbol.asyncIterator in value;
}

function broke(error: unknown): Result<never, CallTrouble> {
  const facts = groupSignalOf(error);
  const failure: AttemptFailure = {
    reason: 'provider-failed',
    message: wordsOf(error),
    ...(facts && { facts }),
  };
  return fail({ kind: 'failed', failure });
}

/** Whatever was thrown, even what cannot be said. */
function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'it threw something that is no error';
  }
}
