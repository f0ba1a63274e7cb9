/*
 * Test files share processes, and with them the modules of a process: a module that gives tests something takes it back
 * after each file.
 */

const ends: (() => unknown)[] = [];

/** Calls this when the test file is done. Other than `afterAll` it may be called at any time, also in a test. */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}

/** Takes back what was given, the last first. */
export async function endFile(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
