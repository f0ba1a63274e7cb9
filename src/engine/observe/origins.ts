import type { Hash } from '../../base/hash.ts';
import type { FileStat } from '../../disk/disk.ts';
import { hashFile } from '../../disk/hash-file.ts';
import { findStep, type Ledger, type Step } from '../../ledger/ledger.ts';
import type { OutputRecord } from '../../model/event.ts';
import { isForOthers } from '../../model/executor.ts';
import { stepName } from '../../model/names.ts';
import type { FileOrigin } from '../../planner/facts.ts';
import { type FileHistory, readFileHistory, readOutputs } from '../open/file-history.ts';
import { openRunJournal } from '../open/run-files.ts';
import { runPlaces } from '../open/run-places.ts';
import type { Workspace } from '../open/workspace.ts';

/** A file at the path of an output, and the step that declares it. */
export interface FileOfStep {
  readonly unit: string;
  readonly phase: string;
  readonly path: string;
}

/**
 * Answers where the file at an output path comes from. The journals of other runs are read only when a file is asked
 * about that this run has not recorded, because that is rare and they may be long.
 */
export class Origins {
  readonly #workspace: Pick<Workspace, 'env' | 'root' | 'files' | 'loaded'>;
  /** Relative to the workspace; undefined: the run does not exist yet. */
  readonly #folder: string | undefined;
  readonly #ledger: Ledger;
  #own: ReadonlyMap<string, readonly Step[]> | undefined;
  #before: ReadonlyMap<string, ReadonlyMap<Hash, Step>> | undefined;
  #others: readonly OtherRun[] | undefined;

  constructor(
    workspace: Pick<Workspace, 'env' | 'root' | 'files' | 'loaded'>,
    folder: string | undefined,
    ledger: Ledger,
  ) {
    this.#workspace = workspace;
    this.#folder = folder;
    this.#ledger = ledger;
  }

  /** `hash`: of the bytes that lie there, where the caller has read them. */
  of(file: FileOfStep, hash?: Hash): FileOrigin {
    const { env, root, files } = this.#workspace;
    const absolute = `${root}/${file.path}`;
    const stat = env.disk.stat(absolute);
    if (stat?.kind !== 'file') return { kind: 'unknown' };
    let read = hash ?? files.hashOf(file.path, stat);
    const there: There = {
      stat,
      hash: () => {
        read ??= hashFile(env.disk, absolute)?.hash;
        return read;
      },
    };
    return (
      this.#ofClaim(file) ??
      this.#ofThisRun(file, there) ??
      this.#ofThisRunBefore(file, there) ??
      this.#ofOtherRun(file.path, there) ??
      unknown
    );
  }

  /** Whether a step of this run put something at the path, whatever bytes lie there now. */
  isRecorded(path: string): boolean {
    return this.#cellsAt(path).length > 0;
  }

  /** How another step of this run, such as a phase under its former name, recorded these bytes at this path. */
  otherStep({ unit, phase, path }: FileOfStep, hash: Hash): 'made' | 'adopted' | undefined {
    const writer = this.#writerAt(path, hash);
    if (writer === undefined || (writer.unit === unit && writer.phase === phase)) return undefined;
    return writer.adopted.includes(hash) ? 'adopted' : 'made';
  }

