import { plain } from './plain.ts';

/** A piece of a page. Only `html` makes one, so that no text comes into a page unescaped. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | number | undefined | readonly Markup[];

/** Markup with values in it: text is escaped, and what cannot be seen is made visible; markup stays what it is. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = texts[0] ?? '';
  parts.forEach((part, at) => {
    markup += written(part) + (texts[at + 1] ?? '');
  });
  return { markup };
}

/** Several lines of text as they are, each of them plain. */
export function lines(texts: readonly string[]): Markup {
  return { markup: texts.map((text) => escaped(plain(text))).join('\n') };
}

/** For what is ours and constant: the style, the script. */
export function trusted(markup: string): Markup {
  return { markup };
}

export const nothing: Markup = { markup: '' };

function written(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(plain(part));
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
