import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { tokensIn } from '../../base/tokens.ts';
import type { ModelParameters } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import type { CallTrouble, ModelAnswer, ModelClient, ModelRequest, ModelTurn } from './client.ts';

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
        answered = await answer(asked);
      } catch (error) {
        return broke(error);
      }
      if (typeof answered === 'string') return whole(request, onPiece, answered, 'stop', undefined);
      if (isStream(answered)) return await streamed(request, onPiece, answered);
      if (!isJsonObject(answered) || typeof answered.text !== 'string') return broke('it returned no text');
      return whole(request, onPiece, answered.text, answered.finish ?? 'stop', answered.usage);
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
  for (;;) {
    let next: IteratorResult<string>;
    try {
      next = await from.next();
    } catch (error) {
      return broke(error);
    }
    if (next.done) return ok(answerOf(request, text, 'stop', undefined));
    text += next.value;
    onPiece(next.value);
  }
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

function isStream(value: object): value is AsyncIterable<string> {
  return Symbol.asyncIterator in value;
}

function broke(error: unknown): Result<never, CallTrouble> {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return fail({ kind: 'failed', failure: { reason: 'provider-failed', message } });
}
