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
