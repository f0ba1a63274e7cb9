import type { Finding, LockOwner, Problem } from '../../../model/failure.ts';
import type { AgentName } from '../../agents/supports.ts';
import type { AgentTrouble } from '../../agents/trouble.ts';

/** `pawl doctor`: how a workspace and the machine that it is on are. */
export interface DoctorAnswer {
  /** What to type in order to mean the workspace; undefined: there is none here. */
  readonly workspace: string | undefined;
  /** In the order in which one would look. */
  readonly findings: readonly DoctorFinding[];
  readonly counts: Readonly<Record<DoctorFinding['state'], number>>;
}

/** What one check has found: a name that never changes its meaning, and the facts. */
export type DoctorFinding = { [C in CheckName]: Good<C> | Amiss<C> }[CheckName];

export type CheckName = keyof DoctorChecks;

export interface Good<C extends CheckName> {
  readonly check: C;
  readonly state: 'ok';
  readonly facts: DoctorChecks[C]['ok'];
}

export interface Amiss<C extends CheckName> {
  readonly check: C;
  /** `bad`: something that is wanted cannot be done. `warning`: it can be, and somebody should know. */
  readonly state: 'warning' | 'bad';
  readonly facts: DoctorChecks[C]['amiss'];
}

export function good<C extends CheckName>(check: C, facts: DoctorChecks[C]['ok']): Good<C> {
  return { check, state: 'ok', facts };
}

export function warning<C extends CheckName>(check: C, facts: DoctorChecks[C]['amiss']): Amiss<C> {
  return { check, state: 'warning', facts };
}

export function bad<C extends CheckName>(check: C, facts: DoctorChecks[C]['amiss']): Amiss<C> {
  return { check, state: 'bad', facts };
}

/** Every check with its facts. One without `ok` is only heard of when something is amiss. */
export interface DoctorChecks {
  /** This program runs on a Node that it is written for. */
  readonly 'node-version': Both<{ readonly version: string; readonly needed: string }>;
  /** The package can say which version it is. */
  readonly 'pawl-version': { readonly ok: { readonly version: string }; readonly amiss: object };
  /** What is remembered outside of every workspace can be written. */
  readonly 'state-folder': {
    readonly ok: { readonly path: string };
    /** Without a path nobody knows where it would be. */
    readonly amiss: { readonly path: string | undefined; readonly code: string };
  };
  /** What the variables of OpenTelemetry say can be used, and its packages are installed. */
  readonly 'telemetry-variables': {
    readonly ok: { readonly sends: readonly ('traces' | 'metrics')[] };
    readonly amiss: { readonly names: readonly string[]; readonly packages?: readonly string[] };
  };
  /** There is one manifest, and it is valid. */
  readonly manifest: { readonly ok: ManifestExtent; readonly amiss: ManifestTrouble };
  /** Programs that phases, checks and notifiers start are there. */
  readonly program: Named<{ readonly program: string; readonly mayNotRun?: boolean }>;
  /** Modules with functions of phases, checks and stand-ins for models are there, or may yet be made on the way. */
  readonly module: Named<{ readonly module: string }>;
  /** Templates, declared files, the first state, and the modules that no phase can make are there. */
  readonly 'named-file': {
    readonly ok: { readonly count: number };
    readonly amiss: { readonly problem: Problem };
  };
  /** Variables that programs and notifiers are handed are set. Never their values. */
  readonly variable: Named<{ readonly name: string }>;
  /** Packages that speak with a provider are installed. */
  readonly 'provider-package': {
    readonly ok: { readonly provider: string };
    readonly amiss: {
      readonly provider: string;
      readonly phases: readonly string[];
      readonly packages: readonly string[];
    };
  };
  /** Variables with the keys and addresses of a provider are set. Never their values. */
  readonly 'provider-key': Both<{
    readonly provider: string;
    readonly phases: readonly string[];
    /** Those that are set; or those that are not. */
    readonly names: readonly string[];
  }>;
  /** It is known what a model costs. */
  readonly 'model-price': Both<{ readonly models: readonly string[] }>;
  /** Pictures of every type can be checked, where an output asks for that. */
  readonly 'picture-check': {
    readonly ok: { readonly outputs: readonly string[] };
    readonly amiss: { readonly outputs: readonly string[]; readonly detail: string };
  };
  /** The folder of the workspace can be written to, as far as its rights tell. */
  readonly 'workspace-folder': {
    readonly ok: { readonly path: string };
    readonly amiss: { readonly path: string; readonly code: string };
  };
  /** What everything here is built on works: it was tried with a file that is gone again. */
  readonly 'file-operation': {
    readonly ok: { readonly place: TrialPlace; readonly isCaseSensitive: boolean };
    readonly amiss: {
      readonly place: TrialPlace;
      readonly operation: FileOperation;
      readonly code: string;
      readonly path: string;
    };
  };
  /** The workspace is on a disk of this machine, as far as that can be told. */
  readonly 'file-system-type': Both<{ readonly type: string; readonly mount: string }>;
  /** There is room for what a run writes. */
  readonly 'free-space': Both<{ readonly bytes: number; readonly bytesMin: number }>;
  /** Journals are whole. */
  readonly 'run-journal': {
    readonly ok: { readonly runs: number };
    readonly amiss: { readonly run: string; readonly count: number; readonly first: Finding };
  };
  /** Whoever holds a run lives. */
  readonly 'run-holder': {
    readonly ok: { readonly run: string; readonly holder: LockOwner };
    readonly amiss: { readonly run: string; readonly holder: LockOwner };
  };
  /** A process has died in the middle of a run. */
  readonly 'run-interrupted': Only<{
    readonly run: string;
    readonly holder: { readonly pid: number; readonly host: string } | undefined;
  }>;
  /** There are several runs of one identity that could be gone on with. */
  readonly 'run-choice': Only<{
    readonly pipeline: string;
    readonly identity: Readonly<Record<string, string>>;
    readonly runs: readonly string[];
  }>;
  /** Nothing has happened to a run for longer than the manifest's `pace.stale_after`. */
  readonly 'run-stale': Only<{ readonly run: string; readonly idleMs: number; readonly limitMs: number }>;
  /** The lock file of a run holds in clear what looks like a key. */
  readonly 'literal-secret': Only<{ readonly path: string; readonly key: string; readonly found: string }>;
  /** Processes that died have left files on their way to their names. */
  readonly 'leftover-file': Only<{
    readonly files: number;
    readonly bytes: number;
    /** The first few, relative to the workspace. */
    readonly paths: readonly string[];
  }>;
  /** What Pawl keeps in the workspace takes up little room. */
  readonly 'kept-size': Both<KeptSize>;
  /** Git leaves alone what Pawl keeps. */
  readonly 'git-ignore': Both<{ readonly path: string; readonly file: string }>;
  /** Coding agents call the hooks of this version; `installed` may be empty. */
  readonly 'agent-hooks': {
    readonly ok: { readonly installed: readonly InstalledHooks[] };
    readonly amiss: InstalledHooks & { readonly outdated: readonly string[]; readonly folder: string };
  };
  /** The settings of a coding agent cannot be understood. */
  readonly 'agent-settings': Only<{ readonly agent: AgentName; readonly trouble: AgentTrouble }>;
  /** A group of checks could not be made: the disk failed. */
  readonly 'could-not-look': Only<{
    readonly at: string;
    readonly code: string;
    readonly operation: string;
    readonly path: string;
  }>;
}

