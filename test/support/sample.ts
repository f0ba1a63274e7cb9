/*
 * Which cases of a sweep are visited. `npm test` visits every third: which of the three changes with the commit and is
 * printed at the start. `npm run test:full` visits all of them.
 */

export const isFull = process.env.PAWL_TEST_FULL !== undefined;

/** From 0 to 2. */
const third = Number(process.env.PAWL_TEST_THIRD ?? 0);

/** Whether the case with this number is visited. */
export function isVisited(index: number): boolean {
  return isFull || index % 3 === third;
}

/** The cases that are visited, in their order. */
export function sampled<T>(cases: readonly T[]): T[] {
  return cases.filter((_, index) => isVisited(index));
}

/** How many cases have to be visited at least, of so many in a full sweep. */
export function visitedMin(ofAll: number): number {
  return isFull ? ofAll : Math.floor(ofAll / 4);
}
