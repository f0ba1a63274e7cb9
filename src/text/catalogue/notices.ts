import type { Notice } from '../../model/reason.ts';
import { unitList } from '../phrases/steps.ts';
import type { Style } from '../style/style.ts';
import { count } from '../style/words.ts';
import { noticeWords } from './reasons.ts';

/** One line for each notice; removed units share one. */
export function noticeLines(notices: readonly Notice[], style: Style): string[] {
  const { paint, symbols } = style;
  const removed = notices.flatMap((notice) => (notice.code === 'unit-removed' ? [notice.unit] : []));
  const others = notices.filter((notice) => notice.code !== 'unit-removed' || removed.length === 1);
  const lines = others.slice(0, noticesMax).map((notice) => noticeWords(notice, style));
  if (others.length > noticesMax)
    lines.push(`${count(others.length - noticesMax, 'more notice')} (--json lists all)`);
  if (removed.length > 1) {
    lines.push(`${unitList(removed)} are not in the pipeline any more; their files are left alone`);
  }
  return lines.map((line) => `${paint.yellow(symbols.warning)} ${line}`);
}

const noticesMax = 20;
