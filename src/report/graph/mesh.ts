import type { Links } from './links.ts';

/**
 * A group of tasks as layers in which lines only ever lead from one layer to the next: a longer one passes through the
 * layers between, and takes a place in each of them, so that it is led round the boxes.
 */
export interface Mesh {
  /** The task of each item; undefined: a line passes there. */
  readonly tasks: readonly (number | undefined)[];
  readonly layerOf: readonly number[];
  readonly above: readonly (readonly number[])[];
  readonly below: readonly (readonly number[])[];
  readonly ways: readonly MeshWay[];
  /** Items by layer, from left to right. */
  readonly layers: readonly (readonly number[])[];
}

/** One need, as the items along its line. */
export interface MeshWay {
  readonly from: number;
  readonly to: number;
  readonly via: readonly number[];
}

/** `passagesMax`: with more than so many places for passing lines, all long ones go straight. */
export function meshOf(
  group: readonly number[],
  links: Links,
  layers: readonly number[],
  passagesMax: number,
): Mesh {
  const tasks: (number | undefined)[] = [...group];
  const layerOf = group.map((task) => layers[task] ?? 0);
  const above: number[][] = group.map(() => []);
  const below: number[][] = group.map(() => []);
  const itemOf = new Map(group.map((task, item) => [task, item]));
  const isRouted = passagesOf(group, links, layers) <= passagesMax;
  const join = (from: number, to: number) => {
    below[from]?.push(to);
    above[to]?.push(from);
  };
  const ways: MeshWay[] = [];
  group.forEach((task, to) => {
    for (const need of links.needs[task] ?? []) {
      const from = itemOf.get(need);
      if (from === undefined) continue;
      const via: number[] = [];
      let last = from;
      for (let layer = (layers[need] ?? 0) + 1; isRouted && layer < (layers[task] ?? 0); layer++) {
        const passage = tasks.push(undefined) - 1;
        layerOf.push(layer);
        above.push([]);
        below.push([]);
        join(last, passage);
        via.push(passage);
        last = passage;
      }
      join(last, to);
      ways.push({ from, to, via });
    }
  });
  return { tasks, layerOf, above, below, ways, layers: byLayer(layerOf) };
}

function passagesOf(group: readonly number[], links: Links, layers: readonly number[]): number {
  let passages = 0;
  for (const task of group)
    for (const need of links.needs[task] ?? []) passages += (layers[task] ?? 0) - (layers[need] ?? 0) - 1;
  return passages;
}

function byLayer(layerOf: readonly number[]): number[][] {
  const layers: number[][] = [];
  layerOf.forEach((layer, item) => {
    while (layers.length <= layer) layers.push([]);
    layers[layer]?.push(item);
  });
  return layers;
}
