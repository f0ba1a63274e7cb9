/** Half of a wait, and some of the other half by chance: many calls that failed together must not come back together. */
export function withJitter(ms: number): number {
  return Math.round(ms * (0.5 + Math.random() / 2));
}
