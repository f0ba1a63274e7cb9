import { excerpt } from './findings.ts';
import { isDelimiter, stepsOf } from './lines.ts';
import { addFields, addSaid, type OutlineState, type Table } from './outline-state.ts';
import { fieldOf, keyOf, type SectionKind } from './words.ts';

/** A table begins with its head, with or without the line below it, and ends with an empty line. */
export function isTableLine(state: OutlineState, text: string, next: string | undefined): boolean {
  if (state.isYaml || !text.includes('|')) return false;
  return text.startsWith('|') || state.table !== undefined || isDelimiter(next);
}

export function takeTableLine(state: OutlineState, text: string, line: number): void {
  if (isDelimiter(text)) return;
  const steps = stepsOf(text);
  if (state.table === undefined) state.table = takeHead(state, steps, line);
  else if (state.table.kind === 'pairs') takePair(state, steps, line);
  else if (state.table.kind === 'columns') takeRow(state, state.table.columns, steps, line);
  state.entry = undefined;
}

/** The columns without which a row means nothing. */
const leading: Readonly<Partial<Record<SectionKind, string>>> = {
  completed: 'stage',
  stages: 'stage',
  iterations: 'loop',
  clusters: 'defect',
  checkpoints: 'name',
  notes: 'text',
};

function takeHead(state: OutlineState, steps: readonly string[], line: number): Table {
  const { kind } = state.section;
  if (kind === 'unknown') return { kind: 'unreadable' };
  const columns = steps.map((step) => fieldOf(kind, keyOf(step)));
  if (kind === 'facts' || kind === 'current') {
    if (steps.length !== 2 || !columns.includes(undefined))
      return { kind: 'columns', columns: firstOfEach(columns) };
    // `| status | DONE |`: such a table has no head, only pairs.
    if (columns[0] !== undefined) takePair(state, steps, line);
    return { kind: 'pairs' };
  }
  const needed = leading[kind];
  if (columns.includes(needed)) return { kind: 'columns', columns: firstOfEach(columns) };
  state.report(line, { code: 'columns-unknown', section: kind, columns: steps.slice(0, 20).map(excerpt) });
  return { kind: 'unreadable' };
}

/** Of two columns that mean the same (`Stage`, `Name`) the first counts. */
function firstOfEach(columns: readonly (string | undefined)[]): (string | undefined)[] {
  const seen = new Set<string | undefined>();
  return columns.map((column) => {
    if (seen.has(column)) return undefined;
    seen.add(column);
    return column;
  });
}

function takePair(state: OutlineState, [key = '', value = '']: readonly string[], line: number): void {
  const field = fieldOf(state.section.kind, keyOf(key));
  if (field === undefined) addSaid(state, line, `${key}: ${value}`);
  else addFields(state, line, [[field, value]]);
}

function takeRow(
  state: OutlineState,
  columns: readonly (string | undefined)[],
  steps: readonly string[],
  line: number,
): void {
  const row: [string, string][] = [];
  for (const [at, column] of columns.entries()) {
    const step = steps[at];
    if (column !== undefined && step !== undefined) row.push([column, step]);
  }
  addFields(state, line, row, 0, true);
}
