import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { unreachable } from '../../base/result.ts';
import type { OutputCheck, TableJustify, TableSpec, TableVerdict } from '../../model/definition.ts';
import { type LoadContext, schemaBytesMax } from '../context.ts';
import { usePath } from '../paths.ts';
import type { ManifestPhase } from '../schema/manifest.ts';
import { nearest, suggestion } from '../text/problems.ts';
import { checkArgv, resolveFunction } from './executor.ts';

type Output = NonNullable<ManifestPhase['outputs']>[string];
type WrittenCheck = NonNullable<Exclude<Output, string>['check']>;
type WrittenTable = Extract<WrittenCheck, { 'markdown-table': unknown }>['markdown-table'];
type WrittenJustify = NonNullable<Exclude<WrittenTable, string>['justify']>;

/** Reads what proves an output. */
export function resolveCheck(context: LoadContext, check: WrittenCheck, at: string): OutputCheck {
  if (typeof check === 'string') return { kind: check };
  if ('json-schema' in check) return resolveSchema(context, check['json-schema'], `${at}.json-schema`);
  if ('regex' in check) {
    const { regex: pattern, flags = '' } = check;
    requireRegex(context, pattern, flags, `${at}.regex`);
    return { kind: 'regex', pattern, flags };
  }
  if ('command' in check) {
    checkArgv(context, check.command, ['{file}'], `${at}.command`);
    return { kind: 'command', argv: check.command };
  }
  if ('png' in check) return { kind: 'png', ...check.png };
  if ('markdown-table' in check) {
    const table = resolveTable(context, check['markdown-table'], `${at}.markdown-table`);
    return { kind: 'markdown-table', table };
  }
  if ('function' in check) return resolveFunction(context, check.function, `${at}.function`);
  return unreachable(check);
}

/**
 * The file of the workspace that a check is made from, and what of it is part of the phase's definition: when that
 * changes, results were judged by something else.
 */
export function madeFrom(check: OutputCheck): { readonly path?: string; readonly data?: JsonValue } {
  switch (check.kind) {
    case 'json-schema':
      return { path: check.path, data: check.schema };
    case 'function':
      return { path: check.module };
    case 'non-empty':
    case 'json':
    case 'image':
    case 'png':
    case 'regex':
    case 'markdown-table':
    case 'command':
      return {};
    default:
      return unreachable(check);
  }
}

/** A file that has to fit a JSON Schema. */
export function resolveSchema(context: LoadContext, written: string, at: string): OutputCheck {
  const path = usePath(context.reader, context.problems, written, at);
  return { kind: 'json-schema', path, schema: readSchema(context, path, at) };
}

/** The schema is part of the phase's definition: another schema is another idea of what a good result is. */
function readSchema(context: LoadContext, path: string, at: string): JsonValue {
  const { sources, problems, parseData } = context;
  const source = sources.readText(path, schemaBytesMax);
  if (source.kind === 'missing') {
    problems.add('schema-invalid', at, { found: path, cause: 'missing' });
    return true;
  }
  if (source.kind === 'unusable') {
    problems.add(source.code, at, source.facts);
    return true;
  }
  if (parseData === undefined) throw new Error('a schema is read without a parser');
  const document = parseData(source.text, path);
  if (!document.ok) {
    for (const problem of document.failure) {
      problems.addAt(problem.place, 'schema-invalid', at, { found: path, cause: problem.code });
    }
    return true;
  }
  const { data } = document.value;
  if (!isJsonObject(data) && typeof data !== 'boolean') {
    problems.add('schema-invalid', at, { found: path, cause: 'not-a-schema' });
  }
  return data;
}

function resolveTable(context: LoadContext, written: WrittenTable, at: string): TableSpec {
  const table = typeof written === 'string' ? { section: written } : written;
  const { section, columns = [], rows: rowsMin = 1 } = table;
  return { section, columns, rowsMin, verdict: resolveVerdict(context, table, at) };
}

/** A verdict and what it may be belong together; a justification is one of verdicts. */
function resolveVerdict(
  context: LoadContext,
  { verdict: column, allow, justify }: Exclude<WrittenTable, string>,
  at: string,
): TableVerdict | undefined {
  const { problems } = context;
  if (column === undefined && allow === undefined && justify === undefined) return undefined;
  if (column === undefined) problems.add('missing-key', `${at}.verdict`, { expected: 'string' });
  if (allow === undefined) problems.add('missing-key', `${at}.allow`, { expected: 'list' });
  if (column === undefined || allow === undefined) return undefined;
  justify?.when.forEach((found, nth) => {
    if (allow.includes(found)) return;
    const facts = { found, valid: allow, ...suggestion(nearest(found, allow)) };
    problems.add('not-one-of', `${at}.justify.when[${nth}]`, facts);
  });
  return { column, allow, justify: justify && resolveJustify(context, justify, `${at}.justify`) };
}

/** A table of reasons and the column that names its rows belong together. */
function resolveJustify({ problems }: LoadContext, written: WrittenJustify, at: string): TableJustify {
  const { when, in: column, section, for: rowColumn } = written;
  if (section === undefined && rowColumn === undefined) return { when, column };
  if (section === undefined) problems.add('missing-key', `${at}.section`, { expected: 'string' });
  if (rowColumn === undefined) problems.add('missing-key', `${at}.for`, { expected: 'string' });
  if (section === undefined || rowColumn === undefined) return { when, column };
  return { when, column, elsewhere: { section, rowColumn } };
}

function requireRegex(context: LoadContext, pattern: string, flags: string, at: string): void {
  try {
    new RegExp(pattern, flags);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    context.problems.add('regex-invalid', at, { found: pattern, detail });
  }
}
