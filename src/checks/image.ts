import { type CheckOutcome, failed, passed, unable } from './outcome.ts';
import { checkPng, isPng } from './png.ts';
import { shorten } from './text.ts';

/**
 * It is a picture that can be decoded to its last pixel; reading its header would accept one that was cut off. A PNG
 * is judged by our own check, and by sharp as well where that is installed; every other type needs sharp.
 */
export async function checkImage(
  bytes: Uint8Array,
  load: () => Promise<unknown> = importSharp,
): Promise<CheckOutcome> {
  if (bytes.length === 0) return failed('empty');
  if (isPng(bytes)) {
    const checked = await checkPng(bytes);
    if (!checked.passed) return checked;
  }
  const sharp = await findSharp(load);
  if (typeof sharp === 'function') return await decode(sharp, bytes);
  return isPng(bytes) ? passed : unable(sharp);
}

/** As much of sharp as is used here. */
type Sharp = (
  input: Uint8Array,
  options: {
    /** Of whatever the decoder complains about. */
    readonly failOn: 'warning';
    readonly limitInputPixels: number;
    /** All frames, not only the first. */
    readonly animated: true;
    readonly sequentialRead: true;
  },
) => { raw(): { toBuffer(): Promise<unknown> } };

/** Its pixels take up to 256 MiB. */
const pixelsMax = 64 * 1024 * 1024;

async function decode(sharp: Sharp, bytes: Uint8Array): Promise<CheckOutcome> {
  try {
    await sharp(bytes, {
      failOn: 'warning',
      limitInputPixels: pixelsMax,
      animated: true,
      sequentialRead: true,
    })
      .raw()
      .toBuffer();
    return passed;
  } catch (error) {
    return failed(shorten(error instanceof Error ? error.message : String(error)));
  }
}

/** The function, or why there is none. */
async function findSharp(load: () => Promise<unknown>): Promise<Sharp | string> {
  try {
    const sharp = ((await load()) as { readonly default?: unknown }).default;
    return typeof sharp === 'function'
      ? (sharp as Sharp)
      : 'sharp could not be loaded: it exports no function';
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`'${sharpModule}'`);
    return isMissing
      ? 'sharp is not installed, and no type but PNG can be checked without it'
      : `sharp could not be loaded: ${shorten(String(message))}`;
  }
}

// By a name that no compiler follows: it is there or not. Looked for beside this package, never in the workspace.
const sharpModule: string = 'sharp';

function importSharp(): Promise<unknown> {
  return import(sharpModule);
}
