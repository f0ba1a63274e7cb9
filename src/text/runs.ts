import type { DamagedRun, ListedRun, RunsAnswer } from '../engine/show/runs.ts';
import { findingWords } from './catalogue/findings.ts';
import { identityOf } from './phrases/heading.ts';
import { hint } from './phrases/hints.ts';
import { paintRunStatus } from './phrases/statuses.ts';
import { grouped, money } from './style/figures.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { table, visibleLength } from './style/table.ts';
import { duration, longTime } from './style/words.ts';

/** Every run, the newest first; one that cannot be read is listed too, and hides no other. */
export function runsText({ runs }: RunsAnswer, style: Style): string {
  if (runs.length === 0) return `no runs yet; to start one: ${hint('run', style.path)}`;
  const rows = runs.map((run) => (isDamaged(run) ? damagedRow(run, style) : row(run, style)));
  const shown = columns.map((_, at) => rows.some((steps) => (steps[at] ?? '') !== ''));
  const wide = table([columns, ...rows].map((steps) => steps.filter((_, at) => shown[at])));
  // A folder that does not fit into the line stands below it, complete, because it is copied.
  const fits = wide.every((line) => visibleLength(line) < style.width);
  const lines = fits
    ? wide
    : table([columns, ...rows].map((steps) => steps.filter((_, at) => shown[at] && at !== folderColumn)));
  const [head = '', ...body] = lines;
  return [
    style.paint.dim(head),
    ...runs.flatMap((run, at) => [
      body[at] ?? '',
      ...(isDamaged(run)
        ? damageLines(run)
        : [...(fits ? [] : [`  ${plain(run.folder)}`]), ...replacedLine(run)]),
    ]),
  ].join('\n');
}

const columns = ['run', 'status', 'of', 'units', 'cost', 'time', 'age', 'folder'];
const folderColumn = columns.indexOf('folder');

function isDamaged(run: ListedRun | DamagedRun): run is DamagedRun {
  return run.status === 'damaged';
}

function row(run: ListedRun, style: Style): string[] {
  const { units, cost, workedMs, ageMs } = run;
  return [
    plain(run.run),
    paintRunStatus(run.status, style),
    // The id holds the name of the pipeline.
    identityOf(run),
    units.total === undefined ? `${units.done} done` : `${units.done}/${units.total}`,
    costWords(cost),
    duration(workedMs),
    longTime(ageMs),
    plain(run.folder),
  ];
}

function replacedLine({ replacedBy }: ListedRun): string[] {
  return replacedBy === undefined ? [] : [`  abandoned: replaced by ${plain(replacedBy)}`];
}

function costWords({ usd = 0, tokens }: ListedRun['cost']): string {
  if (usd > 0) return money(usd);
  return tokens === undefined ? '' : `${grouped(tokens)} tokens`;
}

function damagedRow(run: DamagedRun, style: Style): string[] {
  return [plain(run.run), style.paint.red('damaged')];
}

function damageLines({ findings }: DamagedRun): string[] {
  return findings.slice(0, findingsMax).map((finding) => `  ${findingWords(finding)}`);
}

const findingsMax = 3;
