import { Transform, Writable } from 'node:stream';

/**
 * Keeps stdout for the protocol. A check that is a function of the user's runs in this process, and what it prints
 * would end up in the middle of a message: from here on all other output to stdout goes to stderr.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // The stream below reports a client that is gone; a second error would end the process as a crash.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
  });
}

/** Beyond this the transport closes the connection: what is held back here may be no more. */
const lineBytesMax = 10 * 1024 * 1024;

/**
 * Lets lines through that are messages of JSON-RPC, and answers the others on `out`: the library drops them, and a
 * client would wait for ever for the answer to an invalid message.
 */
export function messageLines(out: Writable): Transform {
  let held: Buffer[] = [];
  let heldBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        const line = Buffer.concat([...held, chunk.subarray(from, end + 1)]);
        held = [];
        heldBytes = 0;
        from = end + 1;
        const problem = lineProblem(line.toString('utf8'));
        if (problem === undefined) this.push(line);
        else if (problem !== 'blank') out.write(`${JSON.stringify(problem)}\n`);
      }
      held.push(chunk.subarray(from));
      heldBytes += chunk.length - from;
      if (heldBytes > lineBytesMax) {
        this.push(Buffer.concat(held.splice(0)));
        heldBytes = 0;
      }
      done();
    },
  });
}

const newline = 0x0a;

/** The answer to a line that is no message; `blank` where none is due. */
function lineProblem(line: string): object | 'blank' | undefined {
  if (line.trim() === '') return 'blank';
  try {
    const message: unknown = JSON.parse(line);
    return isMessage(message) ? undefined : wireError(idOf(message), -32600, 'Invalid Request');
  } catch {
    return wireError(null, -32700, 'Parse error: the line is not JSON');
  }
}

function isMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { jsonrpc, method, result, error } = value as Readonly<Record<string, unknown>>;
  return jsonrpc === '2.0' && (typeof method === 'string' || result !== undefined || error !== undefined);
}

function idOf(value: unknown): string | number | null {
  const id = (value as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function wireError(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
