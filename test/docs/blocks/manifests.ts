import { parse, stringify } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { loadPipeline } from '../../../src/pipeline/load.ts';
import { memoryReader } from '../../fixtures/memory-reader.ts';

/** What is wrong with a manifest that a page shows, whole or in part. */
export async function problemsOfManifest(text: string): Promise<unknown> {
  const shown = parse(text) as JsonObject;
  const manifest = 'pawl' in shown ? text : stringify(completed(shown));
  const reader = memoryReader({ 'pawl.yaml': manifest, ...filesBeside(text) });
  const loaded = await loadPipeline(reader, 'pawl.yaml');
  return loaded.ok ? undefined : { failure: loaded.failure, manifest };
}

/** The least that makes a manifest of a part of one. Phases that it only names are put before those that it shows. */
function completed(shown: JsonObject): JsonObject {
  const top = { pawl: 1, pipeline: 'shown', ...shown };
  if ('stages' in shown) return top;
  const { units = ['one'], layout, phases = { make: {} } } = shown;
  const given = mapOf(phases);
  const named = namedIn([mapOf(layout).spec, ...Object.values(given).map(takenBy)]);
  const names = new Set([...[...named.keys()].filter((name) => !(name in given)), ...Object.keys(given)]);
  const all = [...names].map((name) => [
    name,
    completedPhase(name, mapOf(given[name]), named.get(name) ?? []),
  ]);
  return { ...top, units, phases: Object.fromEntries(all) };
}

/** With something to run and the outputs that others take of it. */
function completedPhase(name: string, phase: JsonObject, taken: readonly string[]): JsonObject {
  const isModel = 'model' in phase;
  const outputs = (isModel ? ['answer', ...taken] : taken).map((output) => [
    output,
    `made/{unit}/${name}-${output}`,
  ]);
  return {
    ...(isModel ? { prompt: 'prompt.md' } : 'run' in phase ? {} : { run: { command: ['true'] } }),
    ...phase,
    outputs: { ...Object.fromEntries(outputs), ...mapOf(phase.outputs) },
  };
}

/** What a phase names of other phases, in its inputs and checkpoints. */
function takenBy(phase: JsonValue): JsonValue[] {
  const { inputs, checkpoint } = mapOf(phase);
  const points = Array.isArray(checkpoint) ? checkpoint : [checkpoint ?? null];
  return [...Object.values(mapOf(inputs)), ...points.flatMap((point) => mapOf(point).show ?? [])];
}

/** Outputs by phase, of all `PHASE.OUTPUT` at any depth; a declared file has no dot. */
function namedIn(value: unknown): Map<string, string[]> {
  const named = new Map<string, string[]>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    const [phase = '', output] = typeof part === 'string' ? part.split('.') : [];
    if (output !== undefined) named.set(phase, [...(named.get(phase) ?? []), output]);
  };
  visit(value);
  return named;
}

function mapOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Files that a manifest is read with: a list of units, and schemas that let everything pass. */
function filesBeside(text: string): Record<string, string> {
  const schemas = Array.from(text.matchAll(/[\w./-]+\.schema\.json/g), ([path]) => [path, '{}'] as const);
  const items = '[{ chapter: 1, scene: 1 }, { chapter: 1, scene: 2 }]';
  return { ...Object.fromEntries(schemas), 'outline.yaml': `scenes: ${items}\n` };
}
