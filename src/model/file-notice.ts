import type { RejectedImport } from './told-failure.ts';

/** Files at output paths that no attempt of the run made there. */
export type FileNotice =
  /** A file of the user lies at the path of an output. */
  | {
      readonly code: 'file-unknown';
      readonly unit: string;
      readonly phase: string;
      readonly output: string;
      readonly path: string;
      /** The run does not exist yet, so there is nothing that could adopt the file. */
      readonly newRun?: true;
      /** The step has a result at other paths: nothing adopts the file. */
      readonly hasResult?: true;
    }
  /** A file that another tool's log is past fails a check of the manifest: a person chooses before a run starts. */
  | ({ readonly code: 'import-rejected' } & RejectedImport)
  /** Files that were at output paths before the run, and count as its results. */
  | {
      readonly code: 'outputs-adopted';
      readonly steps: number;
      readonly paths: readonly string[];
      /** Files whose check is code of the user, which a plan does not run. */
      readonly unchecked?: number;
    }
  /** Files that look like outputs, of units that the pipeline does not list. */
  | { readonly code: 'files-without-unit'; readonly paths: readonly string[] }
  /** Files that may be outputs of units that the run has not listed yet: a step of such a unit moves its file. */
  | { readonly code: 'files-unlisted'; readonly paths: readonly string[] }
  /** Files where Pawl writes its own files for people, and that this run did not write. */
  | { readonly code: 'files-replaced'; readonly paths: readonly string[] }
  /** Files at output paths that Pawl wrote: another run, or a phase of this run that is no longer listed there. */
  | {
      readonly code: 'files-written';
      readonly run?: string;
      readonly phase?: string;
      readonly paths: readonly string[];
    };
