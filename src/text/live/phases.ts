import { noSteps, type StepStatus } from '../../model/status.ts';
import { stepMark, stepStatusOrder, stepStatusWords } from '../phrases/statuses.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { table, visibleLength } from '../style/table.ts';
import type { LiveBoard } from './board.ts';

/** A line for each phase with how many of its steps stand where, for more units than a screen has lines. */
export function phaseLines({ phases, steps }: LiveBoard, room: number, style: Style): string[] {
  const rows = phases.map((phase, column) => {
    const counts = noSteps();
    for (let at = column; at < steps.length; at += phases.length) {
      const status = steps[at];
      if (status !== undefined) counts[status] += 1;
    }
    return [`  ${plain(phase)}`, countWords(counts, style)];
  });
  return table(rows)
    .filter((line) => visibleLength(line) < style.width)
    .slice(0, room);
}

function countWords(counts: Readonly<Record<StepStatus, number>>, style: Style): string {
  return stepStatusOrder
    .filter((status) => counts[status] > 0)
    .map((status) => `${stepMark(status, style)} ${counts[status]} ${stepStatusWords(status)}`)
    .join('  ');
}
