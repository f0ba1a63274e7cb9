import type { Offsets } from './places.ts';
import { joinPath } from './problems.ts';

/** Where every value of a JSON text stands. The text is known to be valid and not too deep: `JSON.parse` took it. */
export function indexJson(text: string): Map<string, Offsets> {
  const index = new Map<string, Offsets>();
  let at = 0;
  value('', undefined);
  return index;

  function value(path: string, key: number | undefined): void {
    skipSpace();
    index.set(path, { key: key ?? at, value: at });
    const first = text[at];
    if (first === '{') members(path);
    else if (first === '[') items(path);
    else if (first === '"') skipString();
    else while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at++;
    skipSpace();
  }

  function members(path: string): void {
    at++;
    skipSpace();
    while (at < text.length && text[at] !== '}') {
      const key = at;
      skipString();
      const name = JSON.parse(text.slice(key, at)) as string;
      skipSpace();
      at++;
      value(joinPath(path, name), key);
      skipComma();
    }
    at++;
  }

  function items(path: string): void {
    at++;
    skipSpace();
    for (let nth = 0; at < text.length && text[at] !== ']'; nth++) {
      value(`${path}[${nth}]`, undefined);
      skipComma();
    }
    at++;
  }

  function skipString(): void {
    for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    at++;
  }

  function skipComma(): void {
    if (text[at] === ',') at++;
    skipSpace();
  }

  function skipSpace(): void {
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  }
}
