import { type Hash, hashJson } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';
import type { Phase, Pipeline, Rung, Unit } from '../model/definition.ts';
import type { LoadContext } from './context.ts';
import { atRung, rungRole } from './ladder.ts';
import type { CurrentFile, CurrentStatics } from './loaded.ts';
import { promptPath } from './problems.ts';
import { declaredFileBytesMax } from './sources.ts';
import type { PhasePrompt, ReadTemplates } from './templates.ts';

/** What the disk says now of everything that a phase's results depend on regardless of the unit. */
export interface Statics {
  readonly statics: ReadonlyMap<string, CurrentStatics>;
  readonly templates: ReadonlyMap<string, string>;
}

export async function readStatics(context: LoadContext, pipeline: Pipeline): Promise<Statics> {
  const { texts, byPhase } = await readPrompts(context, pipeline);
  const statics = new Map<string, CurrentStatics>();
  for (const phase of pipeline.stages.flatMap((stage) => stage.phases)) {
    statics.set(phase.name, {
      definition: hashDefinition(phase, undefined),
      rungs: phase.ladder.map((rung) => hashDefinition(phase, rung)),
      templates: byPhase.get(phase.name) ?? new Map(),
      files: readFiles(context, phase),
    });
  }
  return { statics, templates: texts };
}

/** Hashes of the units' own fields. A unit that is only a name has none. */
export function hashUnits(units: Iterable<Unit>): Map<string, Hash> {
  const hashes = new Map<string, Hash>();
  for (const { id, data } of units) {
    for (const _ in data) {
      hashes.set(id, hashJson(data));
      break;
    }
  }
  return hashes;
}

/**
 * How long an attempt may take and how often it is tried says nothing about what it makes. Nor does what other rounds
 * of a loop do: each has a definition of its own.
 */
function hashDefinition(phase: Phase, rung: Rung | undefined): Hash {
  const { timeoutMs: _timeout, retries: _retries, limits: _limits, ladder: _ladder, ...definition } = phase;
  const own = { ...definition, ...(rung && atRung(phase, rung)) };
  return hashJson(own as unknown as JsonValue);
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
  const { readTemplates } = await import('./templates.ts');
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
