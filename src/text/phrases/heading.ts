import type { RunHeading } from '../../engine/open/find-run.ts';
import type { LockOwner } from '../../model/failure.ts';
import { isTerminal } from '../../model/status.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, identity, time } from '../style/words.ts';
import { resumeHint } from './hints.ts';
import { paintRunStatus } from './statuses.ts';

/** Which run an answer is about: `book (book=ember) 20261115-1203-book-x7k2 completed, 2026-11-15 12:03:11 UTC`. */
export function headingLine(heading: RunHeading, style: Style): string {
  const { paint } = style;
  const name = paint.bold(plain(heading.pipeline));
  const values = identityOf(heading);
  const of = values === '' ? name : `${name} (${values})`;
  return `${of} ${plain(heading.run)} ${standOf(heading, style)}, ${time(heading.updatedAt)}`;
}

/** How a run stands; of an abandoned one also which run replaced it. */
function standOf({ status, replacedBy }: RunHeading, style: Style): string {
  const words = paintRunStatus(status, style);
  if (replacedBy === undefined) return words;
  return `${style.paint.dim('abandoned')} (replaced by ${plain(replacedBy)}; ${words})`;
}

/** What tells the run from others of its pipeline; nothing where the pipeline's name is all. */
export function identityOf({
  pipeline,
  identity: values,
}: Pick<RunHeading, 'pipeline' | 'identity'>): string {
  const isDefault = Object.keys(values).length === 1 && values.pipeline === pipeline;
  return isDefault ? '' : identity(values);
}

/** Where a command has to point to in order to mean this run's workspace. */
export function pathOf(heading: RunHeading | undefined, style: Style): string | undefined {
  return heading === undefined ? style.path : heading.workspace;
}

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

/** The owner of a lock, as far as it is known: the line that names it may be damaged. */
export function ownerWords({ pid, host, since }: Pick<LockOwner, 'pid' | 'host' | 'since'>): string {
  const who = pid === 0 ? 'a process that its journal no longer names' : `process ${pid}`;
  return `${who}${host === '' ? '' : ` on ${plain(host)}`}${since === '' ? '' : ` since ${time(since)}`}`;
}
