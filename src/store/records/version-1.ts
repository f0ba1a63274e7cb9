import { isJsonObject, type JsonObject } from '../../base/json.ts';

/*
 * The words of version 1 of the journal, read as those of version 2 (`docs/formats/journal.md`). A run that version 1 began
 * is continued in segments of version 2, so both stand in one journal.
 */

/** An event of a segment of version 1, or of one whose header cannot be read. Events of version 2 stay as they are. */
export function readVersion1(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { iteration, cells, only, ...rest } = fields;
  const type = newTypes.get(fields.type) ?? fields.type;
  const isOfResults = type === 'results_superseded' || type === 'results_kept';
  return {
    ...rest,
    type,
    ...(iteration !== undefined && { round: iteration }),
    ...(cells !== undefined && { [isOfResults ? 'steps' : 'cells']: cells }),
    ...(only !== undefined && { [isOfResults ? 'onlyAttempt' : 'only']: only }),
    ...readOutputs(fields),
    ...(type === 'results_restored' && { steps: readItems(fields.steps, readRestoredStep) }),
  };
}

/** A map, because the type comes from outside: `constructor` is not an event. */
const newTypes: ReadonlyMap<unknown, string> = new Map([
  ['phase_started', 'attempt_started'],
  ['phase_succeeded', 'attempt_succeeded'],
  ['phase_failed', 'attempt_failed'],
  ['phase_interrupted', 'attempt_interrupted'],
  ['phase_paused', 'attempt_paused'],
  ['outputs_proven', 'outputs_verified'],
  ['brief_handed', 'brief_delivered'],
  ['told_bound', 'foreign_reports_bound'],
]);

/** Inode and modification time were part of the record of an output. They mean nothing on another machine. */
function readOutputs({ outputs, after, partial, handed }: Readonly<Record<string, unknown>>): object {
  return {
    ...(outputs !== undefined && { outputs: readMap(outputs, withoutStamp) }),
    ...(after !== undefined && { after: withoutStamp(after) }),
    ...(isJsonObject(partial) && {
      partial: { ...partial, outputs: readMap(partial.outputs, withoutStamp) },
    }),
    ...(handed !== undefined && { handed: readMap(handed, (files) => readMap(files, withoutStamp)) }),
  };
}

function withoutStamp(output: unknown): unknown {
  if (!isJsonObject(output)) return output;
  const { ino: _, mtime: __, ...record } = output;
  return record;
}

function readRestoredStep(step: unknown): unknown {
  return isJsonObject(step) ? { ...step, results: readItems(step.results, readRestoredResult) } : step;
}

function readRestoredResult(result: unknown): unknown {
  if (!isJsonObject(result)) return result;
  const { iteration, told, ...rest } = result;
  return {
    ...rest,
    ...(iteration !== undefined && { round: iteration }),
    ...(told !== undefined && { reported: told }),
    outputs: readMap(result.outputs, withoutStamp),
  };
}

/** What is no list or map stays as it is: the check of the event's shape reports it. */
function readItems(list: unknown, read: (item: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map(read) : list;
}

function readMap(map: unknown, read: (item: unknown) => unknown): unknown {
  return isJsonObject(map)
    ? Object.fromEntries(Object.entries(map satisfies JsonObject).map(([name, item]) => [name, read(item)]))
    : map;
}
