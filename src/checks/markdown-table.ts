import type { TableJustify, TableSpec, TableVerdict } from '../model/definition.ts';
import { bareText, isLeftOpen, saysNothing } from './cell-words.ts';
import { type MarkdownBlock, type MarkdownTable, readMarkdown } from './markdown.ts';
import { quotedText } from './misfit.ts';
import { type CheckOutcome, failed, passed } from './outcome.ts';
import { decodeUtf8, shorten } from './text.ts';

/**
 * A section of a Markdown file holds a filled-in table. Forgiving about how things are written, never about
 * what they mean: a template with its choices still in it is undecided.
 */
export function checkMarkdownTable(spec: TableSpec, bytes: Uint8Array): CheckOutcome {
  if (bytes.length === 0) return failed('empty');
  if (bytes.length > bytesMax) return failed('too-large-to-check');
  const text = decodeUtf8(bytes);
  if (text === undefined) return failed('not-utf8');
  const section = JSON.stringify(spec.section);
  const blocks = readMarkdown(text);
  const tables = tablesIn(blocks, spec.section);
  if (tables === undefined) return failed(`no section ${section}`);
  const troubles = judgeTables(spec, tables, reasonsIn(blocks, spec.verdict?.justify));
  return troubles === undefined ? passed : failed(`section ${section}: ${troubles}`);
}

/** Larger by far than what anybody reads. */
const bytesMax = 4 * 1024 * 1024;

/** Undefined: there is no such section. One that stands there twice is one section. */
function tablesIn(blocks: readonly MarkdownBlock[], section: string): MarkdownTable[] | undefined {
  const wanted = bareText(section);
  let tables: MarkdownTable[] | undefined;
  let openLevel: number | undefined;
  for (const block of blocks) {
    if (block.kind === 'table') {
      if (openLevel !== undefined) tables?.push(block);
    } else if (openLevel === undefined || block.level <= openLevel) {
      const isWanted = isHeadingOf(block.text, wanted);
      openLevel = isWanted ? block.level : undefined;
      if (isWanted) tables ??= [];
    }
  }
  return tables;
}

function isHeadingOf(heading: string, wanted: string): boolean {
  const words = bareText(heading);
  return words === wanted || withoutNumber(words) === wanted;
}

/** `3. Title`, `3.1 Title`, `IV) Title`, `3 – Title`. */
function withoutNumber(words: string): string | undefined {
  const space = words.indexOf(' ');
  if (space === -1 || !numberPattern.test(words.slice(0, space))) return undefined;
  const title = words.slice(space + 1);
  return bareText(/^[-–—:] /.test(title) ? title.slice(2) : title);
}

const numberPattern = /^§?(?:\d+(?:\.\d+)*[.):]?|[a-z][.)]|[ivxlcdm]+[.)])$/;

/**
 * All that is wrong, or undefined. Tables of the section with other columns are about something else; of the rest
 * every one is judged.
 */
function judgeTables(
  spec: TableSpec,
  tables: readonly MarkdownTable[],
  reasons: Reasons,
): string | undefined {
  const [first] = tables;
  if (first === undefined) return 'no table';
  const needed = neededColumns(spec);
  const judge = rowJudge(spec, reasons);
  const reported: string[] = [];
  let untold = 0;
  let isFound = false;
  let rowCount = 0;
  for (const { header, rows } of tables) {
    const columns = findColumns(needed, header);
    if (columns === undefined) continue;
    isFound = true;
    for (const cells of rows) {
      rowCount++;
      for (const trouble of judge({ cells, columns, width: header.length })) {
        if (reported.length < reportedMax) reported.push(`${rowName(cells, rowCount)}: ${trouble}`);
        else untold++;
      }
    }
  }
  if (!isFound) return missingColumns(needed, first);
  if (rowCount === 0) return 'a table without rows';
  if (rowCount < spec.rowsMin) reported.unshift(`expected at least ${spec.rowsMin} rows, found ${rowCount}`);
  if (reported.length === 0) return undefined;
  return untold === 0 ? reported.join('; ') : `${reported.join('; ')}; and ${untold} more`;
}

/** Several wrong rows are reported at once, because the next attempt may cost a lot. */
const reportedMax = 5;

function rowName([first = '']: readonly string[], number: number): string {
  return first === '' ? `row ${number}` : `row ${number} (${shorten(first, 40)})`;
}

function neededColumns({ columns, verdict }: TableSpec): string[] {
  const judged = verdict === undefined ? [] : [verdict.column];
  const justify = verdict?.justify;
  const reasons = justify === undefined || justify.elsewhere !== undefined ? [] : [justify.column];
  return [...new Set([...columns, ...judged, ...reasons])];
}

/** Where each column stands, by its name in the manifest. */
type Columns = ReadonlyMap<string, number>;

/** Undefined if one is missing or is there twice, because then no one can say which of two verdicts counts. */
function findColumns(needed: readonly string[], header: readonly string[]): Columns | undefined {
  const places = columnPlaces(header);
  const columns = new Map<string, number>();
  for (const name of needed) {
    const [at, ...others] = places.get(bareText(name)) ?? [];
    if (at === undefined || others.length > 0) return undefined;
    columns.set(name, at);
  }
  return columns;
}

