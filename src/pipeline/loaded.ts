import { type Hash, hashJson } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';
import type { OwnFile, Pipeline } from '../model/definition.ts';
import type { SourcePlace } from '../model/failure.ts';

/** How this room reads the workspace: paths are relative to it, `/`-separated. Looking only. */
export interface Reader {
  /** Undefined: no such file. Throws for a file that cannot be read. `too-large` before anything is read. */
  read(path: string, maxBytes: number): Uint8Array | 'too-large' | undefined;
  /** Paths of files that match a glob of `*`, `**` and `?`, sorted by code unit. */
  glob(pattern: string): readonly string[];
  /** The path leads outside the workspace through a symbolic link. Looks at the longest part that exists. */
  escapes(path: string): boolean;
  /**
   * Where a path leads, through links: to a regular file, by its real path in the workspace; to no file; or outside. It
   * may be absolute.
   */
  follow(path: string): { readonly file: string } | 'none' | 'outside';
}

/** A pipeline with what the disk says now of everything it names. */
export interface LoadedPipeline {
  readonly pipeline: Pipeline;
  /** By phase: what its results depend on regardless of the unit. */
  readonly statics: ReadonlyMap<string, CurrentStatics>;
  /** Hash of a unit's own fields; absent for a unit that is only a name. */
  readonly unitData: ReadonlyMap<string, Hash>;
  /** Of units that a glob found: the same as older versions of Pawl recorded it, with the hash of the file in it. */
  readonly unitDataWithFile: ReadonlyMap<string, Hash>;
  /** The units' own files, by unit. */
  readonly unitFiles: ReadonlyMap<string, OwnFile>;
  /** Phases that take the unit's own file. */
  readonly fileTakers: ReadonlySet<string>;
  /** Text of every template and include that could be read, by path. */
  readonly templates: ReadonlyMap<string, string>;
  /** Where a value of the manifest stands, by its path of keys (`phases.write.needs[0]`). */
  locate(path: string): SourcePlace | undefined;
}

/** What a phase is, as hashes. */
export interface PhaseDefinitions {
  readonly definition: Hash;
  /** By rung of the ladder: the definition in that round. */
  readonly rungs: readonly Hash[];
}

/** Like `PhaseStatics`, but a file may be missing now. */
export interface CurrentStatics extends PhaseDefinitions {
  /** The same as older versions of Pawl recorded it, with policies in it; absent: there is no difference. */
  readonly withPolicies?: PhaseDefinitions;
  readonly templates: ReadonlyMap<string, CurrentFile>;
  readonly files: ReadonlyMap<string, CurrentFile>;
  /** The hash of each file of its code, by path; undefined: there is no such file. Absent: its code is not known. */
  readonly code?: ReadonlyMap<string, Hash | undefined>;
}

/** Whether a recorded hash is that of the manifest as it is now, whichever version of Pawl recorded it. */
export function isCurrentManifest({ pipeline }: Pick<LoadedPipeline, 'pipeline'>, recorded: Hash): boolean {
  const { manifest, manifestWithPolicies: older } = pipeline;
  return recorded === hashJson(manifest) || (older !== undefined && recorded === hashJson(older));
}

export interface CurrentFile {
  readonly path: string;
  /** Undefined: the file is not there. */
  readonly hash: Hash | undefined;
}

/** What a template can name. */
export type TemplateVariables = Readonly<Record<string, JsonValue>>;

export interface RenderedPrompt {
  readonly system: string | undefined;
  readonly text: string;
  readonly hash: Hash;
}
