import type { TaskView } from '../../engine/observe/task-answers.ts';

/** What needs what among tasks, each by its place in their list. There are no circles in it. */
export interface Links {
  readonly needs: readonly (readonly number[])[];
  readonly neededBy: readonly (readonly number[])[];
  /** Every task after all that it needs. */
  readonly order: readonly number[];
}

/**
 * The links between the tasks of a stage. What is not among them is not drawn. A manifest with a circle is refused, but
 * what other tools wrote is shown as well: there the circle is opened at the task that is listed first.
 */
export function linksOf(tasks: readonly Pick<TaskView, 'unit' | 'needs'>[]): Links {
  const places = new Map<string, number>();
  tasks.forEach(({ unit }, at) => {
    if (!places.has(unit)) places.set(unit, at);
  });
  const needs = tasks.map(({ needs }, at) => {
    const found = needs.flatMap((need) => places.get(need) ?? []);
    return [...new Set(found)].filter((need) => need !== at);
  });
  const order = openCircles(needs);
  return { needs, neededBy: turnRound(needs), order };
}

/** The layer of each task: one below the lowest of those that it needs. */
export function layersOf({ needs, order }: Links): number[] {
  const layers: number[] = Array.from({ length: needs.length }, () => 0);
  for (const at of order)
    for (const need of needs[at] ?? []) layers[at] = Math.max(layers[at] ?? 0, (layers[need] ?? 0) + 1);
  return layers;
}

/** Tasks that hang together, each group in the order of the list; the group with the first task first. */
export function groupsOf({ needs, neededBy }: Links): number[][] {
  const groups: number[][] = [];
  const seen = new Set<number>();
  for (let first = 0; first < needs.length; first++) {
    if (seen.has(first)) continue;
    const group = [first];
    seen.add(first);
    // The list grows while it is walked along.
    for (const at of group)
      for (const other of [...(needs[at] ?? []), ...(neededBy[at] ?? [])])
        if (!seen.has(other)) {
          seen.add(other);
          group.push(other);
        }
    groups.push(group.sort((a, b) => a - b));
  }
  return groups;
}

/** Takes needs away until there is no circle, and gives an order in which each task comes after all that it needs. */
function openCircles(needs: number[][]): number[] {
  const neededBy = turnRound(needs);
  const missing = needs.map((list) => list.length);
  const placed = needs.map((list) => list.length === 0);
  const order = needs.flatMap((list, at) => (list.length === 0 ? [at] : []));
  let first = 0;
  for (let next = 0; order.length < needs.length || next < order.length; next++) {
    if (next === order.length) {
      while (placed[first]) first += 1;
      needs[first] = (needs[first] ?? []).filter((need) => placed[need]);
      placed[first] = true;
      order.push(first);
    }
    for (const at of neededBy[order[next] ?? -1] ?? []) {
      missing[at] = (missing[at] ?? 0) - 1;
      if (missing[at] !== 0 || placed[at]) continue;
      placed[at] = true;
      order.push(at);
    }
  }
  return order;
}

function turnRound(needs: readonly (readonly number[])[]): number[][] {
  const neededBy: number[][] = needs.map(() => []);
  needs.forEach((list, at) => {
    for (const need of list) neededBy[need]?.push(at);
  });
  return neededBy;
}
