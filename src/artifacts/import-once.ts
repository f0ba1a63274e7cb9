import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const modules = new Map<string, Promise<Record<string, unknown>>>();

/** A module of the workspace, loaded once however often it is asked for. */
export function importOnce(path: string): Promise<Record<string, unknown>> {
  let loading = modules.get(path);
  if (loading === undefined) {
    loading = import(pathToFileURL(path).href) as Promise<Record<string, unknown>>;
    modules.set(path, loading);
  }
  return loading;
}

/** What of it can be called by name. */
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
