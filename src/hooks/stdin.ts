import { fstatSync, readSync, writeSync } from 'node:fs';

/* Standard input and output without streams, which would cost more than all the rest of a hook. */

/** What was found on standard input. Nobody is waited for: from a terminal nothing is read. */
export type Input =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'too-long' };

export function readInput(): Input {
  try {
    // A terminal, or /dev/null.
    if (fstatSync(0).isCharacterDevice()) return { kind: 'nothing' };
    return readAll();
  } catch {
    // Closed before we came.
    return { kind: 'nothing' };
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
const pieceBytes = 64 * 1024;
const waitMs = 2;
const waitsMax = 2500;

function readAll(): Input {
  const pieces: Buffer[] = [];
  let length = 0;
  for (let waits = 0; length <= drainedBytesMax; ) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const count = readPiece(piece);
    if (count === undefined && waits++ < waitsMax) wait();
    else if (count === undefined || count === 0) break;
    else {
      length += count;
      // Read to the end all the same: an agent whose pipe breaks takes that for a failed hook.
      if (length <= inputBytesMax) pieces.push(piece.subarray(0, count));
    }
  }
  if (length > inputBytesMax) return { kind: 'too-long' };
  return length === 0 ? { kind: 'nothing' } : { kind: 'text', text: Buffer.concat(pieces).toString('utf8') };
}

/** Undefined: nothing is there yet. 0: nothing will be. */
function readPiece(piece: Buffer): number | undefined {
  try {
    return readSync(0, piece);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return undefined;
    // Windows says so of a pipe that was closed.
    if (code === 'EOF') return 0;
    throw error;
  }
}

function wait(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
}
