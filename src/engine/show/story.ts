import type { StoredEvent } from '../../model/event.ts';
import { parseStepName, type StepName } from '../../model/names.ts';
import { gatherAttempts, isEventAbout } from '../observe/attempts.ts';
import { gatherDecisions } from '../observe/decisions.ts';
import type { StoryEntry } from '../observe/history-entry.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { openRunJournal } from '../open/run-files.ts';
import type { Workspace } from '../open/workspace.ts';
import { narrowed } from './history.ts';

/** All that ever happened to one step: why each attempt ran, what it cost, and who decided what. */
export function storyOf(
  { env, root }: Workspace,
  { folder }: Pick<OpenedRun, 'folder'>,
  step: StepName,
  isHeld: boolean,
): readonly StoryEntry[] {
  const { unit = '', phase } = parseStepName(step) ?? {};
  // Only these are kept, because a journal may be longer than what fits into memory.
  const own: StoredEvent[] = [];
  const events = function* () {
    for (const event of openRunJournal(env, root, folder).events()) {
      if (isEventAbout(event, (one) => one === unit)) own.push(event);
      yield event;
    }
  };
  const decisions = gatherDecisions(events()).flatMap((entry) => narrowed(entry, step));
  const attempts = (gatherAttempts(own, isHeld).get(unit) ?? []).filter((one) => one.phase === phase);
  const entries: StoryEntry[] = [
    ...decisions.map((decision) => ({ at: decision.at, decision })),
    ...attempts.map((attempt) => ({ at: attempt.startedAt, attempt })),
  ];
  // A decision stands before the attempt that it caused, also within one millisecond.
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
