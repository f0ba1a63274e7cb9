import type { ReportAnswer } from '../engine/show/page/page-file.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { bytes, count } from './style/words.ts';

/** Where the page is, and what is not in it. */
export function reportText(answer: ReportAnswer, { paint, symbols }: Style): string {
  const { units, pictures } = answer;
  const shown = [
    count(units.shown, 'unit'),
    ...(pictures.shown > 0 ? [count(pictures.shown, 'picture')] : []),
  ];
  const leftOut = [
    ...(units.leftOut > 0 ? [`${count(units.leftOut, 'unit')} left out`] : []),
    ...(pictures.leftOut > 0 ? [`${count(pictures.leftOut, 'picture')} left out`] : []),
  ];
  const good = paint.green(symbols.good);
  return `${good} ${plain(answer.path)}: ${[...shown, ...leftOut, bytes(answer.bytes)].join(', ')}`;
}
