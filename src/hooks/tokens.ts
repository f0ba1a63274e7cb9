/*
 * How much of an agent's context a text takes. Each model counts differently, and none is asked: three and a half
 * characters a token is on the safe side for English prose with names and numbers in it.
 */

export function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** As many whole lines from the top as are under the limit. */
export function linesUnder(lines: readonly string[], tokensMax: number): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (Math.ceil(length / charactersPerToken) > tokensMax) break;
    kept.push(line);
  }
  return kept;
}

const charactersPerToken = 3.5;
