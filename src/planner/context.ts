import type { BlockedUnit, Ledger, Step, StepResult } from '../ledger/ledger.ts';
import type { DeclaredFile, Gate, Phase, Stage, Unit } from '../model/definition.ts';
import type { PhaseStatics, PreState } from '../model/event.ts';
import { isForOthers } from '../model/executor.ts';
import type { GateStop, Notice, RefusalOf, StopReason } from '../model/reason.ts';
import type { ValueChange } from '../model/refusal.ts';
import { changesForPeople } from '../pipeline/diff.ts';
import type { CurrentStatics, LoadedPipeline } from '../pipeline/loaded.ts';
import { changedCode, sameStatics } from './compare.ts';
import type { Facts } from './facts.ts';
import type { Decision, UnitPlan } from './plan.ts';
import type { RoundFigures } from './rounds.ts';

/** Everything that planning looks at, with what is asked of it again and again worked out once. */
export interface PlanContext {
  readonly loaded: LoadedPipeline;
  readonly ledger: Ledger;
  readonly facts: Facts;
  readonly files: ReadonlyMap<string, DeclaredFile>;
  readonly shapes: ReadonlyMap<string, StageShape>;
  /** Does this revision give the phase the parts that it has now? */
  isCurrent(revision: number, phase: string): boolean;
  staticsOf(phase: string): CurrentStatics;
  /** A phase by its name, and the stage that it belongs to. */
  placeOf(phase: string): { readonly phase: Phase; readonly stage: Stage };
  /** The units that go through a phase. */
  makersOf(phase: string): readonly string[];
  /** Units that an actor has blocked. */
  readonly blocked: ReadonlyMap<string, BlockedUnit>;
  /** What differs between the manifest that was recorded last and the one that there is now. */
  manifestChanges(): readonly ValueChange[];
  /** Decisions to wait for a phase, by that phase: one serves all units that have not come so far. */
  readonly waits: Map<string, Decision>;
}

/** A stage's phases with the loops that gates make of them. */
export interface StageShape {
  readonly stage: Stage;
  readonly index: ReadonlyMap<string, number>;
  /** By phase index: the loop that the phase is in. */
  readonly loops: readonly (Loop | undefined)[];
  readonly hasLoops: boolean;
  /** People decide about some of its phases. */
  readonly isHeld: boolean;
  /** Some of its phases are claimed from outside. */
  readonly isShared: boolean;
}

/** From the phase that a gate goes back to, up to the gate. */
export interface Loop {
  readonly gate: Gate;
  readonly gatePhase: string;
  readonly head: number;
  readonly end: number;
}

export function planContext(loaded: LoadedPipeline, ledger: Ledger, facts: Facts): PlanContext {
  const current = new Map<number, Map<string, boolean>>();
  const staticsOf = (phase: string) => {
    const statics = loaded.statics.get(phase);
    if (statics === undefined) throw new Error(`no statics of phase ${phase}`);
    return statics;
  };
  return {
    loaded,
    ledger,
    facts,
    files: new Map(loaded.pipeline.files.map((file) => [file.name, file])),
    shapes: new Map(loaded.pipeline.stages.map((stage) => [stage.name, shapeOf(stage)])),
    staticsOf,
    placeOf: placesOf(loaded),
    makersOf: unitsByPhase(loaded),
    blocked: new Map(ledger.blocked.map((blocked) => [blocked.unit, blocked])),
    waits: new Map(),
    manifestChanges: once(() => {
      const before = facts.manifestBefore;
      if (before === undefined || before === loaded.pipeline.manifest) return [];
      return changesForPeople(before, loaded.pipeline.manifest, loaded.locate);
    }),
    isCurrent(revision, phase) {
      let known = current.get(revision);
      if (known === undefined) {
        known = new Map();
        current.set(revision, known);
      }
      let same = known.get(phase);
      if (same === undefined) {
        const before = ledger.revisions.get(revision)?.phases[phase];
        const now = staticsOf(phase);
        same = before !== undefined && sameStatics(before, now) && isUnchangedCode(before, now);
        known.set(phase, same);
      }
      return same;
    },
  };
}

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function placesOf({ pipeline }: LoadedPipeline): PlanContext['placeOf'] {
  const places = new Map(
    pipeline.stages.flatMap((stage) => stage.phases.map((phase) => [phase.name, { phase, stage }])),
  );
  return (name) => {
    const place = places.get(name);
    if (place === undefined) throw new Error(`no phase ${name}`);
    return place;
  };
}

