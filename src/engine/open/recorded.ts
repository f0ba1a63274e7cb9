import type { JsonValue } from '../../base/json.ts';
import type { StoredEvent } from '../../model/event.ts';
import { shownRedactor } from '../../runner/redaction.ts';
import type { WriterOptions } from '../../store/journal.ts';
import type { Workspace } from './workspace.ts';

/** Passes what is recorded on to the environment, without secrets. Undefined: it takes no events. */
export function createRecordListener(workspace: Workspace, run: string): WriterOptions['recorded'] {
  const { onRecorded } = workspace.env;
  if (onRecorded === undefined) return undefined;
  const { redact } = shownRedactor(workspace);
  return (events) =>
    onRecorded(
      run,
      events.map((event) => redactedStrings(event as unknown as JsonValue, redact) as unknown as StoredEvent),
    );
}

function redactedStrings(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactedStrings(item, redact));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      item === undefined ? item : redactedStrings(item, redact),
    ]),
  ) as JsonValue;
}
