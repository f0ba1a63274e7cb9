import { cleanLine, countUnseen } from '../../projections/status-page/text.ts';
import { readClusters, readIterations } from './counts.ts';
import { readCurrent, readFacts } from './facts.ts';
import { collectFindings, excerpt, type Report, type StatusFinding } from './findings.ts';
import { outlineOf } from './outline.ts';
import type { Entries } from './outline-state.ts';
import { readCheckpoints, readNotes } from './people.ts';
import type { ReadPage } from './read-page.ts';
import { newReading, type Reading } from './reading.ts';
import { readStages, tellRepeated } from './stages.ts';
import type { SectionKind } from './words.ts';

export type { ReadHash } from '../../projections/status-page/values.ts';
export type { StatusCode, StatusFinding } from './findings.ts';
export type { ReadPage } from './read-page.ts';

export interface ReadOptions {
  /** The phases of the pipeline; undefined: any stage is accepted. */
  readonly stages?: readonly string[] | undefined;
}

/** A page of another tool or a person is no larger. */
export const statusPageLimits = { charactersMax: 1024 * 1024, linesMax: 20_000 } as const;

/**
 * Reads a status page of any author: forgiving about spelling, never about meaning. Ambiguous parts are reported and left
 * out; nothing throws. A page proves nothing by itself: the import verifies what it takes from it.
 */
export function readStatusPage(
  text: string,
  { stages }: ReadOptions = {},
): { readonly page: ReadPage; readonly findings: readonly StatusFinding[] } {
  const { report, findings } = collectFindings();
  const lines = linesOf(text, report);
  if (lines === undefined) return { page: emptyPage, findings: findings() };
  const page = pageIn(outlineOf(lines, report), newReading(report, stages));
  return { page, findings: findings() };
}

const emptyPage: ReadPage = {
  unit: undefined,
  runId: undefined,
  specHash: undefined,
  startedAt: undefined,
  lastUpdatedAt: undefined,
  currentStage: undefined,
  status: undefined,
  retryCount: undefined,
  completed: [],
  current: undefined,
  iterations: [],
  clusters: [],
  checkpoints: [],
  notes: [],
};

/** Undefined: the page is too large. */
function linesOf(text: string, report: Report): string[] | undefined {
  const { charactersMax, linesMax } = statusPageLimits;
  if (text.length > charactersMax) {
    report(1, { code: 'page-too-large', what: 'characters', limit: charactersMax });
    return undefined;
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  if (lines.length > linesMax) {
    report(1, { code: 'page-too-large', what: 'lines', limit: linesMax });
    return undefined;
  }
  return withoutUnseen(lines, report);
}

function withoutUnseen(lines: readonly string[], report: Report): string[] {
  let count = 0;
  let firstLine = 0;
  const clean = lines.map((line, at) => {
    const spaced = line.replaceAll('\t', '    ');
    const unseen = countUnseen(spaced);
    if (unseen === 0) return spaced;
    if (count === 0) firstLine = at + 1;
    count += unseen;
    const indent = spaced.length - spaced.trimStart().length;
    return spaced.slice(0, indent) + cleanLine(spaced);
  });
  if (count > 0) report(firstLine, { code: 'hidden-characters', count });
  return clean;
}

function pageIn(entries: Entries, reading: Reading): ReadPage {
  if (!saysAnything(entries)) {
    reading.report(1, { code: 'no-known-key' });
    return { ...emptyPage, notes: readNotes(entries.notes) };
  }
  const facts = readFacts(entries.facts, reading);
  const completed = [
    ...readStages(entries.completed, 'completed', reading),
    ...readStages(entries.stages, 'stages', reading),
  ];
  tellRepeated(completed, reading);
  const current = readCurrent(entries.current, facts.status, reading);
  tellOtherStage(facts.currentStage, current?.stage, entries, reading);
  return {
    ...facts,
    currentStage: facts.currentStage ?? current?.stage,
    retryCount: facts.retryCount ?? current?.retryCount,
    completed,
    current,
    iterations: readIterations(entries.iterations, reading),
    clusters: readClusters(entries.clusters, reading),
    checkpoints: readCheckpoints(entries.checkpoints, reading),
    notes: readNotes(entries.notes),
  };
}

function saysAnything(entries: Entries): boolean {
  if (entries.facts.some(({ fields }) => fields.size > 0)) return true;
  const parts: SectionKind[] = ['completed', 'stages', 'current', 'iterations', 'clusters', 'checkpoints'];
  return parts.some((part) => entries[part].length > 0);
}

function tellOtherStage(
  first: string | undefined,
  second: string | undefined,
  { current }: Entries,
  { report }: Reading,
): void {
  if (first === undefined || second === undefined || first === second) return;
  const line = current.find(({ fields, parts }) => fields.has('stage') || parts.length > 0)?.line ?? 1;
  report(line, { code: 'current-stage-contradicts', first: excerpt(first), second: excerpt(second) });
}
