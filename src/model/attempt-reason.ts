import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { RunReason } from './reason.ts';

/** Why an attempt was started, as it was read from the journal. */
export type AttemptReason = (RunReason | ReasonNotRecorded | ForeignReason) & {
  /** `ACTOR#SEQ` of the event that superseded the earlier result, if one did. */
  readonly decision?: string;
};

/** The attempt was recorded by a version of Pawl that did not write reasons. */
export interface ReasonNotRecorded {
  readonly code: 'not-recorded';
}

/** Another version of Pawl wrote a code or fields that this one does not know. They are shown as data. */
export interface ForeignReason {
  readonly code: 'other-version';
  readonly recorded: JsonObject;
}

/**
 * The reason as `attempt_started` records it. Undefined for the first attempt of a step that never ran: a large run
 * consists of these, and an attempt 1 without a reason says the same.
 */
export function recordedReason(
  why: RunReason,
  attempt: number,
  decision: string | undefined,
): JsonObject | undefined {
  if (why.code === 'never-ran' && attempt === 1) return undefined;
  const kept = clipTexts(why as unknown as JsonValue);
  if (!isJsonObject(kept)) return undefined;
  return decision === undefined ? kept : { ...kept, decision };
}

/** Feedback may have thousands of characters, and its whole text is in the event of the decision. */
function clipTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length > textMax ? `${value.slice(0, textMax)}…` : value;
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as Readonly<Record<string, JsonValue | undefined>>);
  return Object.fromEntries(
    entries.flatMap(([name, field]) => (field === undefined ? [] : [[name, clipTexts(field)]])),
  );
}

const textMax = 300;
