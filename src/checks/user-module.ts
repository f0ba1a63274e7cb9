import { statSync } from 'node:fs';

/** The exports of a module that can be called by name. */
export function functionsOf(exports: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(exports).filter((name) => typeof exports[name] === 'function');
}

/** It is the module itself that is missing, and not one that it imports. */
export function isNotThere(error: unknown, path: string): boolean {
  return (
    (error as { code?: unknown } | null)?.code === 'ERR_MODULE_NOT_FOUND' &&
    statSync(path, { throwIfNoEntry: false }) === undefined
  );
}
