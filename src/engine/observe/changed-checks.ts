import { basename } from 'node:path';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { runCheck, runsUserCode } from '../../checks/run-check.ts';
import { findStep, type Ledger, promotedResult } from '../../ledger/ledger.ts';
import type { Phase, Unit } from '../../model/definition.ts';
import { asksModel } from '../../model/executor.ts';
import { type StepName, stepName } from '../../model/names.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import { isSameButForPolicies } from '../../pipeline/statics.ts';
import { withoutPolicies } from '../../pipeline/without-policies.ts';
import type { Facts } from '../../planner/facts.ts';
import { commandEnvironment } from '../../runner/executors/environment.ts';
import type { ContentStore } from '../../store/content.ts';
import type { Workspace } from '../open/workspace.ts';

/*
 * A changed check says nothing of how a result was made: one that passes it need not be made again. Looking applies the
 * checks that are built in; a command or a function is asked only when a run was told to re-run what changed.
 */

export interface ChangedChecks {
  /** `REVISION PHASE` where nothing but checks differs from how the phase is defined now. */
  readonly checksOnly: ReadonlySet<string>;
  /** `REVISION PHASE` where nothing but policies differs, which an older version of Pawl recorded in the definition. */
  readonly policiesOnly: ReadonlySet<string>;
  /** Steps that the checks of now were applied to, and whether all of their outputs pass. */
  readonly rechecked: ReadonlyMap<StepName, boolean>;
}

export async function changedChecks(
  workspace: Workspace,
  ledger: Ledger,
  store: ContentStore,
  outputs: Facts['outputs'],
  units?: ReadonlySet<string>,
): Promise<ChangedChecks> {
  const { loaded } = workspace;
  const { checksOnly, policiesOnly } = changedOnly(loaded, ledger, store);
  const rechecked = new Map<StepName, boolean>();
  for (const { unit, phase } of changedSteps(loaded, ledger, checksOnly)) {
    if (units?.has(unit.id) === false) continue;
    if (phase.outputs.some(({ check }) => check !== undefined && runsUserCode(check))) continue;
    const passes = await isPassing(workspace, ledger, outputs, unit, phase, undefined);
    if (passes !== undefined) rechecked.set(stepName(unit.id, phase.name), passes);
  }
  return { checksOnly, policiesOnly, rechecked };
}

/** The same with the answers of checks that are code of the user's. */
export async function withUserChecks<Known extends Facts>(
  workspace: Workspace,
  ledger: Ledger,
  facts: Known,
  staging: string,
): Promise<Known> {
  const { outputs, checksOnly = new Set<string>() } = facts;
  const rechecked = new Map(facts.rechecked);
  for (const { unit, phase } of changedSteps(workspace.loaded, ledger, checksOnly)) {
    const name = stepName(unit.id, phase.name);
    if (rechecked.has(name)) continue;
    const passes = await isPassing(workspace, ledger, outputs, unit, phase, staging);
    if (passes !== undefined) rechecked.set(name, passes);
  }
  return { ...facts, rechecked };
}

/** Undefined: the outputs are not as recorded, which says enough. */
async function isPassing(
  { env, root }: Workspace,
  ledger: Ledger,
  outputs: Facts['outputs'],
  unit: Unit,
  { name, outputs: specs }: Phase,
  staging: string | undefined,
): Promise<boolean | undefined> {
  const step = findStep(ledger, unit.id, name);
  const result = step && promotedResult(step);
  if (result === undefined) return undefined;
  for (const { name: output, check } of specs) {
    const record = result.outputs[output];
    if (record === undefined || check === undefined) continue;
    if (outputs.has(record.path)) return undefined;
    const file = `${root}/${record.path}`;
    const checked = await runCheck(check, undefined, {
      disk: env.disk,
      file,
      cwd: root,
      env: staging === undefined ? {} : commandEnvironment({}, {}, env.process.variables),
      importModule: env.process.importModule,
      unit,
      ...(staging !== undefined && { scratch: { below: staging, name: basename(file) } }),
    });
    if (!checked.passed) return false;
  }
  return true;
}

function* changedSteps(
  { pipeline }: LoadedPipeline,
  ledger: Ledger,
  checksOnly: ReadonlySet<string>,
): Generator<{ readonly unit: Unit; readonly phase: Phase }> {
  if (checksOnly.size === 0) return;
  for (const { units, phases } of pipeline.stages)
    for (const unit of units)
      for (const phase of phases) {
        const step = findStep(ledger, unit.id, phase.name);
        const result = step && promotedResult(step);
        const revision = result?.kept?.made.revision ?? result?.revision;
        if (revision !== undefined && checksOnly.has(`${revision} ${phase.name}`)) yield { unit, phase };
      }
}

/** Nearly always every revision defines a phase as it is now: then no old manifest is read. */
function changedOnly(
  loaded: LoadedPipeline,
  ledger: Ledger,
  store: ContentStore,
): Pick<ChangedChecks, 'checksOnly' | 'policiesOnly'> {
  const checksOnly = new Set<string>();
  const policiesOnly = new Set<string>();
  for (const [revision, { manifest: hash, phases }] of ledger.revisions) {
    const changed = [...loaded.statics].filter(
      ([name, now]) => phases[name] !== undefined && phases[name].definition !== now.definition,
    );
    if (changed.length === 0) continue;
    const bytes = store.get(hash);
    if (bytes === undefined || bytes === 'damaged') continue;
    const recorded = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
    const before = withoutPolicies(recorded);
    const after = loaded.pipeline.manifest;
    for (const [name] of changed) {
      const was = phases[name];
      if (was !== undefined && isSameButForPolicies(loaded, recorded, name, was))
        policiesOnly.add(`${revision} ${name}`);
      else if (
        !isAskedFor(loaded, name) &&
        canonicalJson(unchecked(before, name)) === canonicalJson(unchecked(after, name))
      )
        checksOnly.add(`${revision} ${name}`);
    }
  }
  return { checksOnly, policiesOnly };
}

/** A model is sent the schema that its answer has to fit, so that is more than a check. */
function isAskedFor({ pipeline }: LoadedPipeline, name: string): boolean {
  const phase = pipeline.stages.flatMap(({ phases }) => phases).find((one) => one.name === name);
  return (
    phase !== undefined &&
    asksModel(phase) &&
    phase.outputs.some(({ check }) => check?.kind === 'json-schema')
  );
}

/** All that makes a phase what it is, without the checks of its outputs. */
function unchecked(manifest: JsonObject, phase: string): JsonValue {
  const stages = Array.isArray(manifest.stages) ? (manifest.stages as readonly JsonValue[]) : [manifest];
  const written = stages
    .map((stage) => (isJsonObject(stage) && isJsonObject(stage.phases) ? stage.phases[phase] : undefined))
    .find((found) => found !== undefined);
  const state = manifest.state ?? null;
  if (!isJsonObject(written) || !isJsonObject(written.outputs)) return [state, written ?? null];
  const outputs = Object.entries(written.outputs).map(([name, output]) => [name, withoutCheck(output)]);
  return [state, { ...written, outputs: Object.fromEntries(outputs) as JsonObject }];
}

function withoutCheck(output: JsonValue): JsonValue {
  if (!isJsonObject(output)) return { path: output };
  const { check: _check, ...kept } = output;
  return kept;
}
