import { events } from '../../../src/text/catalogue/events.ts';
import { code, mostCommon, table } from './markdown.ts';
import { type ModelType, modelTypes } from './model-types.ts';

/** The reference of events: what `pawl explain` says of each, and its fields as the model declares them. */
export function eventsPage(): string {
  const types = modelTypes();
  const ofEvents = types.filter(({ event }) => event !== undefined);
  const parts = partsOf(ofEvents, types);
  const shared = mostCommon(Object.values(events).map(({ follows }) => follows));
  return [
    '# Events',
    '',
    'Every event that can stand in a journal, with its fields. Made from `src/model/` and `src/text/catalogue/events.ts` by a',
    'test; run it with `UPDATE_DOCS=1` to write it anew. [The journal](../formats/journal.md) says how they lie on disk: each',
    'also has `seq`, `at` and `type`, and may have fields that a reader does not know. A field with `?` may be absent; a',
    '`Hash` is `sha256:` and 64 hex digits.',
    '',
    '## As they happen',
    '',
    '`pawl run --events` prints each event that it records, durable and without secrets, as one JSON object per line on',
    'stdout. Every line begins with `type`, `seq`, `at`, `run` (the id), `actor` (whose journal) and `epoch`; events of a',
    'step have `step` (`unit/phase`). Then come the fields of the event as below. A run with nothing to do prints none.',
    'The last line has `type: "answer"`: the document that `--json` prints, whatever came of the run. Progress is off,',
    'stdout holds nothing else, and exit codes are as always. A slow reader slows the run down; one that closes early',
    'does not end it. `pawl run --events | jq -r \'select(.type == "attempt_failed") | .step\'` lists failed attempts.',
    '',
    '`pawl status --watch --json` prints the same lines from a second terminal, for what is recorded while it watches.',
    '',
    ...Object.entries(events).flatMap(([event, { what, follows }]) => [
      `## ${event}`,
      '',
      follows === shared ? what : `${what} ${follows}`,
      '',
      ...fieldTable(ofEvents.find((type) => type.event === event)),
    ]),
    '## Parts',
    '',
    'What several fields are made of.',
    '',
    ...parts.flatMap((part) => [
      `### ${part.name}`,
      '',
      ...(part.doc === '' ? [] : [part.doc, '']),
      ...body(part),
    ]),
  ].join('\n');
}

function body(part: ModelType): string[] {
  return part.alias === undefined
    ? fieldTable(part)
    : [`${part.alias.split(' | ').map(code).join(', ')}.`, ''];
}

function fieldTable(type: ModelType | undefined): string[] {
  if (type === undefined) throw new Error('an event without a type in src/model');
  if (type.fields.length === 0) return [];
  return table([
    ['field', 'type', ''],
    ...type.fields.map(({ name, type: of, doc }) => [code(name), code(of), doc]),
  ]);
}

/** The types that fields of events name, and those that their fields name. */
function partsOf(found: readonly ModelType[], types: readonly ModelType[]): ModelType[] {
  const wanted = new Set<ModelType>();
  const visit = ({ fields }: ModelType): void => {
    const words = new Set(fields.flatMap(({ type }) => type.match(/\w+/g) ?? []));
    for (const type of types) {
      if (!words.has(type.name) || wanted.has(type)) continue;
      wanted.add(type);
      visit(type);
    }
  };
  for (const type of found) visit(type);
  return types.filter((type) => wanted.has(type));
}