export interface ManifestExtent {
  readonly file: string;
  readonly units: number;
  readonly phases: number;
  /** Stages whose units an earlier one has yet to list. */
  readonly openStages: number;
}

export type ManifestTrouble =
  | { readonly found: 'none'; readonly path: string; readonly isNamed: boolean }
  | { readonly found: 'several'; readonly candidates: readonly string[] }
  | {
      readonly found: 'invalid';
      readonly file: string;
      /** The cell that made it, where it is a list of units. */
      readonly madeBy?: string;
      readonly problems: number;
      readonly first: Problem | undefined;
    }
  /** A manifest in code that could not be loaded. */
  | { readonly found: 'broken'; readonly file: string; readonly detail: string };

/** Where file operations were tried: what Pawl keeps, or the system's temporary folder on the same file system. */
export type TrialPlace = 'workspace' | 'temp';

/**
 * What everything on disk is built of: `write` a new file, `exclusive` (a name that is taken is refused), `sync` of its
 * bytes, `sync-folder` of its name, `link` a second name, `rename` over a file that is there, `remove`.
 */
export type FileOperation = 'write' | 'exclusive' | 'sync' | 'sync-folder' | 'link' | 'rename' | 'remove';

export interface KeptSize {
  readonly bytes: number;
  /** Of these, what attempts have left. */
  readonly attemptBytes: number;
  readonly bytesMax: number;
  /** There are more files than were counted. */
  readonly isPartial: boolean;
}

export interface InstalledHooks {
  readonly agent: AgentName;
  readonly scope: 'project' | 'user';
}

/** The facts are the same, whatever was found. */
interface Both<Facts> {
  readonly ok: Facts;
  readonly amiss: Facts;
}

interface Only<Facts> {
  readonly ok: never;
  readonly amiss: Facts;
}

/** How many were found; or one that was not, with whoever names it: a phase, `PHASE.OUTPUT` or `notify`. */
interface Named<Facts> {
  readonly ok: { readonly count: number };
  readonly amiss: Facts & { readonly usedBy: readonly string[] };
}
