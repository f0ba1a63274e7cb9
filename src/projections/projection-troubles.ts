import { DiskError } from '../disk/disk.ts';

/**
 * The files for people that could not be written, until they are. All are made from the journal, so none ends a run that
 * pays for its work: the run reports it at its end, and every later write tries again.
 */
export class ProjectionTroubles {
  readonly #codes = new Map<string, string>();

  /** Writes the file at a path of the workspace. False: the disk has refused. */
  attempt(path: string, write: () => void): boolean {
    try {
      write();
    } catch (error) {
      this.note(path, error);
      return false;
    }
    this.clear(path);
    return true;
  }

  /** Keeps a disk error; rethrows anything else. */
  note(path: string, error: unknown): void {
    if (!(error instanceof DiskError)) throw error;
    this.#codes.set(path, error.code);
  }

  clear(path: string): void {
    this.#codes.delete(path);
  }

  has(path: string): boolean {
    return this.#codes.has(path);
  }

  list(): { readonly path: string; readonly error: string }[] {
    return Array.from(this.#codes, ([path, error]) => ({ path, error }));
  }
}
