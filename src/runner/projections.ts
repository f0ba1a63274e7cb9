import { hashBytes } from '../base/hash.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { DiskError } from '../disk/disk.ts';
import { replaceFile, replaceFileNow } from '../disk/write.ts';
import { manifestLock } from '../ledger/manifest-lock.ts';
import { runProgress } from '../ledger/run-progress.ts';
import { runSummary } from '../ledger/run-summary.ts';
import type { Stage, Unit } from '../model/definition.ts';
import type { PreState } from '../model/event.ts';
import { asksOf } from '../model/reason.ts';
import { largestStage } from '../pipeline/layout.ts';
import type { UnitPlan } from '../planner/plan.ts';
import { inWorkspace, type RunContext } from './context.ts';
import { stagingFolder } from './outputs.ts';
import { statusFile } from './status-file.ts';
import { hasEvents, unitLedgerFile } from './unit-file.ts';

/** Long enough for a quick unit to be finished, short enough for people. */
const behindMsMax = 250;

/**
 * Writes the files that people read: all made from the ledger, replaced whole, never read back for a decision.
 * A unit's file is written when the unit is finished, and before that when nothing has happened for a while or it has
 * been behind for a while, so that a fast run does not spend its time on them. What a crash left behind is made anew
 * at the next start.
 */
export class Projections {
  readonly #run: RunContext;
  readonly #stageOf = new Map<string, Stage>();
  readonly #units = new Map<string, Unit>();
  /** Units whose file is behind, and since when; the one that has been for longest comes first. */
  readonly #behind = new Map<string, number>();
  readonly #folders = new Set<string>();
  readonly #plans: ReadonlyMap<string, UnitPlan>;
  #changedAt = 0;
  #flushedAt = 0;

  /** `plans` are kept true by whoever carries them out. */
  constructor(run: RunContext, plans: ReadonlyMap<string, UnitPlan>) {
    this.#run = run;
    this.#plans = plans;
    for (const stage of run.loaded.pipeline.stages) {
      for (const unit of stage.units) {
        this.#stageOf.set(unit.id, stage);
        this.#units.set(unit.id, unit);
      }
    }
  }

