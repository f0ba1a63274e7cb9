import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { agentNames, hookMoments, type Moment, supports } from '../../src/engine/agents/supports.ts';
import type { StoredEvent } from '../../src/model/event.ts';
import { type SectionName, sectionNames } from '../../src/projections/brief/document.ts';
import { matrix, type Trigger, triggersOf } from '../../src/projections/brief/matrix.ts';
import { makeBriefJsonSchema, problemsOf } from '../../src/projections/brief/schema.ts';
import type { StalenessCode } from '../../src/projections/brief/staleness.ts';
import { events } from '../../src/text/catalogue/events.ts';
import { projectRoot } from '../support/workspace.ts';
import { blocksOf } from './page.ts';

const agentsPage = pageAt('docs/guide/coding-agents.md');
const briefPage = pageAt('docs/formats/brief.md');

/* Tables that are also in the code. A difference shows the one to put there. */

it('the page about coding agents lists what each of them supports', () => {
  const moments: readonly Moment[] = [...hookMoments, 'status-line', 'mcp', 'skills'];
  const table = [
    ['', ...agentNames],
    ['---', ...agentNames.map(() => '---')],
    ...moments.map((moment) => [
      `\`${moment}\``,
      ...agentNames.map((agent) => code(supports[agent][moment])),
    ]),
  ];
  expect(tableWith(agentsPage, '`session-start` | `SessionStart`')).toBe(lines(table));
});

describe('the page about the format', () => {
  it('has the matrix of what changes what', () => {
    const rows = Object.keys(matrix) as Trigger[];
    const steps = rows.map((trigger) => [
      `\`${trigger}\``,
      ...sectionNames.map((name) => matrix[trigger][name]),
    ]);
    const head = ['', ...sectionNames.map((name: SectionName) => `\`${name}\``)];
    const table = [head, head.map(() => '---'), ...steps];
    expect(tableWith(briefPage, '`T1` | W')).toBe(lines(table));
  });

  it('says which events are which trigger', () => {
    const [, table = ''] = briefPage.split('| trigger | events |\n');
    const rows = table.split('\n\n')[0]?.matchAll(/^\| `(\w+)`[^|]*\| ((?:`\w+`[^|`]*)+)\|$/gm);
    const named = Array.from(rows ?? [], ([, trigger, words = '']) => [
      trigger,
      Array.from(words.matchAll(/`(\w+)`/g), ([, event = '']) => event).toSorted(),
    ]);
    // These two are told in words: too many events are meant.
    const triggers = (Object.keys(matrix) as Trigger[]).filter((name) => name !== 'run' && name !== 'note');
    const meant = triggers.map((trigger) => [
      trigger,
      Object.keys(events)
        .filter((type) => triggersIn(type).includes(trigger))
        .toSorted(),
    ]);
    expect(named).toEqual(meant);
  });

  it('shows a document of the published schema', () => {
    const [example] = blocksOf(briefPage).filter(({ text }) => text.startsWith('resumption:'));
    const { resumption } = parse(example?.text ?? '') as { resumption: JsonValue };
    expect(problemsOf(resumption)).toEqual([]);
    expect(Object.keys(resumption as JsonObject)).toEqual(sectionNames);
  });

  it.each(keysOf(makeBriefJsonSchema()))('names %s', (key) => {
    expect(briefPage).toContain(`\`${key}\``);
  });

  it.each(Object.keys(stalenessCodes()))('names %s', (known) => {
    expect(briefPage).toContain(`\`${known}\``);
  });
});

/** Of an event that is all that such an event can be: of an agent, and with a verdict. */
function triggersIn(type: string): readonly Trigger[] {
  return triggersOf({ type, actor: 'agent', judged: { passed: true } } as unknown as StoredEvent, 'runner');
}

function pageAt(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``;
}

function lines(table: readonly (readonly string[])[]): string {
  return table.map((steps) => `| ${steps.join(' | ')} |`).join('\n');
}

/** The table that has such a row. */
function tableWith(page: string, row: string): string | undefined {
  return page.split('\n\n').find((part) => part.startsWith('|') && part.includes(row));
}

/** Every name that a document may have, at whatever depth. */
function keysOf(schema: JsonValue): string[] {
  if (Array.isArray(schema)) return [...new Set(schema.flatMap(keysOf))];
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as JsonObject;
  const below = [...Object.values(properties as JsonObject), ...Object.values(rest)].flatMap(keysOf);
  return [...new Set([...Object.keys(properties as JsonObject), ...below])];
}

/** Every one of them: a new code does not compile before it is listed. */
function stalenessCodes(): Readonly<Record<StalenessCode, true>> {
  return {
    'nothing-since': true,
    'within-phase': true,
    'recently-updated': true,
    'phase-changed': true,
    'too-old': true,
    'from-the-future': true,
    'from-earlier-session': true,
    'no-time': true,
    'unreadable-time': true,
  };
}
