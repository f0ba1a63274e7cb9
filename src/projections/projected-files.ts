import { type Hash, hashBytes } from '../base/hash.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { DiskError, type FileAccess } from '../disk/disk.ts';
import { replaceFile, replaceFileNow } from '../disk/write.ts';
import type { Pipeline, Stage, Unit } from '../model/definition.ts';
import type { PreState } from '../model/event.ts';
import { asksOf } from '../model/reason.ts';
import { largestStage } from '../pipeline/layout.ts';
import {
  type Projection,
  projectionsOf,
  type RunProjectionName,
  type UnitProjectionName,
} from '../pipeline/projections.ts';
import type { UnitPlan } from '../planner/plan.ts';
import type { FilesForPeople } from '../runner/after-attempt.ts';
import { inWorkspace, type RunContext } from '../runner/context.ts';
import { makeRoom, stagingFolder } from '../runner/promotion.ts';
import { foreignFiles } from './file-owners.ts';
import { behindMsMax, type ProjectionTimer, type ProjectionTroubles } from './projection-timer.ts';
import type { RunProjections } from './run-projections.ts';
import { manifestLock, runProgress, runSummary } from './run-summary.ts';
import { renderUnitPage } from './status-page/unit-page.ts';
import { unitLedgerFile } from './unit-ledger.ts';

type Ground = Pick<
  RunContext,
  'disk' | 'clock' | 'files' | 'root' | 'folder' | 'loaded' | 'ledger' | 'journal' | 'store'
>;
/** Plans by unit, kept up to date by the schedule. */
type Plans = ReadonlyMap<string, UnitPlan>;

interface UnitPlace {
  readonly stage: Stage;
  readonly unit: Unit;
}

/**
 * Writes the files that people read: all made from the ledger, replaced whole, never read back for a decision.
 * A unit's files are written when the unit is finished, and before that after a quiet moment or by the timer, so that a
 * fast run does not spend its time on them. The next start rewrites what a crash left behind.
 * `pipeline/projections.ts` lists the files and their paths; `contents` below makes them.
 */
export class ProjectedFiles implements FilesForPeople {
  readonly #run: Ground;
  readonly #plans: Plans;
  readonly #files: readonly Projection[];
  /** Each unit has files of its own. */
  readonly #hasUnitFiles: boolean;
  readonly #units = new Map<string, UnitPlace>();
  /** Units whose files are behind. */
  readonly #behind = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #troubles: ProjectionTroubles;
  readonly #timer: ProjectionTimer;
  /** Units with a file that could not be written. */
  readonly #failed = new Set<string>();
  /** A file of the user's stands there, and could not be moved out of the way. */
  readonly #blocked = new Set<string>();
  #changedAt = 0;
  #flushedAt = 0;
  /** Of the newest event when all was written. */
  #flushedSeq = 0;
  /** The state that this invocation showed last. */
  #shownState: Hash | undefined;
  /** What of ours may stand at the state's path: a write that failed may have replaced the file before it did. */
  #ownStates = new Set<Hash>();

  constructor(run: Ground, plans: Plans, { troubles, timer }: Pick<RunProjections, 'troubles' | 'timer'>) {
    this.#run = run;
    this.#plans = plans;
    this.#troubles = troubles;
    this.#timer = timer;
    const { pipeline } = run.loaded;
    this.#files = projectionsOf(pipeline, run.folder);
    this.#hasUnitFiles = this.#files.some(({ scope }) => scope === 'unit');
    for (const stage of pipeline.stages)
      for (const unit of stage.units) this.#units.set(unit.id, { stage, unit });
  }

