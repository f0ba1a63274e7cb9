import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Warning } from './notes.ts';
import { readStatus } from './state-status.ts';
import { isNothing } from './values.ts';

/** What an agent that reads nothing but the section needs first. A run that is over needs no next step and no files. */
export function emptyPlaces({ recovery_state: state, files_to_read: files }: JsonObject): Warning[] {
  if (!isJsonObject(state)) return [];
  const { workflow_status: said, next_step: nextStep } = state;
  const status = typeof said === 'string' ? readStatus(said) : undefined;
  const isOver = status === 'completed' || status === 'cancelled';
  const empty: string[] = [];
  if (isNothing(said)) empty.push('recovery_state.workflow_status');
  if (isNothing(nextStep) && !isOver) empty.push('recovery_state.next_step');
  if (Array.isArray(files) && files.length === 0 && !isOver) empty.push('files_to_read');
  return empty.map((path) => ({ code: 'left-empty', path }));
}
