import type { InspectedAttempt } from './inspected.ts';

/**
 * Who judged what an attempt made: itself, when it belongs to a gate; else the gate nearest behind it in the unit, by
 * way of what was consumed. Of several the one that counts, a bad one first.
 */
export function judgesOf(
  attempts: readonly InspectedAttempt[],
): (attempt: InspectedAttempt) => InspectedAttempt | undefined {
  const consumers = new Map<string, InspectedAttempt[]>();
  for (const attempt of attempts) {
    for (const maker of makersOf(attempt)) {
      const known = consumers.get(maker);
      if (known === undefined) consumers.set(maker, [attempt]);
      else known.push(attempt);
    }
  }
  return (attempt) => {
    const seen = new Set([attempt]);
    for (let near = [attempt]; near.length > 0; ) {
      const judged = choose(near.filter(({ verdict }) => verdict !== undefined));
      if (judged !== undefined) return judged;
      const next = near.flatMap((maker) => consumers.get(nameOf(maker)) ?? []);
      near = [...new Set(next)].filter((consumer) => !seen.has(consumer));
      for (const consumer of near) seen.add(consumer);
    }
    return undefined;
  };
}

function nameOf({ phase, attempt }: InspectedAttempt): string {
  return `${phase}#${attempt}`;
}

/** `PHASE#ATTEMPT` of the same unit; what comes from other units has a slash. */
function makersOf({ inputs }: InspectedAttempt): Set<string> {
  const names = Object.values(inputs).map((ref) => ref.slice(0, ref.indexOf(' ')));
  return new Set(names.filter((name) => !name.includes('/')));
}

function choose(judges: readonly InspectedAttempt[]): InspectedAttempt | undefined {
  const standing = judges.filter(({ superseded }) => superseded === undefined);
  const counting = standing.length > 0 ? standing : judges;
  return counting.findLast(({ passed }) => passed === false) ?? counting.at(-1);
}
