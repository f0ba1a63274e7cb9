import { type Hash, hashBytes } from '../../../base/hash.ts';
import { DiskError } from '../../../disk/disk.ts';
import { type Redactor, shownRedactor } from '../../../runner/redaction.ts';
import type { ContentStore } from '../../../store/content.ts';
import type { InspectedOutput } from '../../observe/inspected.ts';
import type { Workspace } from '../../open/workspace.ts';
import type { PagePicture } from './page.ts';
import { type PictureKind, pictureKind } from './picture.ts';

export interface GalleryLimits {
  readonly pictureBytesMax: number;
  /** All pictures of the page, each as often as it is shown. */
  readonly totalBytesMax: number;
}

/** Browsers open a page of this size without a pause. */
export const galleryLimits: GalleryLimits = {
  pictureBytesMax: 8 * 1024 * 1024,
  totalBytesMax: 24 * 1024 * 1024,
};

/** Recorded outputs as a page shows them: pictures until there is no room left, and the beginnings of texts. */
export class Gallery {
  readonly #workspace: Workspace;
  readonly #store: ContentStore;
  readonly #limits: GalleryLimits;
  readonly #redactor: Redactor;
  readonly #kinds = new Map<Hash, PictureKind | undefined>();
  #bytes = 0;
  #shown = 0;
  #leftOut = 0;

  constructor(workspace: Workspace, store: ContentStore, limits: GalleryLimits) {
    this.#workspace = workspace;
    this.#store = store;
    this.#limits = limits;
    this.#redactor = shownRedactor(workspace);
  }

  get counts(): { readonly shown: number; readonly leftOut: number } {
    return { shown: this.#shown, leftOut: this.#leftOut };
  }

  /** Told by its bytes; by its name only where these are too many to be read, or gone. */
  isPicture(output: InspectedOutput): boolean {
    if (this.#kinds.has(output.hash)) return this.#kinds.get(output.hash) !== undefined;
    const bytes = this.#read(output);
    if (!(bytes instanceof Uint8Array)) return /\.(?:png|jpe?g|gif|webp)$/i.test(output.path);
    const kind = pictureKind(bytes);
    this.#kinds.set(output.hash, kind);
    return kind !== undefined;
  }

  /** What is asked for first is shown first. */
  show(output: InspectedOutput): PagePicture {
    const picture = { output: output.name, path: output.path };
    const bytes = this.#hasRoom(output) ? this.#read(output) : 'too-much';
    const kind = bytes instanceof Uint8Array ? pictureKind(bytes) : undefined;
    if (!(bytes instanceof Uint8Array) || kind === undefined) {
      this.#leftOut += 1;
      const because = typeof bytes === 'string' ? bytes : 'damaged';
      return { ...picture, content: { kind: 'left-out', because, size: output.size } };
    }
    this.#shown += 1;
    this.#bytes += bytes.length;
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
    return { ...picture, content: { kind: 'embedded', ...kind, base64 } };
  }

  /** Undefined: no text, or so long that nobody reads it on a page. */
  text(output: InspectedOutput): { readonly text: string; readonly isCut: boolean } | undefined {
    if (output.size > textBytesMax) return undefined;
    const bytes = this.#read(output);
    const whole = bytes instanceof Uint8Array ? decode(bytes) : undefined;
    if (whole === undefined || whole === '') return undefined;
    const lines = this.#redactor.redact(whole).split('\n', linesMax + 1);
    const text = lines.slice(0, linesMax).join('\n').slice(0, charactersMax);
    return { text, isCut: text.length < whole.trimEnd().length };
  }

  #hasRoom({ size }: InspectedOutput): boolean {
    return size <= this.#limits.pictureBytesMax && this.#bytes + size <= this.#limits.totalBytesMax;
  }

  #read({ hash, size, path }: InspectedOutput): Uint8Array | 'too-much' | 'missing' | 'damaged' {
    if (size > this.#limits.pictureBytesMax) return 'too-much';
    const found = this.#store.get(hash);
    if (found instanceof Uint8Array) return found;
    return this.#readInPlace(hash, path) ?? found ?? 'missing';
  }

  /** Where the store has lost it, the file at its path may still be the one that was recorded. */
  #readInPlace(hash: Hash, path: string): Uint8Array | undefined {
    const { env, root } = this.#workspace;
    try {
      const bytes = env.disk.read(`${root}/${path}`, this.#limits.pictureBytesMax);
      return bytes !== undefined && hashBytes(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (error instanceof DiskError) return undefined;
      throw error;
    }
  }
}

const textBytesMax = 256 * 1024;
const linesMax = 40;
const charactersMax = 4_000;

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
