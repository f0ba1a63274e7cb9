import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ArtifactAdopted, Judgement, OutputRecord } from '../model/event.ts';
import type { StepName } from '../model/names.ts';
import type { Damage, Refusal } from '../model/reason.ts';

/** What the disk says now, gathered before planning. The planner itself never looks. */
export interface Facts {
  /** When this was looked at: a lease is live or has run out. */
  readonly now: string;
  /** The boot of this machine; undefined: unknown. */
  readonly boot?: string;
  /** By path: every output that is not as recorded. The others were proven, and are not listed: nearly all are. */
  readonly outputs: ReadonlyMap<string, OutputOnDisk>;
  /** Recorded bytes that were looked for and are neither at their path nor in the content store. */
  readonly lost: ReadonlySet<Hash>;
  /** Steps that were cut off during a call whose answer had arrived: they are not in doubt. */
  readonly answered?: ReadonlySet<StepName>;
  /** Files at declared paths where their step has recorded no output. */
  readonly unknown: readonly UnknownFile[];
  /** Files at paths where earlier results have to be put back, with bytes that their steps never made. */
  readonly inTheWay?: readonly Pick<UnknownFile, 'unit' | 'phase' | 'path'>[];
  /** Files that look like outputs of units that the pipeline does not list, and that no run recorded. */
  readonly strays?: readonly string[];
  /** Files that may be outputs of units that the run has not listed yet, and that no run recorded. */
  readonly unlisted?: readonly string[];
  /** The file that shows the newest state; undefined when the pipeline has none. */
  readonly state: StateFact | undefined;
  /** The recorded hash of `manifestBefore`; absent: it is not known. */
  readonly manifestBeforeHash?: Hash | undefined;
  /** Fields that results were made from and that are different now, by their hash, as far as they were kept. */
  readonly unitsBefore?: ReadonlyMap<Hash, JsonObject>;
  /** `REVISION PHASE` where nothing but checks differs from how the phase is defined now; absent: none is known. */
  readonly checksOnly?: ReadonlySet<string>;
  /** `REVISION PHASE` where nothing but policies differs, which an older version of Pawl recorded; absent: none. */
  readonly policiesOnly?: ReadonlySet<string>;
  /** Steps whose recorded outputs the checks of now were applied to, and whether they pass. */
  readonly rechecked?: ReadonlyMap<StepName, boolean>;
  /** The manifest of the newest revision; undefined before the first, or when its bytes are lost. */
  readonly manifestBefore: JsonObject | undefined;
}

/** What lies where recorded bytes should. */
export type OutputOnDisk =
  | { readonly kind: 'missing' }
  /**
   * The recorded bytes were not promoted or did not survive a crash: Pawl restores them, because no person
   * changed the file.
   */
  | { readonly kind: 'unpromoted' }
  /** Other bytes that could be meant: no check, or it passes. */
  | {
      readonly kind: 'edited';
      readonly now: OutputRecord;
      /** Of a gate's report: what it says now. */
      readonly verdict?: string;
      readonly judged?: Judgement;
      /** The run that recorded these bytes at this path; absent: they are an edit by hand. */
      readonly writtenBy?: string;
    }
  /** Bytes that no person can have meant. */
  | { readonly kind: 'damaged'; readonly damage: Damage };

export interface UnknownFile {
  readonly unit: string;
  readonly phase: string;
  readonly output: string;
  readonly path: string;
  /** The step has recorded outputs at other paths, so adopting this file would not make it whole. */
  readonly hasResult?: true;
  readonly origin: FileOrigin;
}

/** Where the file at an output path comes from. */
export type FileOrigin =
  /** A step of this run recorded these bytes at this path; adopted: a person had made them. */
  | { readonly kind: 'step'; readonly step: string; readonly isAdopted?: true }
  /** A step of this run recorded them, and the manifest no longer lists its phase or its unit. */
  | { readonly kind: 'removed-step'; readonly step: string; readonly isAdopted?: true }
  /** Another run of this workspace recorded these bytes at this path. */
  | { readonly kind: 'run'; readonly run: string }
  /** The owner of a claim works there; undefined: an earlier owner left it. */
  | { readonly kind: 'claim'; readonly actor: string | undefined }
  /** No record names these bytes: they are the user's. */
  | { readonly kind: 'unknown' };

export interface StateFact {
  /** What the first unit starts from; undefined: the file is missing. */
  readonly initial: Hash | undefined;
  /** What lies at the state's path; undefined: nothing. */
  readonly shown: OutputRecord | undefined;
  /** The run that recorded the shown bytes, where this one did not. */
  readonly writtenBy?: string;
}

/** The event that takes an edited file in, as it is now. */
export function adoption(
  ledger: Ledger,
  facts: Facts,
  refusal: Refusal & { guard: 'output-edited' | 'state-edited' },
  reason: string,
): ArtifactAdopted | undefined {
  if (refusal.guard === 'output-edited') {
    const fact = facts.outputs.get(refusal.path);
    if (fact?.kind !== 'edited') return undefined;
    const { unit, phase, output, before } = refusal;
    const { kind: _, now: after, writtenBy: __, ...judged } = fact;
    return { type: 'artifact_adopted', unit, phase, output, before, after, ...judged, reason };
  }
  const shown = facts.state?.shown;
  const writer = stateWriter(ledger, refusal.unit);
  if (shown === undefined || writer === undefined) return undefined;
  const after: OutputRecord = { ...shown, path: writer.path };
  return {
    type: 'artifact_adopted',
    unit: refusal.unit,
    phase: writer.phase,
    output: 'state',
    before: refusal.before,
    after,
    reason,
  };
}

function stateWriter(ledger: Ledger, unit: string): { phase: string; path: string } | undefined {
  for (const step of ledger.steps.values()) {
    if (step.unit === unit && step.placed?.state !== undefined)
      return { phase: step.phase, path: step.placed.state.path };
  }
  return undefined;
}
