import { hashBytes } from '../../base/hash.ts';

/** Nothing is loaded and nothing is sent; of code and style only what the page was made with. */
export function contentPolicy(style: string, script: string): string {
  return [
    "default-src 'none'",
    'img-src data:',
    `style-src '${source(style)}'`,
    `script-src '${source(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function source(text: string): string {
  const hex = hashBytes(text).slice('sha256:'.length);
  const bytes = (hex.match(/../g) ?? []).map((digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return `sha256-${btoa(bytes.join(''))}`;
}
