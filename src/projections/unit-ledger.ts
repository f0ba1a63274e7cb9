import type { JsonObject } from '../base/json.ts';
import { currentResult, findStep, type Ledger, type Step, type StepResult } from '../ledger/ledger.ts';
import type { Stage, Unit } from '../model/definition.ts';
import { runFile } from '../model/run-folder.ts';
import type { RunContext } from '../runner/context.ts';

/**
 * One unit's ledger file, as people and other tools read it: one entry per phase, never two, replaced in place.
 * A projection: `docs/formats/ledger.md` describes it.
 */
export function unitLedger(
  ledger: Ledger,
  unit: string,
  phases: readonly string[],
  attemptsFolder: string,
  unitKey: string,
): JsonObject {
  const entries: Record<string, JsonObject> = {};
  for (const phase of phases) {
    const step = findStep(ledger, unit, phase);
    const entry = step === undefined ? undefined : phaseEntry(ledger, step, attemptsFolder);
    if (entry !== undefined) entries[phase] = entry;
  }
  return { schema_version: 1, [unitKey]: unit, run: ledger.run?.run ?? '', phases: entries };
}

function phaseEntry(ledger: Ledger, step: Step, attemptsFolder: string): JsonObject | undefined {
  const result = currentResult(step);
  const { failure } = step;
  // A failure that came after the newest result is what the reader has to know.
  if (failure !== undefined && failure.attempt > (result?.attempt ?? 0)) {
    return {
      status: 'fail',
      timestamp: failure.at,
      attempt: failure.attempt,
      error: failure.reason,
      message: failure.message,
      artifacts: {},
    };
  }
  if (result === undefined) return undefined;
  const folder = `${attemptsFolder}/${step.unit}/${step.phase}/${result.attempt}`;
  const artifacts: Record<string, string> = {};
  const hashes: Record<string, string> = {};
  if (result.prompt !== undefined) artifacts.prompt = `${folder}/prompt.md`;
  if (result.response !== undefined) artifacts.response = `${folder}/response.txt`;
  for (const [name, output] of Object.entries(result.outputs)) {
    artifacts[name] = output.path;
    hashes[name] = output.hash;
  }
  const templates = ledger.revisions.get(result.revision)?.phases[step.phase]?.templates ?? {};
  return {
    status: 'success',
    timestamp: result.at,
    attempt: result.attempt,
    ...(result.round > 1 ? { iteration: result.round } : {}),
    artifacts,
    artifact_hashes: hashes,
    ...(result.prompt === undefined ? {} : { prompt_hash: result.prompt }),
    ...(Object.keys(templates).length === 0 ? {} : { template_set: pathsOf(templates) }),
    ...(result.preState === undefined
      ? {}
      : { pre_state_hash: result.preState.hash, pre_state_path: result.preState.path }),
    ...(result.verdict === undefined ? {} : { verdict: result.verdict }),
    ...promptChange(step),
    ...outdated(result),
  };
}

function pathsOf(templates: Readonly<Record<string, { readonly path: string }>>): JsonObject {
  return Object.fromEntries(Object.entries(templates).map(([role, file]) => [role, file.path]));
}

/** A person kept the result although what it was made from changed. */
function outdated({ kept }: StepResult): JsonObject {
  return kept === undefined ? {} : { outdated: { change: kept.guard, reason: kept.reason } };
}

function promptChange({ promptChange: change }: Step): JsonObject {
  if (change === undefined) return {};
  return {
    prompt_hash_prev: change.before ?? null,
    prompt_hash_new: change.after ?? null,
    prompt_update_reason: change.reason ?? '',
  };
}

/** What a unit's ledger file should say; undefined: before its first event a unit has none. */
export function unitLedgerFile(
  { loaded, ledger, folder }: Pick<RunContext, 'loaded' | 'ledger' | 'folder'>,
  stage: Stage,
  unit: Unit,
): JsonObject | undefined {
  if (!hasEvents(ledger, stage, unit)) return undefined;
  const { unitKey } = loaded.pipeline.layout;
  const phases = stage.phases.map(({ name }) => name);
  return unitLedger(ledger, unit.id, phases, runFile(folder, 'attempts'), unitKey);
}

export function hasEvents(ledger: Ledger, stage: Stage, unit: Unit): boolean {
  return stage.phases.some((phase) => findStep(ledger, unit.id, phase.name) !== undefined);
}
