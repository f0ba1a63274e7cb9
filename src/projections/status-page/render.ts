import type { CurrentStage, StatusCheckpoint, StatusNote, StatusPage } from './status-page.ts';
import { cleanLine, cleanText, escapeText, plainText } from './text.ts';
import { filledOf, leadingTime, writeValue } from './values.ts';

/** The page as Markdown. Same page, same bytes; reading it gives the same page. */
export function renderStatusPage(page: StatusPage): string {
  const parts = [
    ['# Pipeline State', '', madeByPawl],
    factLines(page),
    ['## Completed Stages', '', ...completedLines(page)],
    ['## Current Stage', '', ...currentLines(page.current)],
    ['## Iteration Counts', '', ...countLines(['Loop', 'Used', 'Budget'], iterationRows(page))],
    ['## Failure Clusters', '', ...countLines(['Defect', 'Count', 'Limit'], clusterRows(page))],
    ['## Human Checkpoints', '', ...listed(page.checkpoints.map(checkpointLine))],
    ['## Notes', '', ...listed(page.notes.map(noteLine))],
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The line that tells a page of Pawl's from one of another tool. */
const madeByPawl = '> Made by Pawl from its journal. What is changed here by hand is not believed.';

/** Whether Pawl wrote the page: its boxes are a copy of the journal, and answer nothing. */
export function isMadeByPawl(text: string): boolean {
  return /^> Made by Pawl from its journal\b/m.test(text);
}

/** The run that a page of Pawl's is about; undefined: the page is not one of them. */
export function runIdOnPage(text: string): string | undefined {
  const [, raw] = /^- \*\*run_id\*\*: ([^\r\n]+)/m.exec(text) ?? [];
  return raw === undefined || filledOf(raw) !== 'filled' ? undefined : plainText(raw);
}

function factLines(page: StatusPage): string[] {
  return [
    fact('unit', page.unit),
    fact('run_id', page.runId),
    fact('spec_hash', page.specHash),
    fact('started_at', page.startedAt),
    fact('last_updated_at', page.lastUpdatedAt),
    fact('current_stage', page.currentStage),
    fact('status', page.status),
  ];
}

function fact(key: string, value: string | undefined): string {
  return `- **${key}**: ${line(value)}`;
}

function completedLines({ completed }: StatusPage): string[] {
  const rows = completed.map(({ stage, artifact, completedAt, iterations }) => [
    line(stage),
    path(artifact?.path),
    line(artifact?.hash),
    line(completedAt),
    String(iterations),
  ]);
  return countLines(['Stage', 'Artifact', 'Hash', 'Completed', 'Iterations'], rows);
}

function currentLines(current: CurrentStage | undefined): string[] {
  if (current === undefined) return [nothing];
  const { stage, attempt, iteration: round, startedAt, files } = current;
  return [
    fact('stage', stage),
    fact('attempt', String(attempt)),
    fact('iteration', String(round)),
    fact('started_at', startedAt),
    `- **files**: ${files.length === 0 ? '—' : files.map(path).join(', ')}`,
  ];
}

function iterationRows({ iterations }: StatusPage): string[][] {
  return iterations.map(({ loop, used, max }) => [line(loop), String(used), countOf(max)]);
}

function clusterRows({ clusters }: StatusPage): string[][] {
  return clusters.map(({ defect, count, max }) => [
    writeValue(cleanText(defect)),
    String(count),
    countOf(max),
  ]);
}

function countOf(count: number | undefined): string {
  return count === undefined ? '—' : String(count);
}

function countLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [nothing];
  const row = (steps: readonly string[]) => `| ${steps.join(' | ')} |`;
  return [row(head), `|${head.map(() => '---|').join('')}`, ...rows.map(row)];
}

function checkpointLine({ name, id, cleared, decidedBy, at }: StatusCheckpoint): string {
  const details = id === '' ? [] : [cleanLine(id)];
  const by = cleanText(decidedBy ?? '');
  // What stands in these parentheses is taken apart at commas, and they are looked for from the end.
  if (by !== '') details.push(`by ${escapeText(by).replaceAll(/[(),]/g, '\\$&')}`);
  if (at !== undefined) details.push(`${cleared || by !== '' ? 'at' : 'since'} ${cleanLine(at)}`);
  const shown = `- [${cleared ? 'x' : ' '}] ${escapeText(cleanText(name))}`;
  return details.length === 0 ? shown : `${shown} (${details.join(', ')})`;
}

function noteLine({ at, text }: StatusNote): string {
  const said = cleanText(text);
  if (at !== undefined) return `- ${cleanLine(at)}: ${escapeText(said)}`;
  // Without a time before it the text begins the item: it must not be taken for a time, a list or a heading.
  const isTimed = leadingTime(said.replace(/^\(/, '')) !== undefined;
  return `- ${isTimed ? escapeText(said).replace('-', '\\-') : writeValue(said).replace(startOfBlock, '$1\\$2')}`;
}

function listed(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [nothing] : lines;
}

function line(text: string | undefined): string {
  return writeValue(text === undefined ? undefined : cleanLine(text));
}

/** Several paths may stand in one place, with commas between them. */
function path(text: string | undefined): string {
  return line(text).replaceAll(',', '\\,');
}

const nothing = 'None.';
const startOfBlock = /^(\d{0,9})([-+>#=.)])/;
