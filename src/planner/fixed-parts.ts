import type { Hash } from '../base/hash.ts';
import type { MadeOf, Step, StepResult } from '../ledger/ledger.ts';
import type { Phase, Unit } from '../model/definition.ts';
import type { FileVersion, OutputRecord, ResultsKept } from '../model/event.ts';
import type { PartChange, Refusal, RefusalOf, RunReason } from '../model/reason.ts';
import type { ValueChange } from '../model/refusal.ts';
import { changesForPeople, phaseOf } from '../pipeline/diff.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { compareStatics } from './compare.ts';
import type { PlanContext, Walk } from './context.ts';
import type { OutputOnDisk } from './facts.ts';
import { noChanges, type TreatedChanges, treatChanges } from './policy.ts';

/** What refuses a result, whatever round it belongs to and whatever comes before it. */
export function refusalsOf(walk: Walk, phase: Phase, step: Step, result: StepResult): Refusal[] {
  const fixed = compareFixedParts(walk, phase, result);
  return [...fixed.refusals, ...lookAtOutputs(walk, step, result).refusals];
}

/** What does not depend on the round before: definition, templates, declared files, code, the unit's own fields. */
export function compareFixedParts(walk: Walk, phase: Phase, result: StepResult): TreatedChanges {
  const changes = changesSince(walk, phase, result, result);
  if (result.kept === undefined) return treatChanges(walk.context, changes);
  const made = changesSince(walk, phase, result, result.kept.made);
  if (made.length === 0) return noChanges;
  // A part whose kept change was undone is again as the result was made from it.
  const differing = new Set(made.map(partOf));
  const treated = treatChanges(
    walk.context,
    changes.filter((change) => differing.has(partOf(change))),
  );
  const isKept = treated.refusals.length === 0 && treated.reasons.length === 0;
  if (!isKept) return treated;
  const open = new Set(changes.map(partOf));
  const outdated = made.map((change) =>
    open.has(partOf(change)) ? change : { ...change, isAnswered: true as const },
  );
  return { ...noChanges, outdated };
}

const none: readonly never[] = [];

/** The template, the file or the fields that a change is about. */
function partOf(change: PartChange): string {
  const name = 'role' in change ? change.role : 'file' in change ? (change.file ?? '') : '';
  return `${change.guard} ${name}`;
}

/** What differs now from the parts that a result was made from. */
function changesSince(
  walk: Walk,
  phase: Phase,
  { round }: Pick<StepResult, 'round'>,
  made: MadeOf,
): readonly PartChange[] {
  const { context, unit } = walk;
  const sameUnit = isSameUnit(context.loaded, unit.id, phase.name, made);
  if (sameUnit && context.isCurrent(made.revision, phase.name)) return none;
  const step = { unit: unit.id, phase: phase.name };
  const before = context.ledger.revisions.get(made.revision)?.phases[phase.name];
  const now = context.staticsOf(phase.name);
  const changes = compareStatics(step, round, before, now, context.files).flatMap((change): PartChange[] => {
    if (change.guard !== 'definition-changed') return [change];
    if (context.facts.policiesOnly?.has(`${made.revision} ${phase.name}`)) return [];
    const values = definitionValues(context, phase.name, made.revision);
    const isOfChecks = isChangeOfChecks(walk, phase, made.revision);
    return [{ ...change, ...(isOfChecks && { checksOnly: true as const }), ...(values && { values }) }];
  });
  if (sameUnit) return changes;
  const ofUnit = unitChanges(context.loaded, unit, phase.name, made).map((change) => {
    if (change.guard !== 'unit-changed' || change.file !== undefined) return change;
    const values = fieldValues(context, unit, change.before);
    return values === undefined ? change : { ...change, values };
  });
  return [...changes, ...ofUnit];
}

function isChangeOfChecks({ context }: Walk, phase: Phase, revision: number): boolean {
  return context.facts.checksOnly?.has(`${revision} ${phase.name}`) === true;
}

type UnitChange = RefusalOf<'unit-changed'>;
type RecordedParts = Pick<MadeOf, 'unitData' | 'unitFile'>;

/** The unit's fields, and its own file where the phase takes it, as an event records them. */
export function unitParts(
  { unitData, unitFiles, fileTakers }: LoadedPipeline,
  unit: string,
  phase: string,
): { readonly unitData?: NonNullable<MadeOf['unitData']>; readonly unitFile?: FileVersion } {
  const data = unitData.get(unit);
  const { path, hash } = (fileTakers.has(phase) && unitFiles.get(unit)) || {};
  return {
    ...(data !== undefined && { unitData: data }),
    ...(path !== undefined && hash !== undefined && { unitFile: { path, hash } }),
  };
}

/** Asked of every result: so nothing is made to find that out. */
export function isSameUnit(
  { unitData, unitDataWithFile, unitFiles, fileTakers }: LoadedPipeline,
  unit: string,
  phase: string,
  made: RecordedParts,
): boolean {
  if (made.unitData === unitData.get(unit))
    return !fileTakers.has(phase) || made.unitFile?.hash === unitFiles.get(unit)?.hash;
  // An older version of Pawl recorded the file as one of the fields.
  return (
    made.unitFile === undefined && made.unitData !== undefined && made.unitData === unitDataWithFile.get(unit)
  );
}

