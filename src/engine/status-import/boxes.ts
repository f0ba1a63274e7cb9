import type { Ledger } from '../../ledger/ledger.ts';
import { allQuestions } from '../../ledger/questions.ts';
import { importedPage } from '../../ledger/results.ts';
import type { Notice } from '../../model/reason.ts';
import { isResumableStatus, squash } from '../../projections/status-page/status-words.ts';
import type { Workspace } from '../open/workspace.ts';
import { findPages, tickedBoxes } from './pages.ts';
import { checkpointOf } from './ticks.ts';

/**
 * Boxes that were ticked after the import and without a decision on record: reported, and asked like any other. Those on
 * another tool's page that was ended for good are about a run that is over.
 */
export function tickedByHand(workspace: Workspace, ledger: Ledger): Notice[] {
  const approved = allQuestions(ledger).filter(({ decided }) => decided?.decision === 'approved');
  return findPages(workspace).flatMap((found) => {
    const { status } = found.page;
    if (!found.isOurs && status !== undefined && !isResumableStatus(status)) return [];
    const ticks = importedPage(ledger, found.unit.id)?.ticks ?? [];
    const isKnown = (id: string | undefined, name: string) =>
      approved.some((question) => question.id === id) ||
      ticks.some((tick) => squash(tick.name) === squash(name));
    return tickedBoxes(found)
      .filter(({ id, name }) => !isKnown(id, checkpointOf(found, name) ?? name))
      .map(({ name }): Notice => ({ code: 'box-ticked', path: found.path, name }));
  });
}
