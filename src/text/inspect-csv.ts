import type { InspectedAttempt, InspectedUnit } from '../engine/observe/inspected.ts';
import type { InspectAnswer } from '../engine/show/inspect.ts';
import { isBest, stoppedOf } from './phrases/gates.ts';
import { plain } from './style/plain.ts';

/*
 * One line for each attempt, as RFC 4180 says, for spreadsheets and other programs. The header is part of what callers
 * build on: columns are only ever added at its end.
 */

type Value = string | number | boolean | undefined;

const columns: readonly (readonly [
  string,
  (attempt: InspectedAttempt, unit: InspectedUnit, answer: InspectAnswer) => Value,
])[] = [
  ['run', (_, __, { heading }) => heading.run],
  ['unit', (_, { unit }) => unit],
  ['index', (_, { index }) => index],
  ['stage', (_, { stage }) => stage],
  ['unit_status', (_, { status }) => status ?? 'removed'],
  ['phase', ({ phase }) => phase],
  ['attempt', ({ attempt }) => attempt],
  ['round', ({ iteration }) => iteration],
  ['started_at', ({ startedAt }) => startedAt],
  ['outcome', ({ outcome }) => outcome],
  ['superseded', ({ superseded }) => superseded],
  ['adopted', ({ outputs }) => outputs.some(({ isAdopted }) => isAdopted)],
  ['verdict', ({ verdict }) => verdict],
  ['passed', ({ passed }) => passed],
  ['decision', ({ decision }) => decision?.is],
  ['score', ({ score }) => score],
  ['scores', ({ scores = {} }) => listed(Object.entries(scores).map(([name, score]) => `${name}=${score}`))],
  ['defects', ({ defects }) => listed(defects)],
  ['failure', ({ failure }) => failure],
  ['message', ({ message }) => message],
  ['ms', ({ ms }) => ms],
  ['usd', ({ cost }) => cost?.usd],
  ['input_tokens', ({ cost }) => cost?.inputTokens],
  ['output_tokens', ({ cost }) => cost?.outputTokens],
  ['outputs', ({ outputs }) => listed(outputs.map(({ path }) => path))],
  ['best_round', (attempt, unit) => (attempt.score === undefined ? undefined : isBest(unit, attempt))],
  ['gate_stopped', (attempt, unit) => stoppedOf(unit, attempt)],
  ['why', ({ why }) => why?.code],
];

export function inspectCsv(answer: InspectAnswer): string {
  const records = answer.units.flatMap((unit) =>
    unit.attempts.map((attempt) => columns.map(([, value]) => field(value(attempt, unit, answer)))),
  );
  const lines = [columns.map(([name]) => name), ...records].map((record) => record.join(','));
  // Whoever prints an answer ends its last line with LF.
  return `${lines.join('\r\n')}\r`;
}

function listed(items: readonly string[]): string {
  return items.join('; ');
}

/** Line breaks and what cannot be seen are written out, so that a record is one line for every tool. */
function field(value: Value): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = harmless(plain(value));
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet takes a text with one of these in front for a formula, and may well carry it out. */
function harmless(text: string): string {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
}
