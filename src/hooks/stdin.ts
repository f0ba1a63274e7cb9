import { fstatSync, writeSync } from 'node:fs';

/* Standard input up to the end of one document, and standard output without a stream, so that leaving cuts nothing off. */

/** What was found on standard input. From a terminal nothing is read, because a person would have to type it. */
export type Input =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'too-long' };

/**
 * Reads until one whole JSON document is there, because some agents keep their end of the pipe open. A read that blocks
 * could not be given up, not even by leaving: so this is a stream.
 */
export function readInput(): Promise<Input> {
  try {
    // A terminal, or /dev/null.
    if (fstatSync(0).isCharacterDevice()) return Promise.resolve({ kind: 'nothing' });
    return readStream(process.stdin);
  } catch {
    // Closed before we came.
    return Promise.resolve({ kind: 'nothing' });
  }
}

/** Whether all of it was taken. */
export function printOut(text: string): boolean {
  const bytes = Buffer.from(text, 'utf8');
  let written = 0;
  for (let waits = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waits++ >= waitsMax) return false;
      wait();
    }
  }
  return true;
}

const inputBytesMax = 1024 * 1024;

/** More than this is not even passed over. */
const drainedBytesMax = 64 * inputBytesMax;
/** With the start of the process and its answer it stays under two seconds. */
const readMsMax = 1500;
const waitMs = 2;
const waitsMax = 2500;

function readStream(stream: NodeJS.ReadStream): Promise<Input> {
  const pieces: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const end = () => resolve(inputOf(pieces, length));
    setTimeout(end, readMsMax);
    stream.on('end', end).on('error', end);
    stream.on('data', (piece: Buffer) => {
      length += piece.length;
      // Read to the end all the same: an agent whose pipe breaks takes that for a failed hook.
      if (length <= inputBytesMax) pieces.push(piece);
      if (length > drainedBytesMax || (length <= inputBytesMax && isWhole(pieces))) end();
    });
  });
}

function inputOf(pieces: readonly Buffer[], length: number): Input {
  if (length > inputBytesMax) return { kind: 'too-long' };
  return length === 0 ? { kind: 'nothing' } : { kind: 'text', text: Buffer.concat(pieces).toString('utf8') };
}

/** A payload is an object, so it ends with a brace; only then is it worth reading. */
function isWhole(pieces: readonly Buffer[]): boolean {
  if (!pieces.at(-1)?.toString('latin1').trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(Buffer.concat(pieces).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function wait(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
}
