import type { LoadContext } from '../prompts/context.ts';

/** Neither the value nor its line is shown: somebody may have written a secret there. */
export function addUnshown({ problems }: LoadContext, at: string, expected: readonly string[]): void {
  const place = problems.locate(at);
  problems.addAt(place && { ...place, source: '' }, 'wrong-type', at, { found: 'string', expected });
}
