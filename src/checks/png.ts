import { type CheckOutcome, failed, passed } from './outcome.ts';
import { hex, pngSignature, readChunks } from './png-chunks.ts';
import { checkImageData } from './png-data.ts';

/** What a picture must be besides whole. */
export interface PngSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/**
 * It is a PNG, whole from its first byte to its last: every checksum fits, and the image data comes to exactly the
 * rows that the header announces.
 */
export async function checkPng(bytes: Uint8Array, size: PngSize = {}): Promise<CheckOutcome> {
  if (bytes.length === 0) return failed('empty');
  if (!isPng(bytes)) return failed(otherType(bytes));
  const parts = readChunks(bytes);
  if (!parts.ok) return failed(parts.failure);
  const { header, data } = parts.value;
  for (const side of ['width', 'height'] as const) {
    const expected = size[side];
    if (expected !== undefined && header[side] !== expected) {
      return failed(`its ${side} is ${header[side]}, expected ${expected}`);
    }
  }
  const wrong = await checkImageData(header, data);
  return wrong === undefined ? passed : failed(wrong);
}

/** It begins as every PNG does. */
export function isPng(bytes: Uint8Array): boolean {
  return startsWith(bytes, pngSignature);
}

function otherType(bytes: Uint8Array): string {
  const start = bytes.subarray(0, pngSignature.length);
  if (startsWith(pngSignature, start)) return `byte ${bytes.length}: cut off in the signature of a PNG`;
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const [type] = otherTypes.find(([, pattern]) => pattern.test(head)) ?? [];
  const likeness = type === undefined ? '' : `, as a ${type} does`;
  return `not a PNG: it begins with ${hex(start, 0, start.length)}${likeness}`;
}

/** What is most often found under a wrong name. */
const otherTypes = [
  ['JPEG', /^\xff\xd8\xff/],
  ['GIF', /^GIF8/],
  ['WebP', /^RIFF.{4}WEBP/s],
] as const;

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, at) => byte === bytes[at]);
}
