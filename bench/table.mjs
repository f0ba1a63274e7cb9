/**
 * One measured figure. `floor` is what the same work costs at least, or the other contender; a figure without one is
 * compared with its target as it is.
 * @typedef {{ figure: string, target?: number, floor?: number, ours: number, ratio?: number, unit: string }} Figure
 */

export function isMet(/** @type {Figure} */ { target, ratio, ours }) {
  return target === undefined ? undefined : (ratio ?? ours) <= target;
}

export function formatTable(/** @type {readonly Figure[]} */ figures) {
  const rows = [['figure', 'target', 'floor', 'ours', 'ratio', ''], ...figures.map(cellsOf)];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The same for the docs. */
export function markdownTable(/** @type {readonly Figure[]} */ figures) {
  const rows = figures.map(cellsOf).map((row) => row.map((cell) => cell.replace('MISSED', '**missed**')));
  return [['figure', 'target', 'floor', 'Pawl', 'ratio', ''], header, ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

const header = Array(6).fill('---');

function cellsOf(/** @type {Figure} */ row) {
  const { figure, target, floor, ours, ratio, unit } = row;
  const amount = (/** @type {number | undefined} */ value) =>
    value === undefined ? '' : `${round(value)} ${unit}`;
  const wanted = target === undefined ? '' : `≤ ${target}${ratio === undefined ? ` ${unit}` : ''}`;
  const met = isMet(row);
  return [
    figure,
    wanted,
    amount(floor),
    amount(ours),
    ratio === undefined ? '' : ratio.toFixed(2),
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ];
}

function round(/** @type {number} */ value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
