import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { modelName } from '../model/calls.ts';
import type { Phase } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';

/**
 * The manifest as data, without what may change at any time: how fast and how long (`pace`, `failures`, and a phase's
 * `timeout`, `retries`, `limits`, `budget`, lease and gate's budget), where projections lie (`layout`), where models are
 * found and whether answers and results may be reused (`models`, `reuse`), who is notified of its end (`notify`), what the logs of
 * other tools mean (`foreign`), and which code is tracked and how changes are treated (`code`, `on_change`,
 * `confirm_above`). Policies that older versions of Pawl recorded are still in it; `withoutPolicies` removes them, too. A
 * name for a model is replaced by the model that it names. What the order of the phases says is written out (`needs`, and the phases of
 * a gate's loop), because maps have no order and a reordered manifest means something else.
 */
export function canonicalManifest(manifest: JsonObject, stages: readonly (readonly Phase[])[]): JsonObject {
  const {
    pace: _pace,
    layout: _layout,
    failures: _failures,
    notify: _notify,
    foreign: _foreign,
    models: _models,
    budget: _budget,
    reuse: _reuse,
    code: _code,
    on_change: _onChange,
    confirm_above: _confirmAbove,
    ...rest
  } = manifest;
  const kept: JsonObject = { ...rest, ...unitsWithout(rest.units) };
  if (Array.isArray(kept.stages)) {
    const written = kept.stages as readonly JsonObject[];
    const staged = written.map(({ failures: _failures, ...stage }, at) => ({
      ...stage,
      ...unitsWithout(stage.units),
      phases: canonicalPhases(stage.phases, stages[at] ?? []),
    }));
    return { ...kept, stages: staged };
  }
  return { ...kept, phases: canonicalPhases(kept.phases, stages[0] ?? []) };
}

function canonicalPhases(written: JsonValue | undefined, phases: readonly Phase[]): JsonObject {
  const listed = phases.map((phase) => phase.name);
  const canonical: [string, JsonObject][] = phases.map((phase) => {
    const as = isJsonObject(written) ? written[phase.name] : undefined;
    const {
      timeout: _timeout,
      retries: _retries,
      limits: _limits,
      budget: _budget,
      reuse: _reuse,
      code: _code,
      on_change: _onChange,
      ...kept
    } = isJsonObject(as) ? as : {};
    const gate = isJsonObject(kept.gate)
      ? { gate: { ...withoutBudget(kept.gate), loop: loopOf(listed, phase) } }
      : {};
    const run = isJsonObject(kept.run) ? { run: canonicalRun(kept.run) } : {};
    const model = asksModel(phase)
      ? { model: { ...(isJsonObject(kept.model) && kept.model), use: modelName(phase.executor) } }
      : {};
    const prompt = isJsonObject(kept.prompt) ? { prompt: withoutRepair(kept.prompt) } : {};
    return [phase.name, { ...kept, ...run, ...model, ...prompt, ...gate, needs: phase.needs }];
  });
  return Object.fromEntries(canonical);
}

function unitsWithout(units: JsonValue | undefined): JsonObject {
  if (units === undefined || !isJsonObject(units)) return {};
  const { on_change: _onChange, ...kept } = units;
  return { units: kept };
}

/** Budgets do not change what is made, so granting more changes no results. */
function withoutBudget({ budget: _budget, ...gate }: JsonObject): JsonObject {
  return gate;
}

/** What is said to an answer that could not be used says nothing of any that could. */
function withoutRepair({ repair: _repair, ...prompt }: JsonObject): JsonObject {
  return prompt;
}

/** A task without its lease, in its old spelling, because the hashes of earlier versions were made from that. */
function canonicalRun(run: JsonObject): JsonObject {
  if (!('task' in run || 'agent' in run)) return run;
  const { lease: _lease, task, ...kept } = run;
  return task === undefined ? kept : { agent: task, ...kept };
}

function loopOf(listed: readonly string[], phase: Phase): readonly string[] {
  const start = listed.indexOf(phase.gate?.backTo ?? phase.name);
  return listed.slice(Math.max(0, start), listed.indexOf(phase.name) + 1);
}
