/** A picture as browsers show it: its type, and its size where the bytes say it. */
export interface PictureKind {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** What a file's first bytes say that it is; undefined: no picture. A name proves nothing. */
export function pictureKind(bytes: Uint8Array): PictureKind | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (says(bytes, 0, '\x89PNG\r\n\x1a\n')) {
    const isHeaded = bytes.length >= 24 && says(bytes, 12, 'IHDR');
    return sized('image/png', isHeaded ? [view.getUint32(16), view.getUint32(20)] : undefined);
  }
  if (says(bytes, 0, 'GIF87a') || says(bytes, 0, 'GIF89a')) {
    const isWhole = bytes.length >= 10;
    return sized('image/gif', isWhole ? [view.getUint16(6, true), view.getUint16(8, true)] : undefined);
  }
  if (says(bytes, 0, 'RIFF') && says(bytes, 8, 'WEBP')) return sized('image/webp', webpSize(bytes, view));
  if (says(bytes, 0, '\xff\xd8\xff')) return sized('image/jpeg', jpegSize(view));
  return undefined;
}

type Size = readonly [width: number, height: number];

function sized(type: PictureKind['type'], size: Size | undefined): PictureKind {
  const [width, height] = size ?? [];
  return { type, width, height };
}

function says(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes.length < at + text.length) return false;
  for (let index = 0; index < text.length; index++)
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** The three kinds of WebP keep their size in three places. */
function webpSize(bytes: Uint8Array, view: DataView): Size | undefined {
  if (bytes.length < 30) return undefined;
  if (says(bytes, 12, 'VP8X')) return [1 + uint24(view, 24), 1 + uint24(view, 27)];
  if (says(bytes, 12, 'VP8 ')) return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (!says(bytes, 12, 'VP8L')) return undefined;
  const bits = view.getUint32(21, true);
  return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Walks from segment to segment to the frame header, which holds the size. */
function jpegSize(view: DataView): Size | undefined {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    // C4, C8 and CC are tables; all others from C0 to CF begin a frame.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    const isFill = marker === 0xff;
    at += isFill ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
