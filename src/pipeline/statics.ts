import { type Hash, hashJson } from '../base/hash.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { OwnFile, Phase, Pipeline, Rung } from '../model/definition.ts';
import { type CodeGround, findCode } from './code/code-files.ts';
import { declaredFileBytesMax, type LoadContext } from './context.ts';
import type { CurrentFile, CurrentStatics, LoadedPipeline, PhaseDefinitions } from './loaded.ts';
import { madeFrom } from './phases/checks.ts';
import { rungRole } from './phases/gates.ts';
import type { PhasePrompt, ReadTemplates } from './prompts/templates.ts';
import { promptPath, writtenPhase } from './text/problems.ts';
import { takesOwnFile } from './units/fields.ts';
import { withoutPolicies } from './without-policies.ts';

/** What the disk says now of everything that a phase's results depend on regardless of the unit. */
export interface Statics {
  readonly statics: ReadonlyMap<string, CurrentStatics>;
  readonly templates: ReadonlyMap<string, string>;
}

export async function readStatics(
  context: LoadContext,
  pipeline: Pipeline,
  manifest: string,
): Promise<Statics> {
  const { texts, byPhase } = await readPrompts(context, pipeline);
  const statics = new Map<string, CurrentStatics>();
  const ground: CodeGround = { context, pipeline, manifest, read: new Map() };
  for (const [stage, { phases }] of pipeline.stages.entries()) {
    for (const phase of phases) {
      const code = await findCode(ground, phase);
      const { manifest, manifestWithPolicies } = pipeline;
      statics.set(phase.name, {
        ...hashDefinitions(pipeline, manifest, stage, phase),
        ...(manifestWithPolicies && {
          withPolicies: hashDefinitions(pipeline, manifestWithPolicies, stage, phase),
        }),
        templates: byPhase.get(phase.name) ?? new Map(),
        files: readFiles(context, phase),
        ...(code && { code }),
      });
    }
  }
  return { statics, templates: texts };
}

/** Hashes of the units' own fields. A unit that is only a name has none. */
export function hashUnits(
  stages: Pipeline['stages'],
): Pick<LoadedPipeline, 'unitData' | 'unitDataWithFile' | 'unitFiles' | 'fileTakers'> {
  const unitData = new Map<string, Hash>();
  const unitDataWithFile = new Map<string, Hash>();
  const unitFiles = new Map<string, OwnFile>();
  for (const { units, isGlobbed } of stages)
    for (const { id, data, file } of units) {
      if (file !== undefined) unitFiles.set(id, file);
      if (Object.keys(data).length === 0) continue;
      if (isGlobbed === true) {
        // The bytes of the file are a part of their own, and only of the phases that take it.
        const { hash: _, ...fields } = data;
        unitData.set(id, hashJson(fields));
        unitDataWithFile.set(id, hashJson(data));
      } else unitData.set(id, hashJson(data));
    }
  const takers = stages.flatMap(({ phases }) => phases.filter(takesOwnFile));
  return { unitData, unitDataWithFile, unitFiles, fileTakers: new Set(takers.map(({ name }) => name)) };
}

/**
 * Nothing but policies changed in a phase that an older version of Pawl recorded with its policies: with those the recorded
 * manifest gives the recorded hashes, without them those of now.
 */
export function isSameButForPolicies(
  { pipeline, statics }: LoadedPipeline,
  recorded: JsonObject,
  name: string,
  before: Partial<PhaseDefinitions>,
): boolean {
  const stage = pipeline.stages.findIndex(({ phases }) => phases.some((phase) => phase.name === name));
  const phase = pipeline.stages[stage]?.phases.find((one) => one.name === name);
  const now = statics.get(name);
  const written = Array.isArray(recorded.stages) ? recorded.stages[stage] : recorded;
  if (phase === undefined || now === undefined || !isJsonObject(written?.phases)) return false;
  const hashes = (manifest: JsonObject) => {
    const { definition, rungs } = hashDefinitions(pipeline, manifest, stage, phase);
    return [definition, ...rungs].join();
  };
  const hashesOf = ({ definition, rungs = [] }: Partial<PhaseDefinitions>) => [definition, ...rungs].join();
  return hashes(recorded) === hashesOf(before) && hashes(withoutPolicies(recorded)) === hashesOf(now);
}