/** A note in brackets behind a name is no part of it, as in `Verdict (COMPLIES / EXCEPTION)`. */
function columnPlaces(header: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  header.forEach((cell, at) => {
    const name = bareText(cell);
    const note = name.indexOf('(');
    for (const as of note < 1 ? [name] : [name, bareText(name.slice(0, note))]) {
      const known = places.get(as);
      if (known === undefined) places.set(as, [at]);
      else known.push(at);
    }
  });
  return places;
}

function missingColumns(needed: readonly string[], { header }: MarkdownTable): string {
  const places = columnPlaces(header);
  const missing = needed.filter((name) => places.get(bareText(name))?.length !== 1);
  return `expected one column ${shorten(missing.join(', '), 120)}, found ${shorten(header.join(', '), 120)}`;
}

interface Row {
  readonly cells: readonly string[];
  readonly columns: Columns;
  /** How many columns the header has. */
  readonly width: number;
}

/** What is wrong with a row; what it is compared with is read once for all of them. */
function rowJudge({ columns: named, verdict }: TableSpec, reasons: Reasons): (row: Row) => string[] {
  const judgeVerdict = verdict && verdictJudge(verdict, reasons);
  // Whether these two are filled in is asked by the verdict's own rules.
  const own = new Set([verdict?.column, reasons === undefined ? verdict?.justify?.column : undefined]);
  const filled = named.filter((name) => !own.has(name));
  return (row) => {
    const { cells, width } = row;
    // GitHub drops the rest. Here a bar between two verdicts would make a verdict and a justification of them.
    if (cells.length > width) return [`expected ${width} cells, found ${cells.length}`];
    if (cells.every(isLeftOpen)) return ['nothing is filled in'];
    const troubles = filled
      .map((name) => [name, cellOf(row, name)] as const)
      .filter(([, cell]) => isLeftOpen(cell))
      .map(([name, cell]) => `expected ${name} to be filled in, found ${found(cell)}`);
    return judgeVerdict === undefined ? troubles : [...troubles, ...judgeVerdict(row)];
  };
}

function verdictJudge({ column, allow, justify }: TableVerdict, reasons: Reasons): (row: Row) => string[] {
  const allowed = new Set(allow.map(bareText));
  const toJustify = new Set(justify?.when.map(bareText));
  const choices = shorten(allow.join(', '), 120);
  return (row) => {
    const cell = cellOf(row, column);
    const verdict = bareText(cell);
    if (verdict === '' || !allowed.has(verdict)) {
      return [`expected ${column} to be one of ${choices}, found ${found(cell)}`];
    }
    if (justify === undefined || !toJustify.has(verdict)) return [];
    if (reasons !== undefined) return missingReason(reasons, row, { cell, allowed });
    const reason = cellOf(row, justify.column);
    // A verdict is no reason for itself.
    if (!saysNothing(reason) && !allowed.has(bareText(reason))) return [];
    return [`expected ${justify.column} for ${shorten(cell, 40)}, found ${found(reason)}`];
  };
}

/** The rows of the table that reasons stand in, where it is another one. Undefined: they stand in the row itself. */
type Reasons = ReasonTable | undefined;

interface ReasonTable {
  readonly section: string;
  readonly column: string;
  /** Undefined where there is no such section, or no table with these columns in it. */
  readonly rows: readonly { readonly names: string; readonly reason: string }[] | undefined;
}

function reasonsIn(blocks: readonly MarkdownBlock[], justify: TableJustify | undefined): Reasons {
  if (justify?.elsewhere === undefined) return undefined;
  const { column, elsewhere } = justify;
  const { section, rowColumn } = elsewhere;
  const found = (tablesIn(blocks, section) ?? []).flatMap(({ header, rows }) => {
    const columns = findColumns([rowColumn, column], header);
    if (columns === undefined) return [];
    const row = (cells: readonly string[]): Row => ({ cells, columns, width: header.length });
    return [
      rows.map((cells) => ({ names: cellOf(row(cells), rowColumn), reason: cellOf(row(cells), column) })),
    ];
  });
  return { section, column, rows: found.length === 0 ? undefined : found.flat() };
}

function missingReason(
  { section, column, rows }: ReasonTable,
  { cells: [name = ''] }: Row,
  { cell, allowed }: { readonly cell: string; readonly allowed: ReadonlySet<string> },
): string[] {
  const where = `in section ${JSON.stringify(section)}`;
  const verdict = shorten(cell, 40);
  if (rows === undefined) return [`expected a table with ${column} for ${verdict} ${where}, found none`];
  const about = rows.filter(({ names }) => namesRow(names, name));
  if (about.length === 0) return [`expected a row for ${verdict} ${where}, found none`];
  if (about.some(({ reason }) => !saysNothing(reason) && !allowed.has(bareText(reason)))) return [];
  return [`expected ${column} for ${verdict} ${where}, found ${found(about[0]?.reason ?? '')}`];
}

/** `I — Library-First` is named by all of it, by `Library-First`, by `Article I exception`. */
function namesRow(names: string, row: string): boolean {
  const said = wordsOf(names);
  const parts = [row, ...row.split(/\s[-–—:]\s|[:()]/)].map(wordsOf).filter((words) => words !== '');
  return parts.some((words) => ` ${said} `.includes(` ${words} `));
}

function wordsOf(text: string): string {
  return bareText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A row may be shorter than its header. */
function cellOf({ cells, columns }: Row, name: string): string {
  return cells[columns.get(name) ?? -1] ?? '';
}

function found(cell: string): string {
  return quotedText(cell === '' ? undefined : cell);
}
