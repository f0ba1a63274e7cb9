/** Whether two types are one and the same: also where each could be assigned to the other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where that is so. */
export function holds<_ extends true>(): void {}
