import { recheckedSubject } from '../../../model/decisions.ts';
import type { PlacedDecision } from '../../observe/decisions.ts';
import type { HistoryEntry } from '../../observe/history-entry.ts';

/** The decisions of one call that can be taken back together. */
export interface UndoableCall {
  readonly entries: readonly HistoryEntry[];
  /** Index of their first event in the journal. */
  readonly index: number;
}

/**
 * The newest call whose decisions stand. `redo`: the newest undo, where nothing was decided since. One call may re-run,
 * keep and adopt at once: these were decided together, and are taken back together.
 */
export function lastDecision(placed: readonly PlacedDecision[], redo: boolean): UndoableCall | undefined {
  const standing = placed.filter(({ entry }) => entry.undoneBy === undefined);
  const isMeant = redo ? isUndo : isUndoable;
  const last = standing.findLast(({ entry }) => isMeant(entry));
  if (last === undefined) return undefined;
  const isOlder = standing.some(({ entry, index }) => isUndoable(entry) && index > last.index);
  if (redo && isOlder) return undefined;
  const ofCall = standing.filter(({ entry, call }) => call === last.call && isMeant(entry));
  return { entries: ofCall.map(({ entry }) => entry), index: Math.min(...ofCall.map(({ index }) => index)) };
}

function isUndo({ kind }: HistoryEntry): boolean {
  return kind === 'undone';
}

/** Decisions about results. What concerns the run as a whole, such as a limit, has nothing to bring back. */
function isUndoable({ kind, subject, effects }: HistoryEntry): boolean {
  switch (kind) {
    case 'override':
      return effects.some((effect) => resultEffects.has(effect.kind));
    case 'kept':
      return subject !== recheckedSubject;
    case 're-run':
    case 'adopted':
    case 're-run by policy':
    case 'restored':
      return true;
    default:
      return false;
  }
}

const resultEffects: ReadonlySet<HistoryEntry['kind']> = new Set(['re-run', 'kept', 'adopted']);
