/** What is needed by each, by name. */
export type Needs = ReadonlyMap<string, readonly string[]>;

const cyclesMax = 10;

/**
 * The circles in a graph of needs, each as the names along it with the first repeated at the end. Needs that
 * are not in the graph are ignored. Walks with its own stack, because a chain of fifty thousand is too deep
 * for the call stack.
 */
export function findCycles(needs: Needs): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of needs.keys()) {
    if (done.has(start)) continue;
    const trail: Step[] = [{ name: start, next: 0 }];
    const onTrail = new Set([start]);
    for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
      const need = needs.get(step.name)?.[step.next++];
      if (need === undefined) {
        trail.pop();
        onTrail.delete(step.name);
        done.add(step.name);
      } else if (onTrail.has(need)) {
        if (cycles.length < cyclesMax) cycles.push(circle(trail, need));
      } else if (needs.has(need) && !done.has(need)) {
        trail.push({ name: need, next: 0 });
        onTrail.add(need);
      }
    }
  }
  return cycles;
}

interface Step {
  readonly name: string;
  /** Which of its needs is looked at next. */
  next: number;
}

function circle(trail: readonly Step[], name: string): string[] {
  const names = trail.map((step) => step.name);
  return [...names.slice(names.indexOf(name)), name];
}
