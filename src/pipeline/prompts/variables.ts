import { type Output, type Template, TokenKind } from 'liquidjs';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Phase, Stage, Unit } from '../../model/definition.ts';
import type { Problem } from '../../model/failure.ts';
import { ownFileReference } from '../../model/names.ts';
import type { CurrentFile, LoadedPipeline } from '../loaded.ts';
import { nearest, placeAtOffset, promptPath, suggestion } from '../text/problems.ts';
import { isFileNamed, takesOwnFile } from '../units/fields.ts';
import { TemplateSet } from './liquid.ts';
import { promptFileFields } from './prompt-file.ts';

/** What every prompt is made with. */
export type PromptVariable =
  | 'unit'
  | 'inputs'
  | 'data'
  | 'state'
  | 'params'
  | 'identity'
  | 'pipeline'
  | 'iteration'
  | 'mode'
  | 'existing'
  | 'feedback';

/**
 * Variables of prompts that no unit will ever have, found without making a prompt. Only what a template takes whatever
 * happens is looked at: behind a condition, or with a default, it may ask for what is not there.
 */
export function unknownVariables(loaded: LoadedPipeline): Problem[] {
  const { pipeline, templates } = loaded;
  const engine = new TemplateSet((path) => templates.get(path));
  const assigned = assignedIn(engine, [...templates.keys()]);
  const problems: Problem[] = [];
  pipeline.stages.forEach((stage, at) => {
    for (const phase of stage.phases) {
      for (const { role, path } of templatesOf(loaded, phase)) {
        for (const { names, offset } of takenAlways(engine, path)) {
          if (assigned.has(names[0] ?? '')) continue;
          // Nearly always the first unit has it, and there may be very many.
          const unknown =
            findUnknown(names, knownNames(loaded, stage, phase, stage.units.slice(0, 1))) &&
            findUnknown(names, knownNames(loaded, stage, phase, stage.units));
          if (unknown === undefined) continue;
          problems.push({
            code: 'template-unknown-variable',
            path: promptPath(pipeline.manifest, at, phase.name, role),
            place: placeAtOffset(path, templates.get(path) ?? '', offset),
            facts: {
              found: names.join('.'),
              ...(isOwnFileNotTaken(stage, names) ? { takes: ownFileReference } : suggestion(unknown.near)),
            },
          });
        }
      }
    }
  });
  return problems;
}

/** The first of the names that does not exist, with suggestions; undefined: none is known to be missing. */
export function findUnknown(
  names: readonly string[],
  known: JsonObject,
): { readonly near: readonly string[] } | undefined {
  let scope: JsonValue | undefined = known;
  for (const [at, name] of names.entries()) {
    if (!isJsonObject(scope) || ofEveryValue.has(name)) return undefined;
    if (!Object.hasOwn(scope, name)) {
      const above = names.slice(0, at);
      return { near: nearest(name, Object.keys(scope)).map((near) => [...above, near].join('.')) };
    }
    scope = scope[name];
  }
  return undefined;
}

/** Liquid has them of texts, lists and maps. */
const ofEveryValue: ReadonlySet<string> = new Set(['size', 'first', 'last']);

/** What the prompt of a phase is made of; includes may be handed names that only they know. */
function templatesOf({ statics }: LoadedPipeline, phase: Phase): { role: string; path: string }[] {
  const files = statics.get(phase.name)?.templates ?? new Map<string, CurrentFile>();
  const isUsed = (role: string) =>
    !role.startsWith('include:') && !(role === 'phase' && files.has('override'));
  return [...files].flatMap(([role, { path, hash }]) =>
    hash !== undefined && isUsed(role) ? [{ role, path }] : [],
  );
}

/** The known fields, and null for values that are unknown before the run. */
function knownNames(
  { pipeline }: LoadedPipeline,
  stage: Stage,
  phase: Phase,
  units: readonly Unit[],
): Readonly<Record<PromptVariable, JsonObject | null>> {
  const inputs = namesOf(phase.inputs.map(({ name }) => name));
  const params = [phase.params, ...phase.ladder.map((rung) => rung.params)];
  const ofUnit = namesOf(['id', 'index', ...units.flatMap(({ data }) => Object.keys(data))]);
  const file = takesOwnFile(phase) && units.some(isFileNamed) ? { file: namesOf(promptFileFields) } : {};
  return {
    unit: stage.source === undefined ? { ...ofUnit, ...file } : null,
    inputs,
    data: inputs,
    state: null,
    params: namesOf(params.flatMap(Object.keys)),
    identity: namesOf(Object.keys(pipeline.identity)),
    pipeline: null,
    iteration: null,
    mode: null,
    existing: null,
    feedback: null,
  };
}

/** The phase does not take the file that it names. */
function isOwnFileNotTaken({ units }: Stage, [first, second]: readonly string[]): boolean {
  return first === 'unit' && second === 'file' && units.some(({ file }) => file !== undefined);
}

function namesOf(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** What templates call by a name of their own, wherever they do so. */
function assignedIn(engine: TemplateSet, paths: readonly string[]): Set<string> {
  return new Set(
    paths.flatMap((path) => Object.keys(engine.analyzeSync(engine.parsed(path), { partials: false }).locals)),
  );
}

interface Taken {
  readonly names: readonly string[];
  readonly offset: number;
}

/** The variables of `{{ … }}` that stand in no block. */
function takenAlways(engine: TemplateSet, path: string): Taken[] {
  return engine
    .parsed(path)
    .filter(isTakenAlways)
    .flatMap((output) => {
      const { globals } = engine.analyzeSync([output], { partials: false });
      return Object.values(globals)
        .flat()
        .map(({ segments }) => {
          const odd = segments.findIndex((segment) => typeof segment !== 'string');
          const names = (odd === -1 ? segments : segments.slice(0, odd)).map(String);
          const { input, begin } = output.token;
          return { names, offset: Math.max(begin, input.indexOf(names.join('.'), begin)) };
        });
    });
}

/** Of several operands some may be missing, and so may what has a default. */
function isTakenAlways(template: Template): template is Output {
  if (template.token.kind !== TokenKind.Output) return false;
  const { initial, filters } = (template as Output).value;
  return initial.postfix.length === 1 && filters.every(({ name }) => name !== 'default');
}
