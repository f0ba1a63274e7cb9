import type { Links } from './links.ts';

/** Tasks of one layer, one below the other: one, or several where a layer with one row would be too wide. */
export interface Column {
  readonly name: string;
  readonly layer: number;
  readonly tasks: readonly number[];
}

/** A line from one column down to another. */
export interface ColumnLine {
  readonly from: Column;
  readonly to: Column;
}

/** The layers of some tasks, each in at most so many columns. */
export function columnsOf(
  group: readonly number[],
  links: Links,
  layers: readonly number[],
  columnsMax: number,
): Column[][] {
  const levels: number[][] = [];
  for (const task of group) {
    const layer = layers[task] ?? 0;
    while (levels.length <= layer) levels.push([]);
    levels[layer]?.push(task);
  }
  const places = new Map<number, number>();
  return levels.map((level, layer) => {
    const rows = Math.ceil(level.length / columnsMax);
    const sorted = sortByNeeds(level, links, places);
    sorted.forEach((task, at) => {
      places.set(task, at / sorted.length);
    });
    const starts = sorted.flatMap((_, at) => (at % rows === 0 ? [at] : []));
    return starts.map((start) => ({
      name: `${layer}-${start}`,
      layer,
      tasks: sorted.slice(start, start + rows),
    }));
  });
}

/** By the mean place of what they need, because the tasks of a column share the gap that their lines come through. */
function sortByNeeds(
  level: readonly number[],
  { needs }: Links,
  places: ReadonlyMap<number, number>,
): number[] {
  const wanted = new Map(
    level.map((task) => {
      const found = (needs[task] ?? []).map((need) => places.get(need) ?? 0);
      return [task, found.reduce((sum, place) => sum + place, 0) / Math.max(1, found.length)];
    }),
  );
  return level.toSorted((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
}
