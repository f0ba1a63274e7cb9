import type { RunHeading } from '../../engine/open/find-run.ts';
import { isTerminal } from '../../model/status.ts';
import type { Style } from '../style/style.ts';
import { count } from '../style/words.ts';
import { resumeHint } from './hints.ts';

/** The mark of files that were not written before their run was killed. */
export function behindLines(
  { behind, heading }: { readonly behind?: number; readonly heading: RunHeading },
  { paint, symbols }: Style,
): string[] {
  if (behind === undefined) return [];
  const words = `run.json and the other files made from the journal are ${count(behind, 'event')} behind the journal`;
  // Such a run is never resumed.
  const next = isTerminal(heading.status) ? '' : `; to write them: ${resumeHint(heading)}`;
  return [`${paint.yellow(symbols.warning)} ${words}${next}`];
}
