import type { Disk } from '../disk/disk.ts';
import { replaceFileInPieces } from '../disk/write.ts';
import type { Redactor } from './redaction.ts';

/**
 * A command writes its logs itself: what it should not have said is taken out before anybody else looks. In pieces, for a
 * log may be of any size; and only where there is something to take out, for not every log is text.
 */
export function redactFile(disk: Disk, path: string, redactor: Redactor): void {
  if (holdsSecret(disk, path, redactor))
    replaceFileInPieces(disk, path, redactedPieces(disk, path, redactor));
}

function holdsSecret(disk: Disk, path: string, { redactValues }: Redactor): boolean {
  let before = '';
  for (const text of textsOf(disk, path)) {
    const seen = before + text;
    if (redactValues(seen) !== seen) return true;
    // Two pieces may have one between them.
    before = seen.slice(-secretLengthMax);
  }
  return false;
}

function* redactedPieces(disk: Disk, path: string, redactor: Redactor): Generator<Uint8Array> {
  let clean = '';
  const stream = redactor.stream((text) => {
    clean += text;
  });
  for (const text of textsOf(disk, path)) {
    stream.push(text);
    yield Buffer.from(clean);
    clean = '';
  }
  stream.end();
  yield Buffer.from(clean);
}

function* textsOf(disk: Disk, path: string): Generator<string> {
  const decoder = new TextDecoder();
  for (let offset = 0; ; offset += pieceBytes) {
    const piece = disk.readRange(path, offset, pieceBytes);
    if (piece === undefined) return;
    const isLast = piece.length < pieceBytes;
    yield decoder.decode(piece, { stream: !isLast });
    if (isLast) return;
  }
}

const pieceBytes = 1024 * 1024;
/** No variable of an environment is longer. */
const secretLengthMax = 128 * 1024;
