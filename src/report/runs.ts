import type { DamagedRun, RunHeading, RunsAnswer } from '../engine/answers.ts';
import { findingWords } from './troubles/findings.ts';
import { identityOf, standOf } from './words/heading.ts';
import { hint } from './words/hints.ts';
import { plain } from './words/plain.ts';
import type { Style } from './words/style.ts';
import { table } from './words/table.ts';
import { time } from './words/words.ts';

/** Every run there is; one that cannot be read is listed too, and hides no other. */
export function runsText({ runs }: RunsAnswer, style: Style): string {
  if (runs.length === 0) return `no runs yet; to start one: ${hint('run', style.path)}`;
  const rows = table(runs.map((run) => (isDamaged(run) ? damagedRow(run, style) : row(run, style))));
  return runs.flatMap((run, at) => [rows[at] ?? '', ...(isDamaged(run) ? damageLines(run) : [])]).join('\n');
}

function isDamaged(run: RunHeading | DamagedRun): run is DamagedRun {
  return run.status === 'damaged';
}

function row(run: RunHeading, style: Style): string[] {
  return [
    plain(run.run),
    standOf(run, style),
    plain(run.pipeline),
    identityOf(run),
    time(run.updatedAt),
    place(run.workspace),
  ];
}

function damagedRow(run: DamagedRun, style: Style): string[] {
  return [plain(run.run), style.paint.red('damaged'), '', '', '', place(run.workspace)];
}

function damageLines({ findings }: DamagedRun): string[] {
  return findings.slice(0, findingsMax).map((finding) => `  ${findingWords(finding)}`);
}

const findingsMax = 3;

function place(workspace: string): string {
  return workspace === '.' ? '' : plain(workspace);
}
