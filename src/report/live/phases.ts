import { type CellStatus, noCells } from '../../model/status.ts';
import { plain } from '../words/plain.ts';
import { cellMark, cellStatusOrder, cellStatusWords } from '../words/status-words.ts';
import type { Style } from '../words/style.ts';
import { table, visibleLength } from '../words/table.ts';
import type { LiveBoard } from './board.ts';

/** A line for each phase with how many of its steps stand where, for more units than a screen has lines. */
export function phaseLines({ phases, cells }: LiveBoard, room: number, style: Style): string[] {
  const rows = phases.map((phase, column) => {
    const counts = noCells();
    for (let at = column; at < cells.length; at += phases.length) {
      const status = cells[at];
      if (status !== undefined) counts[status] += 1;
    }
    return [`  ${plain(phase)}`, countWords(counts, style)];
  });
  return table(rows)
    .filter((line) => visibleLength(line) < style.width)
    .slice(0, room);
}

function countWords(counts: Readonly<Record<CellStatus, number>>, style: Style): string {
  return cellStatusOrder
    .filter((status) => counts[status] > 0)
    .map((status) => `${cellMark(status, style)} ${counts[status]} ${cellStatusWords(status)}`)
    .join('  ');
}
