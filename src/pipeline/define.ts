import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Manifest, ManifestPhase, ManifestStage } from './schema/manifest.ts';

/** Any function; what it is called with is the runner's business. */
export type AnyFunction = (...parameters: never[]) => unknown;

/** In code a list may be readonly. What holds any value, such as `params`, is declared so itself. */
type Fixed<T> = [JsonValue] extends [T]
  ? T
  : T extends (infer Item)[]
    ? readonly Fixed<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Fixed<T[Key]> }
      : T;

type PhaseDefinition<F> = Fixed<Omit<ManifestPhase, 'run'>> & {
  /** As in a manifest, or the function itself. */
  readonly run?: Fixed<Exclude<NonNullable<ManifestPhase['run']>, { inline: string }>> | F;
};
type PhaseDefinitions<F> = { readonly [name: string]: PhaseDefinition<F> };

/** A pipeline written in TypeScript: a manifest whose phases may run functions that are given on the spot. */
export type PipelineDefinition<F extends AnyFunction = AnyFunction> = Fixed<
  Omit<Manifest, 'phases' | 'stages'>
> & {
  readonly phases?: PhaseDefinitions<F>;
  readonly stages?: readonly (Fixed<Omit<ManifestStage, 'phases'>> & {
    readonly phases: PhaseDefinitions<F>;
  })[];
};

/** What `buildPipeline` takes: the manifest as data, and the functions that data cannot hold. */
export interface DefinedPipeline<F extends AnyFunction = AnyFunction> {
  readonly manifest: JsonObject;
  /** By phase. */
  readonly functions: ReadonlyMap<string, F>;
}

/**
 * Turns a definition into a manifest and functions. A value that no manifest could hold is a bug in the code that
 * gave it, and throws.
 */
export function definePipeline<F extends AnyFunction>(definition: PipelineDefinition<F>): DefinedPipeline<F> {
  const functions = new Map<string, F>();
  const withoutFunctions = (phases: PhaseDefinitions<F>) =>
    Object.fromEntries(
      Object.entries(phases).map(([name, phase]) => {
        if (typeof phase?.run !== 'function') return [name, phase];
        functions.set(name, phase.run);
        return [name, { ...phase, run: { inline: name } }];
      }),
    );
  const { phases, stages } = definition;
  const manifest = {
    ...definition,
    ...(phases === undefined ? {} : { phases: withoutFunctions(phases) }),
    ...(stages === undefined
      ? {}
      : { stages: stages.map((stage) => ({ ...stage, phases: withoutFunctions(stage.phases) })) }),
  };
  return { manifest: toJson(manifest, '', 0) as JsonObject, functions };
}

const depthMax = 64;

function toJson(value: unknown, path: string, depth: number): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (depth > depthMax) throw new TypeError(`a pipeline nests deeper than ${depthMax} at ${path}`);
  if (Array.isArray(value)) return value.map((item, at) => toJson(item, `${path}[${at}]`, depth + 1));
  if (!isPlainObject(value)) throw new TypeError(`a pipeline cannot hold ${typeof value} at ${path}`);
  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined)
      members.push([key, toJson(member, path === '' ? key : `${path}.${key}`, depth + 1)]);
  }
  return Object.fromEntries(members);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
