import type { Mesh } from './mesh.ts';

/**
 * The items of each layer in an order with few crossings: every item goes where those are that it is joined to, layer by
 * layer, down and up a few times; the best order that was met is taken.
 */
export function orderLayers(mesh: Mesh): Mesh {
  let best = mesh.layers;
  let fewest = crossingsOf(mesh, best);
  let current = best;
  for (let sweep = 0; sweep < sweepsMax && fewest > 0; sweep++) {
    current = sweepOnce(mesh, current, sweep % 2 === 0 ? 'down' : 'up');
    const crossings = crossingsOf(mesh, current);
    if (crossings >= fewest) continue;
    best = current;
    fewest = crossings;
  }
  return { ...mesh, layers: best };
}

const sweepsMax = 12;

function sweepOnce(
  { above, below, tasks }: Mesh,
  layers: readonly (readonly number[])[],
  direction: 'down' | 'up',
): number[][] {
  const joined = direction === 'down' ? above : below;
  const places = new Float64Array(tasks.length);
  const remember = (layer: readonly number[]) =>
    layer.forEach((item, at) => {
      // Between 0 and 1, because a line may lead to a layer of another length.
      places[item] = (at + 0.5) / layer.length;
    });
  layers.forEach(remember);
  const swept = layers.map((layer) => [...layer]);
  for (const layer of direction === 'down' ? swept : swept.toReversed()) {
    const wanted = new Map(layer.map((item) => [item, middleOf(joined[item] ?? [], places, item)]));
    layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    remember(layer);
  }
  return swept;
}

function middleOf(joined: readonly number[], places: Float64Array, item: number): number {
  if (joined.length === 0) return places[item] ?? 0;
  let sum = 0;
  for (const other of joined) sum += places[other] ?? 0;
  return sum / joined.length;
}

/** How often lines between neighbouring layers cross. */
export function crossingsOf({ below, layerOf, tasks }: Mesh, layers: readonly (readonly number[])[]): number {
  const places = new Float64Array(tasks.length);
  for (const layer of layers)
    layer.forEach((item, at) => {
      places[item] = at;
    });
  let crossings = 0;
  layers.forEach((layer, depth) => {
    const length = layers[depth + 1]?.length ?? 0;
    const ends = layer.flatMap((item) =>
      (below[item] ?? [])
        .filter((other) => layerOf[other] === depth + 1)
        .map((other) => places[other] ?? 0)
        .sort((a, b) => a - b),
    );
    crossings += inversions(ends, length);
  });
  return crossings;
}

/** Pairs in the wrong order, counted with a tree of sums. */
function inversions(ends: readonly number[], length: number): number {
  const sums = new Int32Array(length + 1);
  let pairs = 0;
  ends.forEach((end, seen) => {
    let before = 0;
    for (let at = end + 1; at > 0; at -= at & -at) before += sums[at] ?? 0;
    pairs += seen - before;
    for (let at = end + 1; at <= length; at += at & -at) sums[at] = (sums[at] ?? 0) + 1;
  });
  return pairs;
}