function isUnchangedCode(before: PhaseStatics, now: CurrentStatics): boolean {
  const changed = changedCode(before, now);
  return changed === undefined || changed.length === 0;
}

function unitsByPhase({ pipeline }: LoadedPipeline): (phase: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (phase) => {
    let units = known.get(phase);
    if (units === undefined) {
      const stage = pipeline.stages.find(({ phases }) => phases.some(({ name }) => name === phase));
      units = stage?.units.map(({ id }) => id) ?? [];
      known.set(phase, units);
    }
    return units;
  };
}

function shapeOf(stage: Stage): StageShape {
  const index = new Map(stage.phases.map((phase, at) => [phase.name, at]));
  const loops: (Loop | undefined)[] = stage.phases.map(() => undefined);
  stage.phases.forEach((phase, end) => {
    if (phase.gate === undefined) return;
    const head = indexOf(index, phase.gate.backTo);
    const loop: Loop = { gate: phase.gate, gatePhase: phase.name, head, end };
    for (let at = head; at <= end; at++) loops[at] = loop;
  });
  return {
    stage,
    index,
    loops,
    hasLoops: loops.some((loop) => loop !== undefined),
    isHeld: stage.phases.some(({ checkpoints }) => checkpoints.length > 0),
    isShared: stage.phases.some(isForOthers),
  };
}

export function indexOf(index: ReadonlyMap<string, number>, phase: string): number {
  const at = index.get(phase);
  if (at === undefined) throw new Error(`no phase ${phase} in this stage`);
  return at;
}

export function phaseAt(shape: StageShape, at: number): Phase {
  const phase = shape.stage.phases[at];
  if (phase === undefined) throw new Error(`no phase at ${at}`);
  return phase;
}

/** One unit's way through its phases so far, as the walk has found it. */
export interface Walk {
  readonly context: PlanContext;
  readonly shape: StageShape;
  readonly unit: Unit;
  /** By phase: what the ledger knows of it. */
  readonly steps: readonly (Step | undefined)[];
  readonly startState: PreState | undefined;
  /** Units, or a whole stage, that must be finished before anything of this unit starts. */
  readonly blockedBy: () => readonly string[];
  /** The unit that is listed before it. */
  readonly before: Unit | undefined;
  /** The plans of the units that were planned before it. */
  readonly units: ReadonlyMap<string, UnitPlan>;
  /** What a result that started from another state than the chain has now is worth. */
  readonly staleState: 'keep' | 'refuse' | 'rerun';
  /** By phase; undefined: not come to yet. */
  readonly decisions: (Decision | undefined)[];
  /** The results of the round before, for inputs that come from later phases. */
  readonly roundBefore: Map<string, StepResult>;
  readonly rounds: Map<Loop, number>;
  /** The rounds that the gate has judged, in order. */
  readonly judged: Map<Loop, JudgedRound[]>;
  /** Loops that the walk has come out of. */
  readonly ended: Map<Loop, LoopEnd>;
  /** Phases whose result is put back before a person is asked about it. */
  readonly held: Set<string>;
  readonly notices: Notice[];
  /** Steps whose recorded start state differs because the chain before was regenerated. */
  readonly staleStates: RefusalOf<'pre-state-differs'>[];
}

/** A round of a loop, as it was when its gate judged it. */
export interface JudgedRound extends RoundFigures {
  /** The gate's own. */
  readonly result: StepResult;
  /** By phase of the loop. */
  readonly decisions: readonly (Decision | undefined)[];
}

export interface LoopEnd {
  readonly stopped: 'passed' | GateStop;
  /** The round that stands. */
  readonly kept: JudgedRound;
  /** Why nothing may be built on it; undefined: it was let through or accepted. */
  readonly stop: StopReason | undefined;
}

/** The round that a phase has come to, or that stands where its loop is over; 1 for what is in no loop. */
export function roundOf({ shape, rounds, ended }: Walk, at: number): number {
  const loop = shape.loops[at];
  if (loop === undefined) return 1;
  return ended.get(loop)?.kept.round ?? rounds.get(loop) ?? 1;
}
