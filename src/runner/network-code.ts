/** `ECONNREFUSED`, `ENOTFOUND`; never the message of an error of `fetch`, which may hold what was to be sent. */
export function networkCode(error: unknown): { facts?: { code: string } } {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' ? { facts: { code } } : {};
}
