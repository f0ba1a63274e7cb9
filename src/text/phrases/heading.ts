import type { RunHeading } from '../../engine/open/find-run.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { identity, time } from '../style/words.ts';
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
