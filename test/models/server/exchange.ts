import type { JsonObject } from '../../../src/base/json.ts';

/** The protocols that the server speaks. */
export type ProtocolName = 'chat' | 'responses' | 'anthropic' | 'google';

export interface AskedMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** How many parts are no text: images, files, calls and results of tools. */
  readonly parts: number;
}

/** One request, the same to look at whichever protocol it came in. */
export interface Asked {
  readonly protocol: ProtocolName;
  readonly path: string;
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  /** The text of the last message of the user. */
  readonly prompt: string;
  /** All messages but those of the system. */
  readonly messages: readonly AskedMessage[];
  /** What the answer has to fit, as it came over the wire: Google gets another dialect of it than the others. */
  readonly schema: JsonObject | undefined;
  readonly body: JsonObject;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Counted from 1 over the life of the server; a request that was refused as malformed does not count. */
  readonly nth: number;
}

export type Finish = 'stop' | 'length' | 'content-filter' | 'tool-calls';

/** Tokens, in the same sense for every protocol: each of them then says it in its own way. */
export interface Usage {
  /** All that was read, those from and for the cache included. */
  readonly input: number;
  /** All that was made, the thinking included. */
  readonly output: number;
  readonly cacheRead?: number;
  /** Google and most compatible servers have no word for it. */
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/** What the model says when nothing goes wrong. */
export interface Spoken {
  readonly text: string;
  readonly finish?: Finish;
  /** Counted from the texts when nothing is given. */
  readonly usage?: Usage;
  /** In how many pieces the text is sent; 4 when nothing is said, and never more than it has characters. */
  readonly chunks?: number;
  /** The model that the answer names; the one that was asked for when nothing is said. */
  readonly model?: string;
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What the server does with one request. `after` is how many pieces of the text are sent before it goes wrong; 0 is
 * before anything. To a request that asks for no stream the pieces are parts of one JSON document.
 */
export type Turn =
  /** Says all of it, as a provider does on a good day. */
  | ({ readonly do: 'answer' } & Spoken)
  /** An HTTP error. A body that is a string is sent as it is (the page of a proxy); without one it is the protocol's own. */
  | {
      readonly do: 'refuse';
      readonly status: number;
      readonly message?: string;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Destroys the socket; with `after` 0 (the default) before any byte. */
  | ({ readonly do: 'drop'; readonly after?: number } & Spoken)
  /** Ends the response in good order, but in the middle of the answer, as proxies do. `after` is 1 when nothing is said. */
  | ({ readonly do: 'stop-short'; readonly after?: number } & Spoken)
  /** Waits for the test, and then says the rest; with `after` 0 (the default) it is silent until then. */
  | ({ readonly do: 'hang'; readonly after?: number; readonly until: Promise<unknown> } & Partial<Spoken>)
  /** Sends neither JSON nor UTF-8 in place of the next piece, and then the rest. `after` is 1 when nothing is said. */
  | ({ readonly do: 'garble'; readonly after?: number } & Spoken)
  /**
   * An error event under HTTP 200, and then nothing more. `after` is 1 when nothing is said; with 0 it is the first
   * event of all. Without a stream it is the same error under HTTP 500.
   */
  | ({
      readonly do: 'error-event';
      readonly message: string;
      readonly kind?: ErrorKind;
      readonly after?: number;
    } & Spoken);

/** What an error event is about. */
export type ErrorKind = 'overloaded' | 'rate-limit' | 'internal';

/** Tokens as the server counts them when a turn does not say: one for every four bytes of all texts. */
export function countUsage(asked: Pick<Asked, 'system' | 'messages'>, answer: string): Usage {
  const input = asked.system + asked.messages.map(({ text }) => text).join('');
  return { input: tokensOf(input), output: tokensOf(answer) };
}

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
