import type { MadeOf } from '../ledger/ledger.ts';
import type { Unit } from '../model/definition.ts';
import type { FileVersion, ResultsKept } from '../model/event.ts';
import type { Change, RefusalOf } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';

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
export function unitChanges(
  loaded: LoadedPipeline,
  { id: unit, file }: Unit,
  phase: string,
  made: RecordedParts,
): readonly Change[] {
  if (isSameUnit(loaded, unit, phase, made)) return none;
  const step = { guard: 'unit-changed' as const, unit, phase };
  const fields = { before: made.unitData, after: loaded.unitData.get(unit) };
  const isSameData = fields.before === fields.after;
  const isTaken = loaded.fileTakers.has(phase) && file !== undefined;
  // Of a glob nothing but the file is likely to have changed, and which of both did is not known.
  const older = loaded.unitDataWithFile.get(unit);
  if (!isSameData && made.unitFile === undefined && older !== undefined && file !== undefined)
    return [{ ...step, file: file.path, isOneHash: true, before: fields.before, after: older }];
  const changes: Change[] = [];
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

const none: readonly never[] = [];

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