/** What changed of the unit since a result was made: its fields, its own file, or both. */
function unitChanges(
  loaded: LoadedPipeline,
  { id: unit, file }: Unit,
  phase: string,
  made: RecordedParts,
): readonly PartChange[] {
  if (isSameUnit(loaded, unit, phase, made)) return none;
  const step = { guard: 'unit-changed' as const, unit, phase };
  const fields = { before: made.unitData, after: loaded.unitData.get(unit) };
  const isSameData = fields.before === fields.after;
  const isTaken = loaded.fileTakers.has(phase) && file !== undefined;
  // Of a glob nothing but the file is likely to have changed, and which of both did is not known.
  const older = loaded.unitDataWithFile.get(unit);
  if (!isSameData && made.unitFile === undefined && older !== undefined && file !== undefined)
    return [{ ...step, file: file.path, isOneHash: true, before: fields.before, after: older }];
  const changes: PartChange[] = [];
  if (!isSameData) changes.push({ ...step, ...fields });
  if (isTaken && made.unitFile?.hash !== file.hash)
    changes.push({
      ...step,
      file: file.path,
      before: made.unitFile?.hash,
      after: file.hash,
      ...(file.isMissing && { isMissing: true }),
    });
  return changes;
}

/** A result that is kept counts as made from these parts of its unit. */
export function keptUnitParts(
  loaded: LoadedPipeline,
  { unit, phase, file, isOneHash, after }: UnitChange,
): Pick<ResultsKept, 'unitData' | 'unitFile'> {
  const now = unitParts(loaded, unit, phase);
  if (file === undefined) return { unitData: after ?? null };
  return {
    ...(isOneHash && { unitData: now.unitData ?? null }),
    unitFile: now.unitFile ?? null,
  };
}

/* The old and the new values behind a change, as far as the old ones were kept. */

/** Of a unit's fields; undefined: what they were is not known. */
function fieldValues(
  { facts }: PlanContext,
  unit: Unit,
  before: Hash | undefined,
): readonly ValueChange[] | undefined {
  const was = before === undefined ? {} : facts.unitsBefore?.get(before);
  return was && changesForPeople(was, unit.data);
}

/** Of a phase in the manifest; undefined: it was changed in something else, or the old manifest is not the newest one. */
function definitionValues(
  context: PlanContext,
  phase: string,
  revision: number,
): readonly ValueChange[] | undefined {
  const { ledger, facts } = context;
  const made = ledger.revisions.get(revision)?.manifest;
  if (made === undefined || made !== facts.manifestBeforeHash) return undefined;
  const values = context.manifestChanges().filter(({ path }) => phaseOf(path) === phase);
  return values.length === 0 ? undefined : values;
}

/** What is wrong with the files of a result. */
export interface OutputTrouble {
  readonly refusals: readonly Refusal[];
  readonly reason: RunReason | undefined;
  readonly unpromoted: readonly string[];
}

export const noTrouble: OutputTrouble = { refusals: [], reason: undefined, unpromoted: [] };

/** Only the newest promoted result lies at the declared paths; earlier rounds are proven by the content store. */
export function lookAtOutputs(walk: Walk, step: Step, result: StepResult): OutputTrouble {
  const { outputs, lost } = walk.context.facts;
  if (step.promoted !== result.attempt) return lost.size === 0 ? noTrouble : lookForLost(lost, result);
  if (outputs.size === 0) return noTrouble;
  let trouble = noTrouble;
  for (const output in result.outputs) {
    const record = result.outputs[output] as OutputRecord;
    const fact = outputs.get(record.path);
    // The actor that has claimed it is working on this very file.
    if (fact?.kind === 'edited' && step.running?.claim !== undefined) continue;
    if (fact !== undefined)
      trouble = addTrouble(trouble, { unit: step.unit, phase: step.phase, output }, record, fact);
  }
  return trouble;
}

/** What was to be put back and is nowhere any more has to be made again. */
function lookForLost(lost: ReadonlySet<Hash>, result: StepResult): OutputTrouble {
  for (const [output, { hash, path }] of Object.entries(result.outputs))
    if (lost.has(hash)) return { ...noTrouble, reason: { code: 'output-missing', output, path } };
  return noTrouble;
}

function addTrouble(
  trouble: OutputTrouble,
  at: { unit: string; phase: string; output: string },
  record: OutputRecord,
  fact: OutputOnDisk,
): OutputTrouble {
  const { output } = at;
  const { path } = record;
  switch (fact.kind) {
    case 'missing':
      return { ...trouble, reason: trouble.reason ?? { code: 'output-missing', output, path } };
    case 'damaged':
      return {
        ...trouble,
        reason: trouble.reason ?? { code: 'output-damaged', output, path, damage: fact.damage },
      };
    case 'unpromoted':
      return { ...trouble, unpromoted: [...trouble.unpromoted, output] };
    case 'edited': {
      const refusal: Refusal = {
        guard: 'output-edited',
        ...at,
        path,
        before: record.hash,
        after: fact.now.hash,
        ...(fact.writtenBy !== undefined && { writtenBy: fact.writtenBy }),
      };
      return { ...trouble, refusals: [...trouble.refusals, refusal] };
    }
  }
}
