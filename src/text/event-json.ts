import type { StoredEvent } from '../model/event.ts';
import { stepName } from '../model/names.ts';

/**
 * An event as `pawl run --events` prints it: what every line has comes first, then the event's own fields as they are
 * in the journal.
 */
export function eventJson(run: string, event: StoredEvent): object {
  const { type, seq, at, actor, epoch, ...own } = event;
  const { unit, phase } = own as { readonly unit?: unknown; readonly phase?: unknown };
  const isOfStep = typeof unit === 'string' && typeof phase === 'string';
  return { type, seq, at, run, actor, epoch, ...(isOfStep && { step: stepName(unit, phase) }), ...own };
}

/** The last line: the document of `--json`, marked as what it is. */
export function lastLineJson(document: object): object {
  return { type: 'answer', ...document };
}