  /**
   * Moves files at these paths that this run did not write: they were there before the run, or before a unit or a place
   * in the layout was added. Called before any attempt.
   */
  setForeignAside(observe: RunContext['observe'], initialState: Hash | undefined): void {
    const { loaded, folder, ledger } = this.#run;
    for (const path of foreignFiles(this.#run, loaded.pipeline, folder, ledger, initialState)) {
      const makes = () => makeRoom({ ...this.#run, observe }, path, undefined, []);
      if (!this.#troubles.attempt(path, makes)) this.#blocked.add(path);
    }
  }

  /** The page of a unit shows at once that a step is under way, because the step may take an hour. */
  unitBegun(unit: string): void {
    if (this.#hasUnitFiles) this.#mendUnit(unit, 'status');
  }

  unitChanged(unit: string, finished: boolean): void {
    const now = this.#run.clock.now();
    const isQuiet = now - this.#changedAt >= behindMsMax;
    this.#changedAt = now;
    if (this.#hasUnitFiles) {
      if (finished || isQuiet) this.#writeUnit(unit);
      else this.#behind.add(unit);
    }
    if (now - this.#flushedAt >= behindMsMax) this.flush();
    else this.#timer.set();
  }

  /**
   * Shows the newest committed state at the state's own path. Edits of it are found by comparison with what we wrote, so
   * this projection must be whole even after a power cut. An edit made since is moved to `aside/`.
   */
  async stateChanged(
    state: PreState | undefined,
    observe: RunContext['observe'],
    /** Hash of the file that was judged before anything was shown. */
    judged?: Hash,
  ): Promise<void> {
    const spec = this.#run.loaded.pipeline.state;
    if (spec === undefined || state === undefined) return;
    const bytes = this.#stateBytes(state);
    if (bytes === undefined) return;
    if (judged !== undefined) this.#ownStates.add(judged);
    this.#ownStates.add(state.hash);
    const durable = this.#run.loaded.pipeline.durability === 'power';
    try {
      makeRoom({ ...this.#run, observe }, spec.path, undefined, [...this.#ownStates]);
      const options = { durable, tempFolder: this.#tempFolder(), access: 'shared' } as const;
      await replaceFile(this.#run.disk, this.#absolute(spec.path, 'shared'), bytes, options);
    } catch (error) {
      // As after a kill: what stands there is an earlier state of ours, and the next one that is shown replaces it.
      this.#troubles.note(spec.path, error);
      return;
    }
    this.#troubles.clear(spec.path);
    this.#shownState = state.hash;
    this.#ownStates = new Set([state.hash]);
  }

  /** Kept commits may have brought the chain further than the last commit that ran. */
  async stateCaughtUp(state: PreState | undefined, observe: RunContext['observe']): Promise<void> {
    if (state?.hash !== this.#shownState) await this.stateChanged(state, observe);
  }

  /** Writes everything, because a crash may have left some files behind. */
  rebuild(): void {
    for (const unit of this.#units.keys()) this.#mendUnit(unit);
    this.#writeRun('at its start');
    this.flush();
  }

  /** Writes what is behind, and the status of the whole run on every page. */
  end(): void {
    this.flush();
    for (const unit of this.#units.keys()) this.#mendUnit(unit, 'status');
  }

  /** An event of the unit was recorded. */
  unitRecorded(unit: string): void {
    if (this.#hasUnitFiles && this.#units.has(unit)) this.#behind.add(unit);
  }

  /** Writes what is behind, when anything is. */
  catchUp(): void {
    if (this.#behind.size > 0 || this.#run.journal.lastSeq !== this.#flushedSeq) this.flush();
  }

  /** All of it, because `run.json` says up to which event the others are written. */
  flush(): void {
    this.#flushedAt = this.#run.clock.now();
    this.#flushedSeq = this.#run.journal.lastSeq;
    for (const unit of this.#behind) this.#writeUnit(unit);
    // While one of them still fails, the others are not tried each time.
    for (const unit of this.#failed) if (!this.#writeUnit(unit)) break;
    this.#writeRun('as it goes');
  }

  #writeUnit(id: string): boolean {
    this.#behind.delete(id);
    this.#failed.delete(id);
    for (const { path, bytes } of this.#unitFiles(id))
      if (!this.#write(path, bytes, 'shared')) this.#failed.add(id);
    return !this.#failed.has(id);
  }

  /** Reads before it writes, because nearly all files are right and replacing one costs many times as much. */
  #mendUnit(id: string, only?: UnitProjectionName): void {
    for (const { path, bytes } of this.#unitFiles(id, only)) {
      const found = this.#read(path, bytes.length);
      if (found === undefined || Buffer.compare(found, bytes) !== 0) {
        if (!this.#write(path, bytes, 'shared')) this.#failed.add(id);
      }
    }
  }

  *#unitFiles(id: string, only?: UnitProjectionName): Generator<{ path: string; bytes: Uint8Array }> {
    const place = this.#units.get(id);
    if (place === undefined) return;
    for (const file of this.#files) {
      if (file.scope !== 'unit' || (only !== undefined && file.name !== only)) continue;
      const bytes = contents.unit[file.name](this.#run, place, this.#plans.get(id));
      if (bytes !== undefined) yield { path: file.pathOf(place.unit), bytes };
    }
  }

  #writeRun(when: RunFileTime): void {
    for (const file of this.#files) {
      if (file.scope !== 'run' || !isWrittenHere(file.name)) continue;
      const { written, says } = contents.run[file.name];
      // One that is written once is tried again with those that are written often.
      if (written !== when && !this.#troubles.has(file.path)) continue;
      const access = file.isDeclared ? 'shared' : 'private';
      this.#write(file.path, jsonBytes(says(this.#run, this.#plans)), access);
    }
  }

  /** What the manifest has put somewhere is the user's: it follows the umask, as outputs do. */
  #write(path: string, bytes: Uint8Array, access: FileAccess): boolean {
    if (this.#blocked.has(path)) return false;
    return this.#troubles.attempt(path, () =>
      replaceFileNow(this.#run.disk, this.#absolute(path, access), bytes, this.#tempFolder(), access),
    );
  }

  /** Undefined, too, for what cannot be read. */
  #read(path: string, bytesMax: number): Uint8Array | undefined {
    try {
      return this.#run.disk.read(inWorkspace(this.#run, path), bytesMax);
    } catch (error) {
      if (error instanceof DiskError) return undefined;
      throw error;
    }
  }

  /** A store that cannot read its copy now is not the end of it: the unit's own file holds the same bytes. */
  #stateBytes({ hash, path }: PreState): Uint8Array | undefined {
    const kept = this.#run.store.get(hash);
    if (kept instanceof Uint8Array) return kept;
    const placed = this.#run.disk.read(inWorkspace(this.#run, path));
    return placed !== undefined && hashBytes(placed) === hash ? placed : undefined;
  }

  /** What a kill leaves here the next start sweeps away; in the folders of the workspace it would lie for good. */
  #tempFolder(): string {
    const folder = stagingFolder(this.#run);
    this.#makeFolder(folder, 'private');
    return folder;
  }

  /** Makes the folder on the way there, once. */
  #absolute(path: string, access: FileAccess): string {
    const absolute = inWorkspace(this.#run, path);
    this.#makeFolder(absolute.slice(0, absolute.lastIndexOf('/')), access);
    return absolute;
  }

  #makeFolder(folder: string, access: FileAccess): void {
    if (this.#folders.has(folder)) return;
    this.#run.disk.makeFolder(folder, access);
    this.#folders.add(folder);
  }
}

/** Only these files need a plan; without them no plan is made to update the files. */
export function needsPlans({ layout }: Pipeline): boolean {
  return layout.status !== undefined || layout.progress !== undefined;
}

/** When a file about the whole run is written: once per invocation, or with every update. */
type RunFileTime = 'at its start' | 'as it goes';

/** Those that follow the journal event by event (`engine/run/hold.ts`), and the state, which has bytes of its own. */
const writtenElsewhere = ['auditLog', 'brief', 'state'] as const satisfies readonly RunProjectionName[];
type RunFileHere = Exclude<RunProjectionName, (typeof writtenElsewhere)[number]>;

function isWrittenHere(name: RunProjectionName): name is RunFileHere {
  return !writtenElsewhere.some((other) => other === name);
}

/**
 * The content of each file; undefined: none yet. A new projection does not compile until it is here or in
 * `writtenElsewhere`.
 */
const contents: {
  readonly unit: Readonly<
    Record<
      UnitProjectionName,
      (run: Ground, place: UnitPlace, plan: UnitPlan | undefined) => Uint8Array | undefined
    >
  >;
  readonly run: Readonly<
    Record<
      RunFileHere,
      { readonly written: RunFileTime; readonly says: (run: Ground, plans: Plans) => JsonObject }
    >
  >;
} = {
  unit: {
    ledger: (run, { stage, unit }) => {
      const said = unitLedgerFile(run, stage, unit);
      return said && jsonBytes(said);
    },
    status: (run, { stage, unit }, plan) => Buffer.from(renderUnitPage(run, stage, unit, plan)),
  },
  run: {
    summary: {
      written: 'as it goes',
      says: ({ ledger, journal }) =>
        runSummary(ledger, { epoch: journal.fencingNumber, seq: journal.lastSeq }),
    },
    lock: {
      written: 'at its start',
      says: ({ ledger, loaded }) => manifestLock(ledger, loaded.pipeline.manifest),
    },
    progress: {
      written: 'as it goes',
      says: ({ ledger, loaded }, plans) => {
        const { layout, stages } = loaded.pipeline;
        const { units } = largestStage(stages);
        return runProgress(ledger, layout, units, (unit) => extentOf(plans.get(unit)));
      },
    },
  },
};

function extentOf(plan: UnitPlan | undefined): 'finished' | 'failed' | 'pending' {
  if (plan?.finished) return 'finished';
  const isUsedUp = plan?.cells.some(
    ({ decision }) => decision.do === 'stop' && asksOf(decision.why) === undefined,
  );
  return isUsedUp ? 'failed' : 'pending';
}

function jsonBytes(value: JsonObject): Uint8Array {
  return Buffer.from(`${JSON.stringify(value as JsonValue, null, 2)}\n`);
}
