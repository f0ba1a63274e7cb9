import { pathToFileURL } from 'node:url';

/**
 * What one call takes from the process it runs in. It is passed down instead of read from `process`, so that several
 * calls can share one process and each has its own.
 */
export interface CallProcess {
  /** The environment variables of the call. */
  readonly variables: NodeJS.ProcessEnv;
  /** Loads a module of the user. The same path gives the same module for as long as the call lasts. */
  importModule(path: string): Promise<Record<string, unknown>>;
}

/** A process with these variables that loads modules as Node does. */
export function callProcess(variables: NodeJS.ProcessEnv): CallProcess {
  return { variables, importModule: importOnce((path) => import(pathToFileURL(path).href)) };
}

/** Remembers what was loaded, and the failures, so that every phase of a call meets the same module. */
export function importOnce(load: CallProcess['importModule']): CallProcess['importModule'] {
  const modules = new Map<string, Promise<Record<string, unknown>>>();
  return (path) => {
    let loading = modules.get(path);
    if (loading === undefined) {
      loading = load(path);
      modules.set(path, loading);
    }
    return loading;
  };
}
