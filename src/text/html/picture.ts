import { unreachable } from '../../base/result.ts';
import type { EmbeddedPicture, PagePicture, PictureLeftOut } from '../../engine/show/page/page.ts';
import { html, type Markup, nothing, trusted } from '../style/markup.ts';
import { bytes } from '../style/words.ts';

/** A picture at a size at which it can be seen, within `sideMax`; or why there is none. */
export function pictureHtml(picture: PagePicture, alt: string, sideMax: number, kind = ''): Markup {
  const { content } = picture;
  if (content.kind === 'left-out')
    return html`<span class="left-out" title="${picture.path}">${leftOutWords(content)}</span>`;
  const { width, height } = shownSize(content, sideMax);
  const size = width === undefined ? nothing : html` width="${width}" height="${height}"`;
  // Base64 needs no escaping, and there may be megabytes of it.
  const source = trusted(`data:${content.type};base64,${content.base64}`);
  const classes = [kind, isSmall(content) ? 'pixels' : ''].filter((name) => name !== '').join(' ');
  const looks = classes === '' ? nothing : html` class="${classes}"`;
  return html`<img${looks}${size} alt="${alt}" title="${picture.path}" src="${source}">`;
}

/** Its pixels are to be seen as such. */
function isSmall({ width, height }: EmbeddedPicture): boolean {
  return width !== undefined && height !== undefined && width <= smallMax && height <= smallMax;
}

const smallMax = 320;

/** Small pictures by a whole number of times, so that all of their pixels are of one size. */
function shownSize(
  { width, height }: EmbeddedPicture,
  sideMax: number,
): { width: number | undefined; height: number | undefined } {
  if (width === undefined || height === undefined || width === 0 || height === 0)
    return { width: undefined, height: undefined };
  const fitting = sideMax / Math.max(width, height);
  const times = fitting >= 1 ? Math.min(timesMax, Math.floor(fitting)) : fitting;
  return { width: Math.max(1, Math.round(width * times)), height: Math.max(1, Math.round(height * times)) };
}

const timesMax = 16;

function leftOutWords({ because, size }: PictureLeftOut): string {
  switch (because) {
    case 'too-much':
      return `left out: ${bytes(size)}`;
    case 'missing':
      return 'its bytes are missing';
    case 'damaged':
      return 'its bytes are damaged';
    default:
      return unreachable(because);
  }
}
