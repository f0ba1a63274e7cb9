import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { RevisionRecorded } from '../model/event.ts';
import { emptyLedger, type Ledger, promotedResult, type Step } from './ledger.ts';

/*
 * A ledger as data, so that opening a run costs what changed since. Steps are written and read as they are,
 * because a large run has hundreds of thousands of them and converting each would take longer than reading.
 * Undefined fields are left out.
 */

const version = 14;

/** In parts, made on demand: first the single values, then the steps, many to a part. */
export function* ledgerToSnapshot(ledger: Ledger): Generator<JsonValue> {
  const { steps, revisions, ...rest } = ledger;
  yield { version, ledger: rest, revisions: [...revisions.values()] } as unknown as JsonValue;
  let part: Step[] = [];
  for (const step of steps.values()) {
    part.push(withoutRepeats(step));
    if (part.length < stepsPerPart) continue;
    yield part as unknown as JsonValue;
    part = [];
  }
  if (part.length > 0) yield part as unknown as JsonValue;
}

/** Undefined for parts of another version. Their bytes were proven by the file's own checksum. */
export function ledgerFromSnapshot(parts: Iterable<JsonValue>): Ledger | undefined {
  let ledger: Ledger | undefined;
  for (const part of parts) {
    if (ledger === undefined) ledger = ledgerFromHead(part);
    else if (Array.isArray(part))
      for (const step of part) ledger.steps.add(withRepeats(step as unknown as Step));
    else return undefined;
    if (ledger === undefined) return undefined;
  }
  return ledger;
}

const stepsPerPart = 256;

function ledgerFromHead(part: JsonValue): Ledger | undefined {
  if (!isJsonObject(part) || part.version !== version || !isJsonObject(part.ledger)) return undefined;
  const ledger: Ledger = { ...emptyLedger(), ...part.ledger };
  for (const revision of part.revisions as unknown as (RevisionRecorded & { at: string })[])
    ledger.revisions.set(revision.revision, revision);
  return ledger;
}

/** What lies at the declared paths is nearly always what the promoted result says. */
function withoutRepeats(step: Step): Step {
  const isRepeated = step.placed !== undefined && promotedResult(step)?.outputs === step.placed;
  return isRepeated ? { ...step, placed: undefined } : step;
}

function withRepeats(step: Step): Step {
  step.placed ??= promotedResult(step)?.outputs;
  // JSON has no undefined in lists: a round without a result comes back as null.
  if (step.results.length > 1) step.results = step.results.map((result) => result ?? undefined);
  return step;
}
