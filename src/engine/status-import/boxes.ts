import type { Ledger } from '../../ledger/ledger.ts';
import { allQuestions } from '../../ledger/questions.ts';
import type { Notice } from '../../model/reason.ts';
import type { Workspace } from '../open/workspace.ts';
import { findPages, tickedBoxes } from './pages.ts';

/** Boxes that are ticked on a page without a decision on record: told, and asked about like any other. */
export function tickedByHand(workspace: Workspace, ledger: Ledger): Notice[] {
  const approved = new Set(
    allQuestions(ledger).flatMap(({ id, decided }) => (decided?.decision === 'approved' ? [id] : [])),
  );
  return findPages(workspace).flatMap((found) =>
    tickedBoxes(found)
      .filter(({ id }) => id === undefined || !approved.has(id))
      .map(({ name }): Notice => ({ code: 'box-ticked', path: found.path, name })),
  );
}
