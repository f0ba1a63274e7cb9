import { type Hash, hashJson } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';
import type { Ledger, Step, StepResult } from '../ledger/ledger.ts';
import { madeOf } from '../ledger/results.ts';
import type { Phase } from '../model/definition.ts';
import type { Cost, OutputRecord, PhaseStatics } from '../model/event.ts';
import { asksModel, isForOthers } from '../model/executor.ts';
import type { CurrentStatics, LoadedPipeline } from '../pipeline/loaded.ts';
import { refHash } from './compare.ts';
import type { MadeFrom } from './plan.ts';

/*
 * Results of other runs that were made from exactly what a step would be made from now. Their journals record every part,
 * so that nothing else has to be written down for it: the same parts give the same key, whichever run recorded them.
 * Answers of models are found by their call instead, because another unit may ask the same.
 */

export interface EarlierResult {
  /** `RUN UNIT/PHASE#ATTEMPT`: the attempt that made it. */
  readonly source: string;
  /** Of the rendered prompt; it has to be the same, too. */
  readonly prompt: Hash | undefined;
  readonly outputs: Readonly<Record<string, OutputRecord>>;
  /** What its step had cost there. */
  readonly saved: Cost | undefined;
}

/** Phases whose results of other runs are taken: as the manifest says, or all that it says nothing of. */
export function reusedPhases({ pipeline, statics }: LoadedPipeline, reusesAll: boolean): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { phases } of pipeline.stages)
    for (const phase of phases)
      if (isReused(phase, statics.get(phase.name), reusesAll)) names.add(phase.name);
  return names;
}

function isReused(phase: Phase, statics: CurrentStatics | undefined, reusesAll: boolean): boolean {
  if (asksModel(phase) || isForOthers(phase) || statics === undefined) return false;
  // Code that is tracked but unknown cannot be compared.
  if (statics.code === undefined && phase.code.onChange !== 'ignore') return false;
  return (phase.reuse ?? (reusesAll ? 'content' : 'never')) === 'content';
}

/** Results by what they were made from. Of the same made twice, the one that was added last is taken. */
export class EarlierResultIndex {
  readonly #phases: ReadonlySet<string>;
  readonly #results = new Map<Hash, EarlierResult>();

  constructor(phases: ReadonlySet<string>) {
    this.#phases = phases;
  }

  /** Takes what stands in another run. */
  addRun(run: string, ledger: Ledger): void {
    for (const step of ledger.steps.values()) {
      const [result] = step.results;
      if (result === undefined || !this.#phases.has(step.phase) || !isOwnWork(step, result)) continue;
      const made = madeOf(result);
      const statics = ledger.revisions.get(made.revision)?.phases[step.phase];
      if (statics === undefined) continue;
      const inputs = Object.entries(made.inputs ?? {}).map(([name, ref]) => [name, refHash(ref)] as const);
      const key = keyOf(step, recordedStatics(statics), {
        unitData: made.unitData,
        unitFile: made.unitFile?.hash,
        inputs,
        preState: made.preState?.hash,
      });
      this.#results.set(key, {
        source: result.reused ?? `${run} ${step.unit}/${step.phase}#${result.attempt}`,
        prompt: result.prompt,
        outputs: result.outputs,
        saved: step.cost,
      });
    }
  }

  /** A result that was made from just this; undefined: there is none, or its phase does not reuse any. */
  find(
    { statics, unitData, unitFiles, fileTakers }: LoadedPipeline,
    { unit, phase, made }: { readonly unit: string; readonly phase: string; readonly made: MadeFrom },
  ): EarlierResult | undefined {
    const now = statics.get(phase);
    if (now === undefined || this.#results.size === 0 || !this.#phases.has(phase)) return undefined;
    const file = fileTakers.has(phase) ? unitFiles.get(unit) : undefined;
    // A file that is too large to be compared may have any bytes.
    if (file !== undefined && file.hash === undefined) return undefined;
    const inputs = [...made.inputs].map(([name, { output }]) => [name, output.hash] as const);
    const key = keyOf({ unit, phase }, currentStatics(now), {
      unitData: unitData.get(unit),
      unitFile: file?.hash,
      inputs,
      preState: made.preState?.hash,
    });
    return this.#results.get(key);
  }
}

/** Its phase made it, and neither a person's hand nor a person's word had a part in it. */
function isOwnWork(step: Step, result: StepResult): boolean {
  const { byHand, imported, isFound, reported: told, actor, feedback, outputs } = result;
  if ([byHand, imported, isFound, told].includes(true) || actor !== undefined || feedback !== undefined)
    return false;
  if (step.superseded !== undefined || (step.feedback?.length ?? 0) > 0) return false;
  return Object.values(outputs).every(({ hash }) => !step.adopted.includes(hash));
}

/** What is the same for every unit, in a form that is the same for recorded and current. */
interface Statics {
  readonly definition: Hash;
  readonly templates: readonly (readonly [string, Hash])[];
  readonly files: readonly (readonly [string, Hash])[];
  readonly code: readonly (readonly [string, Hash | null])[] | undefined;
}

interface Own {
  readonly unitData: Hash | undefined;
  readonly unitFile: Hash | undefined;
  readonly inputs: readonly (readonly [string, Hash | undefined])[];
  readonly preState: Hash | undefined;
}

function keyOf(
  { unit, phase }: { readonly unit: string; readonly phase: string },
  { definition, templates, files, code }: Statics,
  { unitData, unitFile, inputs, preState }: Own,
): Hash {
  const parts: JsonValue = {
    unit,
    phase,
    definition,
    // Rungs of a ladder belong to later rounds, of which nothing is taken.
    templates: Object.fromEntries(templates.filter(([role]) => !role.startsWith('rung:'))),
    files: Object.fromEntries(files),
    code: code === undefined ? null : Object.fromEntries(code),
    unitData: unitData ?? null,
    unitFile: unitFile ?? null,
    inputs: Object.fromEntries(inputs.map(([name, hash]) => [name, hash ?? null])),
    preState: preState ?? null,
  };
  return hashJson(parts);
}

function recordedStatics({ definition, templates, files, code }: PhaseStatics): Statics {
  const hashes = (of: PhaseStatics['files']) =>
    Object.entries(of).map(([name, { hash }]) => [name, hash] as const);
  return {
    definition,
    templates: hashes(templates),
    files: hashes(files),
    code: code && Object.entries(code),
  };
}

function currentStatics({ definition, templates, files, code }: CurrentStatics): Statics {
  const hashes = (of: CurrentStatics['files']) =>
    [...of].flatMap(([name, { hash }]) => (hash === undefined ? [] : [[name, hash] as const]));
  return {
    definition,
    templates: hashes(templates),
    files: hashes(files),
    code: code && [...code].map(([path, hash]) => [path, hash ?? null] as const),
  };
}