function hashDefinitions(
  pipeline: Pipeline,
  manifest: JsonObject,
  stage: number,
  phase: Phase,
): PhaseDefinitions {
  return {
    definition: hashDefinition(pipeline, manifest, stage, phase, undefined),
    rungs: phase.ladder.map((rung) => hashDefinition(pipeline, manifest, stage, phase, rung)),
  };
}

/**
 * What a phase is, in the words of the manifest and not of this program: a later version, which knows more of phases,
 * must not find that all of them have changed. How long an attempt may take and how often it is tried says nothing
 * about what it makes, and is left out of the canonical manifest; nor does what other rounds of a loop do, or what people
 * are asked about it.
 */
function hashDefinition(
  { state }: Pipeline,
  manifest: JsonObject,
  stage: number,
  phase: Phase,
  rung: Rung | undefined,
): Hash {
  const {
    ladder: _l,
    checkpoint: _c,
    revises: _r,
    again: _a,
    ...kept
  } = writtenPhase(manifest, stage, phase.name);
  const written = isJsonObject(kept.gate) ? { ...kept, gate: withoutPatience(kept.gate) } : kept;
  const schemas = phase.outputs.flatMap(({ name, check }) => {
    const schema = check && madeFrom(check).data;
    return schema === undefined ? [] : [{ output: name, schema }];
  });
  return hashJson({
    phase: phase.name,
    written: { ...written, ...(rung && changedBy(phase, rung)) },
    ...(schemas.length > 0 && { schemas }),
    ...(phase.state === 'write' && state !== undefined && { state: state.snapshots }),
  });
}

/** When a loop gives up, and which round is kept, says nothing about any one report. */
function withoutPatience(gate: JsonObject): JsonObject {
  const { plateau: _p, regression: _r, cluster: _c, keep: _k, budget: _b, ...judging } = gate;
  return judging;
}

/** A rung that changes nothing is no other definition. */
function changedBy({ params, prompt }: Phase, rung: Rung): JsonObject {
  const hasParams = Object.keys(rung.params).length > 0;
  return {
    ...(hasParams && { params: { ...params, ...rung.params } }),
    ...(rung.prompt !== undefined && { prompt: { system: prompt?.system ?? null, phase: rung.prompt } }),
  };
}

async function readPrompts(context: LoadContext, { stages, manifest }: Pipeline): Promise<ReadTemplates> {
  const prompts = stages.flatMap((stage, nth) =>
    stage.phases.flatMap(({ name, prompt, ladder }): PhasePrompt[] =>
      prompt === undefined
        ? []
        : [
            {
              phase: name,
              templates: { ...prompt, ...rungTemplates(ladder) },
              at: (role) => promptPath(manifest, nth, name, role),
            },
          ],
    ),
  );
  if (prompts.length === 0) return { texts: new Map(), byPhase: new Map() };
  // The template engine takes long to load: only a pipeline with prompts pays for it.
  const { readTemplates } = await import('./prompts/templates.ts');
  return readTemplates(context, prompts);
}

function rungTemplates(ladder: readonly Rung[]): Record<string, string | undefined> {
  return Object.fromEntries(ladder.map(({ prompt }, at) => [rungRole(at), prompt]));
}

function readFiles(context: LoadContext, phase: Phase): Map<string, CurrentFile> {
  const files = new Map<string, CurrentFile>();
  for (const input of phase.inputs) {
    if (input.kind !== 'file') continue;
    const declared = context.files.get(input.file);
    if (declared === undefined) throw new Error(`no declared file ${input.file}`);
    const read = context.sources.hashOf(declared.path, declaredFileBytesMax);
    if (read.kind === 'unusable') context.problems.add(read.code, `inputs.${declared.name}`, read.facts);
    files.set(declared.name, { path: declared.path, hash: read.kind === 'missing' ? undefined : read.hash });
  }
  return files;
}
