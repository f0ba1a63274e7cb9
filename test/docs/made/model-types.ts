import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/workspace.ts';

/** A type of the model as it is declared. The compiler's own reader is no part of the package any more. */
export interface ModelType {
  readonly name: string;
  readonly doc: string;
  /** The event that it is the shape of. */
  readonly event: string | undefined;
  readonly fields: readonly ModelField[];
  /** Of a type that is only another name. */
  readonly alias: string | undefined;
}

interface ModelField {
  /** With `?` where it may be absent. */
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

const files = [
  'event.ts',
  'result-event.ts',
  'calls.ts',
  'question-event.ts',
  'brief-event.ts',
  'page-event.ts',
  'notice-details.ts',
  'definition.ts',
  'reason.ts',
  'refusal.ts',
];

export function modelTypes(): ModelType[] {
  const text = files.map((file) => readFileSync(join(projectRoot, 'src/model', file), 'utf8')).join('\n');
  const raw = [...text.matchAll(interfacePattern)].map(({ groups = {} }) => ({
    name: groups.name ?? '',
    base: groups.base,
    doc: docText(groups.doc),
    fields: [...(groups.body ?? '').matchAll(fieldPattern)].map(({ groups: field = {} }) => ({
      name: field.name ?? '',
      type: (field.type ?? '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll('readonly ', '')
        .replaceAll(/Readonly<(Record<.*>)>$/g, '$1'),
      doc: docText(field.doc),
    })),
  }));
  const interfaces = raw.map(({ name, base, doc, fields }) => {
    const own = fields.filter((field) => field.name !== 'type');
    const shared = raw.find((candidate) => candidate.name === base)?.fields ?? [];
    const tag = fields.find((field) => field.name === 'type' && field.type.startsWith("'"));
    return { name, doc, event: tag?.type.slice(1, -1), fields: [...shared, ...own], alias: undefined };
  });
  const aliases = [...text.matchAll(aliasPattern)].map(({ groups = {} }) => ({
    name: groups.name ?? '',
    doc: docText(groups.doc),
    event: undefined,
    fields: [],
    alias: (groups.type ?? '')
      .replaceAll(/\/\*\*.*?\*\//g, '')
      .trim()
      .replaceAll(/\s+/g, ' ')
      .replace(/^\| /, ''),
  }));
  return [...interfaces, ...aliases];
}

const docPattern = String.raw`(?:\/\*\*(?<doc>(?:(?!\*\/)[\s\S])*)\*\/\n\s*)?`;
const interfacePattern = new RegExp(
  String.raw`${docPattern}(?:export )?interface (?<name>\w+)(?: extends (?<base>\w+))? \{\n(?<body>[\s\S]*?)\n\}`,
  'g',
);
const fieldPattern = new RegExp(String.raw`${docPattern}readonly (?<name>\w+\??): (?<type>[^;]+);`, 'g');
const aliasPattern = new RegExp(String.raw`${docPattern}export type (?<name>\w+) =(?<type>[^;{}]+);`, 'g');

/** On one line: lists become sentences. */
function docText(doc: string | undefined): string {
  const lines = (doc ?? '').split('\n').map((line) => line.replace(/^\s*\*?\s?/, '').trim());
  return lines
    .map((line) => line.replace(/^- /, ''))
    .filter((line) => line !== '')
    .join(' ');
}
