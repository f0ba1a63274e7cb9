import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Asked, Turn } from './server/exchange.ts';
import { type Rejection, type Rules, receive } from './server/receive.ts';
import { carryOut, refusal, type Step, stepsOf } from './server/steps.ts';
import type { Protocol } from './server/wire.ts';

export { type Asked, countUsage, type Turn } from './server/exchange.ts';

/** Says what to do with a request. */
export type Script = (asked: Asked) => Turn | Promise<Turn>;

/** A request that the script never saw. */
export interface Rejected {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly message: string;
}

/** A provider of models on loopback: a real server, in the process of the test. */
export interface ModelServer {
  /** What stands before the path of each protocol: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Malformed, without the key, to a path that is none: a good test has none of them. */
  readonly rejected: readonly Rejected[];
  /** The numbers of the requests whose client went away before all was said. */
  readonly left: readonly number[];
  /** Requests that are understood and not done with. */
  inFlight(): number;
  readonly maxInFlight: number;
  /** Waits until so many requests have come; fails when the server closes before. */
  waitFor(count: number): Promise<void>;
  /** Waits until no request, or no more than so many, are in flight. */
  idle(inFlightMax?: number): Promise<void>;
  /** Ends all connections. Fails when the script has: what it threw would pass for an error of a provider otherwise. */
  close(): Promise<void>;
}

/** Starts a server that does with each request what the script says. */
export async function modelServer(script: Script, rules: Rules = {}): Promise<ModelServer> {
  const server = new RunningServer(script, rules);
  await server.listen();
  return server;
}

/** Something to wait for, that the test opens. */
export function latch(): { readonly opened: Promise<void>; open(): void } {
  let resolve = (): void => undefined;
  const opened = new Promise<void>((done) => {
    resolve = done;
  });
  return { opened, open: () => resolve() };
}

const requestsMax = 10_000;

class RunningServer implements ModelServer {
  url = '';
  readonly asked: Asked[] = [];
  readonly rejected: Rejected[] = [];
  readonly left: number[] = [];
  maxInFlight = 0;
  readonly #script: Script;
  readonly #rules: Rules;
  readonly #server = createServer((request, response) => this.#take(request, response));
  readonly #handling = new Set<Promise<void>>();
  readonly #watching = new Set<() => void>();
  readonly #faults: unknown[] = [];
  #flying = 0;
  #isClosing = false;
  #isClosed = false;

  constructor(script: Script, rules: Rules) {
    this.#script = script;
    this.#rules = rules;
    // A connection that the server closes just when a client takes it again looks like a failure that nobody scripted.
    this.#server.keepAliveTimeout = 0;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  inFlight(): number {
    return this.#flying;
  }

  waitFor(count: number): Promise<void> {
    return this.#until(
      () => this.asked.length >= count,
      () => `only ${this.asked.length} of ${count} requests came`,
    );
  }

  idle(inFlightMax = 0): Promise<void> {
    return this.#until(
      () => this.#flying <= inFlightMax,
      () => 'a request never ended',
    );
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
    await Promise.all(this.#handling);
    this.#isClosed = true;
    this.#changed();
    if (this.#faults.length > 0) throw this.#faults[0];
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const handling = this.#handle(request, response).catch((fault: unknown) => {
      // Whoever leaves in the middle of a request has not asked anything.
      if (request.complete) this.#faults.push(fault);
      response.destroy();
    });
    this.#handling.add(handling);
    void handling.then(() => this.#handling.delete(handling));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    const received = await receive(request, this.#rules);
    if (!received.ok) return this.#reject(request, response, received.failure, gone);
    const asked: Asked = { ...received.value.asked, nth: this.asked.length + 1 };
    if (asked.nth > requestsMax) throw new Error(`more than ${requestsMax} requests`);
    const flight = { nth: asked.nth, isDropped: false };
    this.#begin(asked, flight, response);
    const steps = await Promise.race([this.#ask(received.value.protocol, asked), gone]);
    if (steps === undefined) return;
    flight.isDropped = steps.some((step) => step.do === 'destroy');
    await carryOut(response, steps, gone);
  }

  async #reject(
    request: IncomingMessage,
    response: ServerResponse,
    { protocol, status, message, param }: Rejection,
    gone: Promise<void>,
  ): Promise<void> {
    const path = request.url ?? '/';
    this.rejected.push({ method: request.method ?? '', path, status, message });
    const steps = refusal(protocol, { path, nth: 0 }, { do: 'refuse', status, message }, param);
    await carryOut(response, steps, gone);
  }

  #begin(asked: Asked, flight: { readonly nth: number; isDropped: boolean }, response: ServerResponse): void {
    const isLeft = (): boolean => !response.writableFinished && !flight.isDropped && !this.#isClosing;
    this.asked.push(asked);
    if (response.destroyed) {
      this.left.push(flight.nth);
    } else {
      this.#flying += 1;
      this.maxInFlight = Math.max(this.maxInFlight, this.#flying);
      response.once('close', () => {
        if (isLeft()) this.left.push(flight.nth);
        this.#flying -= 1;
        this.#changed();
      });
    }
    this.#changed();
  }

  /** What to do; for a script that fails a refusal that nobody tries again, and a server that says so when it closes. */
  async #ask(protocol: Protocol, asked: Asked): Promise<Step[]> {
    try {
      return stepsOf(protocol, asked, await this.#script(asked));
    } catch (fault) {
      this.#faults.push(fault);
      const message = `The script of the test failed: ${fault instanceof Error ? fault.message : fault}`;
      return refusal(protocol, asked, { do: 'refuse', status: 400, message });
    }
  }

  #until(holds: () => boolean, otherwise: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds() && !this.#isClosed) return;
        this.#watching.delete(look);
        if (holds()) resolve();
        else reject(new Error(`the server is closed, and ${otherwise()}`));
      };
      this.#watching.add(look);
      look();
    });
  }

  #changed(): void {
    for (const look of [...this.#watching]) look();
  }
}