  /** Work on a unit has begun: whoever looks at its page in the next hour wants to know. */
  unitBegun(unit: string): void {
    if (this.#run.loaded.pipeline.layout.status === undefined) return;
    const stage = this.#stageOf.get(unit);
    const definition = this.#units.get(unit);
    if (stage !== undefined && definition !== undefined) this.#writeStatusPage(stage, definition);
  }

  unitChanged(unit: string, finished: boolean): void {
    const now = this.#run.clock.now();
    const isQuiet = now - this.#changedAt >= behindMsMax;
    this.#changedAt = now;
    if (finished || isQuiet) this.#writeUnit(unit);
    else if (!this.#behind.has(unit)) this.#behind.set(unit, now);
    if (now - this.#flushedAt >= behindMsMax) this.#flush(now, now - behindMsMax);
  }

  /**
   * Shows the newest committed state at the state's own path. The one projection that a decision looks at: an edit of
   * it is told from what we wrote, so it must be whole even after a power cut.
   */
  async stateChanged(state: PreState | undefined): Promise<void> {
    const spec = this.#run.loaded.pipeline.state;
    if (spec === undefined || state === undefined) return;
    const bytes = this.#stateBytes(state);
    if (bytes === undefined) return;
    const durable = this.#run.loaded.pipeline.durability === 'power';
    const tempFolder = this.#tempFolder();
    await replaceFile(this.#run.disk, this.#absolute(spec.path), bytes, { durable, tempFolder });
  }

  /** Everything again, after a crash may have left some of it behind. */
  rebuild(): void {
    for (const [unit, stage] of this.#stageOf) {
      const definition = this.#units.get(unit);
      if (definition === undefined || !hasEvents(this.#run.ledger, stage, definition)) continue;
      const { path, content } = unitLedgerFile(this.#run, stage, definition);
      const bytes = jsonBytes(content);
      // Nearly all are as they should be, and replacing a file is many times as dear as reading it.
      if (!this.#hasBytes(path, bytes)) this.#write(path, bytes);
    }
    this.#writeStatusPages();
    const { manifest } = this.#run.loaded.pipeline;
    this.#writeJson(`${this.#run.folder}/manifest.lock.json`, manifestLock(this.#run.ledger, manifest));
    this.flush();
  }

  /** Brings every page up to what has become of the run as a whole, and everything else that is behind. */
  end(): void {
    this.flush();
    this.#writeStatusPages();
  }

  flush(): void {
    this.#flush(this.#run.clock.now(), Number.POSITIVE_INFINITY);
  }

  #flush(now: number, behindSince: number): void {
    this.#flushedAt = now;
    for (const [unit, since] of this.#behind) {
      if (since > behindSince) break;
      this.#writeUnit(unit);
    }
    this.#writeJson(
      `${this.#run.folder}/run.json`,
      runSummary(this.#run.ledger, { epoch: this.#run.journal.epoch, seq: this.#run.journal.lastSeq }),
    );
    this.#writeProgress();
  }

  #writeProgress(): void {
    const { layout, stages } = this.#run.loaded.pipeline;
    if (layout.progress === undefined) return;
    const { units } = largestStage(stages);
    this.#writeJson(
      layout.progress,
      runProgress(this.#run.ledger, layout, units, (unit) => extentOf(this.#plans.get(unit))),
    );
  }

  /** A store that cannot read its copy now is not the end of it: the unit's own file holds the same bytes. */
  #stateBytes({ hash, path }: PreState): Uint8Array | undefined {
    const kept = this.#run.store.get(hash);
    if (kept instanceof Uint8Array) return kept;
    const placed = this.#run.disk.read(inWorkspace(this.#run, path));
    return placed !== undefined && hashBytes(placed) === hash ? placed : undefined;
  }

  #writeUnit(unit: string): void {
    const stage = this.#stageOf.get(unit);
    const definition = this.#units.get(unit);
    if (stage === undefined || definition === undefined) return;
    const { path, content } = unitLedgerFile(this.#run, stage, definition);
    this.#writeJson(path, content);
    this.#writeStatusPage(stage, definition);
    this.#behind.delete(unit);
  }

  #writeStatusPages(): void {
    if (this.#run.loaded.pipeline.layout.status === undefined) return;
    for (const [unit, stage] of this.#stageOf) {
      const definition = this.#units.get(unit);
      if (definition !== undefined) this.#writeStatusPage(stage, definition);
    }
  }

  #writeStatusPage(stage: Stage, unit: Unit): void {
    const file = statusFile(this.#run, stage, unit, this.#plans.get(unit.id));
    if (file === undefined) return;
    const bytes = Buffer.from(file.text);
    if (!this.#hasBytes(file.path, bytes)) this.#write(file.path, bytes);
  }

  #writeJson(path: string, value: JsonObject): void {
    this.#write(path, jsonBytes(value));
  }

  #hasBytes(path: string, bytes: Uint8Array): boolean {
    try {
      const found = this.#run.disk.read(inWorkspace(this.#run, path), bytes.length);
      return found !== undefined && Buffer.compare(found, bytes) === 0;
    } catch (error) {
      if (error instanceof DiskError) return false;
      throw error;
    }
  }

  #write(path: string, bytes: Uint8Array): void {
    replaceFileNow(this.#run.disk, this.#absolute(path), bytes, this.#tempFolder());
  }

  /** What a kill leaves here the next start sweeps away; in the folders of the workspace it would lie for good. */
  #tempFolder(): string {
    const folder = stagingFolder(this.#run);
    this.#makeFolder(folder);
    return folder;
  }

  /** Makes the folder on the way there, once. */
  #absolute(path: string): string {
    const absolute = inWorkspace(this.#run, path);
    this.#makeFolder(absolute.slice(0, absolute.lastIndexOf('/')));
    return absolute;
  }

  #makeFolder(folder: string): void {
    if (this.#folders.has(folder)) return;
    this.#run.disk.makeFolder(folder);
    this.#folders.add(folder);
  }
}

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
