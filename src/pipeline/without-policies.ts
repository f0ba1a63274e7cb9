import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/**
 * A canonical manifest without the policies that older versions of Pawl recorded as parts of it: `on_change` of declared
 * files and of inputs, `on_edit` of outputs, and `cascade` of the state. No result depends on a policy, so it may change
 * in an open run.
 *
 * What is left is written in its shortest form (`{ path: a.md }` becomes `a.md`), because a policy can only be added to
 * the long form, and adding one must not look like another manifest.
 */
export function withoutPolicies(canonical: JsonObject): JsonObject {
  const { inputs, state, units, phases, stages, ...kept } = canonical;
  return {
    ...kept,
    ...(inputs !== undefined && {
      inputs: eachValue(inputs, (file) => shortened(file, 'on_change', 'path')),
    }),
    ...(state !== undefined && { state: without(state, 'cascade') }),
    ...(units !== undefined && { units: shortened(units, 'on_change', 'list') }),
    ...(phases !== undefined && { phases: eachValue(phases, phaseWithout) }),
    ...(Array.isArray(stages) && { stages: (stages as readonly JsonValue[]).map(stageWithout) }),
  };
}

function stageWithout(stage: JsonValue): JsonValue {
  if (!isJsonObject(stage)) return stage;
  const { units, phases, ...kept } = stage;
  return {
    ...kept,
    ...(units !== undefined && { units: shortened(units, 'on_change', 'list') }),
    ...(phases !== undefined && { phases: eachValue(phases, phaseWithout) }),
  };
}

function phaseWithout(phase: JsonValue): JsonValue {
  if (!isJsonObject(phase)) return phase;
  const { inputs, outputs, ...kept } = phase;
  return {
    ...kept,
    ...(inputs !== undefined && {
      inputs: eachValue(inputs, (input) => shortened(input, 'on_change', 'from')),
    }),
    ...(outputs !== undefined && {
      outputs: eachValue(outputs, (output) => shortened(output, 'on_edit', 'path')),
    }),
  };
}

/** The value without its policy; if only `main` is left, the value of that. */
function shortened(value: JsonValue, policy: string, main: string): JsonValue {
  const kept = without(value, policy);
  if (!isJsonObject(kept)) return kept;
  const keys = Object.keys(kept);
  const only = keys.length === 1 && keys[0] === main ? kept[main] : undefined;
  return only ?? kept;
}

function without(value: JsonValue, key: string): JsonValue {
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function eachValue(map: JsonValue, change: (value: JsonValue) => JsonValue): JsonValue {
  if (!isJsonObject(map)) return map;
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