  /** The other run that recorded these bytes at this path; undefined: none did. */
  otherRun(path: string, hash: Hash): string | undefined {
    return this.#otherRuns().find(({ files }) =>
      [files.made, files.adopted].some((recorded) => recorded.get(path)?.has(hash)),
    )?.run;
  }

  /** The other run that committed this state: the shown state has a path of its own, which no event names. */
  otherRunWithState(hash: Hash): string | undefined {
    return this.#otherRuns().find(({ files }) => [...files.made.values()].some((made) => made.has(hash)))
      ?.run;
  }

  /** Work that was claimed is written at the declared path before it is completed. */
  #ofClaim({ unit, phase, path }: FileOfStep): FileOrigin | undefined {
    const step = findStep(this.#ledger, unit, phase);
    if (step === undefined || Object.values(step.placed ?? {}).some((record) => record.path === path))
      return undefined;
    const claim = step.running?.claim;
    if (claim !== undefined) return { kind: 'claim', actor: claim.actor };
    // An earlier owner released the claim, failed, or lost it: what lies there is handed to the next one.
    return step.attempts > 0 && this.#isClaimable(phase) ? { kind: 'claim', actor: undefined } : undefined;
  }

  #isClaimable(phase: string): boolean {
    const { stages } = this.#workspace.loaded.pipeline;
    return stages.some(({ phases }) => phases.some((one) => one.name === phase && isForOthers(one)));
  }

  #ofThisRun({ path }: FileOfStep, there: There): FileOrigin | undefined {
    for (const step of this.#cellsAt(path)) {
      const records = Object.values(step.placed ?? {}).filter((record) => record.path === path);
      const before: readonly (Hash | undefined)[] = [...step.former, ...step.adopted];
      const isRecorded =
        records.some((record) => isSame(record, there)) ||
        (before.length > 0 && before.includes(there.hash()));
      if (!isRecorded) continue;
      return this.#asOrigin(step);
    }
    return undefined;
  }

  /** A step may have written there before the manifest gave it another path. */
  #ofThisRunBefore({ path }: FileOfStep, { hash }: There): FileOrigin | undefined {
    const now = hash();
    const writer = now && this.#writerAt(path, now);
    if (now === undefined || writer === undefined) return undefined;
    const origin = this.#asOrigin(writer);
    return writer.adopted.includes(now) ? { ...origin, isAdopted: true } : origin;
  }

  #asOrigin(cell: Step): OfStep {
    const step = stepName(cell.unit, cell.phase);
    return this.#isListed(cell) ? { kind: 'step', step } : { kind: 'removed-step', step };
  }

  /** The step of this run that recorded these bytes at this path last, also where it has other outputs by now. */
  #writerAt(path: string, hash: Hash): Step | undefined {
    // The journal may be long, and is read only where the ledger knows the bytes: it keeps hashes, and not their paths.
    return this.#isOwnHash(hash) ? this.#writersBefore().get(path)?.get(hash) : undefined;
  }

  #isOwnHash(hash: Hash): boolean {
    for (const { placed, former, adopted } of this.#ledger.steps.values()) {
      if (former.includes(hash) || adopted.includes(hash)) return true;
      for (const name in placed) if (placed[name]?.hash === hash) return true;
    }
    return false;
  }

  #writersBefore(): ReadonlyMap<string, ReadonlyMap<Hash, Step>> {
    if (this.#before !== undefined || this.#folder === undefined) return this.#before ?? new Map();
    const { env, root } = this.#workspace;
    const before = new Map<string, Map<Hash, Step>>();
    for (const { unit, phase, record } of readOutputs(openRunJournal(env, root, this.#folder))) {
      const step = findStep(this.#ledger, unit, phase);
      const known = before.get(record.path) ?? new Map<Hash, Step>();
      if (step !== undefined) before.set(record.path, known.set(record.hash, step));
    }
    this.#before = before;
    return before;
  }

  /** Steps of this run that put something at the path. */
  #cellsAt(path: string): readonly Step[] {
    if (this.#own === undefined) {
      const own = new Map<string, Step[]>();
      for (const step of this.#ledger.steps.values())
        for (const record of Object.values(step.placed ?? {}))
          own.set(record.path, [...(own.get(record.path) ?? []), step]);
      this.#own = own;
    }
    return this.#own.get(path) ?? [];
  }

  #isListed({ unit, phase }: Step): boolean {
    const { stages } = this.#workspace.loaded.pipeline;
    return stages.some(
      ({ units, phases }) => phases.some(({ name }) => name === phase) && units.some(({ id }) => id === unit),
    );
  }

  #ofOtherRun(path: string, there: There): FileOrigin | undefined {
    for (const { run, files } of this.#otherRuns()) {
      for (const recorded of [files.made, files.adopted]) {
        const records = [...(recorded.get(path)?.values() ?? [])];
        if (records.some((record) => isSame(record, there))) return { kind: 'run', run };
      }
    }
    return undefined;
  }

  /** The newest first: of several runs that wrote the same bytes the last one is named. */
  #otherRuns(): readonly OtherRun[] {
    if (this.#others === undefined) {
      const { env, root, loaded } = this.#workspace;
      this.#others = runPlaces(env, root, loaded.pipeline)
        .filter(({ folder }) => folder !== this.#folder)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .map(({ id, folder }) => ({
          run: id,
          files: readFileHistory(openRunJournal(env, root, folder)),
        }));
    }
    return this.#others;
  }
}

type OfStep = Extract<FileOrigin, { kind: 'step' | 'removed-step' }>;

const unknown: FileOrigin = { kind: 'unknown' };

interface OtherRun {
  readonly run: string;
  readonly files: FileHistory;
}

/** The file that lies at a path; its bytes are read only where the stat does not answer. */
interface There {
  readonly stat: FileStat;
  readonly hash: () => Hash | undefined;
}

function isSame(record: OutputRecord, { stat, hash }: There): boolean {
  if (record.size !== stat.size) return false;
  return record.hash === hash();
}
