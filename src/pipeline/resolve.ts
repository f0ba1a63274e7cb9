import type { JsonObject } from '../base/json.ts';
import type { DeclaredFile, Phase, Pipeline, Stage, StateSpec } from '../model/definition.ts';
import { canonicalManifest } from './canonical.ts';
import { checkName, type LoadContext } from './context.ts';
import type { Reader } from './loaded.ts';
import type { Manifest, ManifestPhase, ManifestUnits } from './manifest.ts';
import { checkOutputPaths, type FixedFile, type UnitFile } from './outputs.ts';
import { usePath, usePathPattern } from './paths.ts';
import { resolveDuration, resolvePhases } from './phases.ts';
import type { ProblemList } from './problems.ts';
import { checkStateUse, resolveState } from './state.ts';
import { resolveUnits, type StageUnits } from './units.ts';

const concurrencyDefault = 4;
const graceMsDefault = 10_000;

/** Reads a manifest of the right shape into a pipeline, and says everything that is wrong with it. */
export function resolvePipeline(context: LoadContext, manifest: Manifest, file: string): Pipeline {
  const { reader, problems } = context;
  for (const name of context.files.keys()) checkName(context, name, `inputs.${name}`);
  const state = resolveState(context, manifest.state);
  const ledger = manifest.layout?.ledger;
  const layout = {
    ledger: ledger === undefined ? undefined : usePathPattern(reader, problems, ledger, 'layout.ledger'),
    unitKey: manifest.layout?.unit_key ?? 'unit',
  };
  const drafts = resolveStages(context, manifest, state);
  checkStateUse(context, state, drafts);
  const written = drafts.map((draft) => ({
    units: draft.units.units,
    files: unitFiles(draft, layout.ledger),
  }));
  checkOutputPaths(context, written, fixedFiles(context, state, drafts, file));
  return {
    name: manifest.pipeline,
    identity: resolveIdentity(manifest),
    files: [...context.files.values()],
    state,
    stages: drafts.map(({ name, units: { units, order }, resolved }): Stage => {
      return { name, units, order, phases: resolved };
    }),
    layout,
    pace: {
      concurrency: manifest.pace?.concurrency ?? concurrencyDefault,
      graceMs: resolveDuration(context, manifest.pace?.grace, graceMsDefault, 0, 'pace.grace'),
    },
    durability: manifest.durability ?? 'power',
    manifest: canonicalManifest(
      manifest as JsonObject,
      drafts.map(({ resolved }) => resolved),
    ),
  };
}

/** Reads the declared files; everything else refers to them by name. */
export function resolveFiles(
  reader: Reader,
  problems: ProblemList,
  inputs: Manifest['inputs'],
): Map<string, DeclaredFile> {
  const files = Object.entries(inputs ?? {}).map(([name, written]): DeclaredFile => {
    const at = `inputs.${name}`;
    if (typeof written === 'string') {
      return { name, path: usePath(reader, problems, written, at), onChange: 'block' };
    }
    const path = usePath(reader, problems, written.path, `${at}.path`);
    return { name, path, onChange: written.on_change ?? 'block' };
  });
  return new Map(files.map((file) => [file.name, file]));
}

function resolveIdentity(manifest: Manifest): Record<string, string> {
  const written = Object.entries(manifest.identity ?? {});
  if (written.length === 0) return { pipeline: manifest.pipeline };
  return Object.fromEntries(written.map(([key, value]) => [key, String(value)]));
}

interface StageDraft {
  readonly name: string;
  /** The path of the map of phases. */
  readonly at: string;
  readonly unitsAt: string;
  readonly units: StageUnits;
  readonly phases: Readonly<Record<string, ManifestPhase>>;
  readonly resolved: readonly Phase[];
}

function resolveStages(context: LoadContext, manifest: Manifest, state: StateSpec | undefined): StageDraft[] {
  const takenIds = new Set<string>();
  const takenPhases = new Set<string>();
  const takenStages = new Set<string>();
  return writtenStages(context, manifest).map(({ name, base, units, phases }) => {
    const at = `${base}phases`;
    const unitsAt = `${base}units`;
    if (takenStages.has(name)) {
      context.problems.add('duplicate-phase', `${base}name`, { found: name, kind: 'stage' });
    }
    takenStages.add(name);
    if (Object.keys(phases).length === 0) context.problems.add('no-phases', at, {});
    for (const phase of Object.keys(phases)) {
      if (takenPhases.has(phase)) {
        context.problems.add('duplicate-phase', `${at}.${phase}`, { found: phase }, 'key');
      }
      takenPhases.add(phase);
    }
    const listed = resolveUnits(context, units, unitsAt, takenIds);
    const resolved = resolvePhases(context, phases, listed.units, state, at);
    return { name, at, unitsAt, units: listed, phases, resolved };
  });
}

interface WrittenStage {
  readonly name: string;
  /** What the paths of its parts begin with. */
  readonly base: string;
  readonly units: ManifestUnits;
  readonly phases: Readonly<Record<string, ManifestPhase>>;
}

/** The stages as written, or the one that `units` and `phases` at the top stand for. */
function writtenStages(context: LoadContext, manifest: Manifest): WrittenStage[] {
  const { units, phases, stages } = manifest;
  if (stages !== undefined) {
    for (const key of ['units', 'phases'] as const) {
      if (manifest[key] === undefined) continue;
      context.problems.add('unknown-key', key, { found: key, other: 'stages' }, 'key');
    }
    stages.forEach((stage, at) => {
      checkName(context, stage.name, `stages[${at}].name`);
    });
    return stages.map((stage, at) => ({ ...stage, base: `stages[${at}].` }));
  }
  for (const key of ['units', 'phases'] as const) {
    if (manifest[key] === undefined) context.problems.add('missing-key', key, { expected: key });
  }
  if (units === undefined || phases === undefined) return [];
  return [{ name: 'main', base: '', units, phases }];
}

function unitFiles(draft: StageDraft, ledger: string | undefined): UnitFile[] {
  const files: UnitFile[] = draft.resolved.flatMap((phase) =>
    phase.outputs.map(({ name, path }) => ({
      name: `${phase.name}.${name}`,
      pattern: path,
      at: `${draft.at}.${phase.name}.outputs.${name}`,
    })),
  );
  if (ledger !== undefined) files.push({ name: 'layout.ledger', pattern: ledger, at: 'layout.ledger' });
  return files;
}

/** What the pipeline reads, or shows once: no output may lie there. */
function fixedFiles(
  context: LoadContext,
  state: StateSpec | undefined,
  drafts: readonly StageDraft[],
  manifestFile: string,
): FixedFile[] {
  const fixed: FixedFile[] = manifestFile === '' ? [] : [{ name: manifestFile, path: manifestFile }];
  for (const { name, path } of context.files.values()) fixed.push({ name: `inputs.${name}`, path });
  if (state !== undefined) {
    fixed.push({ name: 'state.path', path: state.path }, { name: 'state.initial', path: state.initial });
  }
  for (const path of drafts.flatMap(({ units }) => units.sources)) fixed.push({ name: path, path });
  for (const phase of drafts.flatMap(({ resolved }) => resolved)) {
    for (const [role, path] of Object.entries(phase.prompt ?? {})) {
      if (path !== undefined) fixed.push({ name: `${phase.name}.prompt.${role}`, path });
    }
    if (phase.executor.kind === 'function') {
      fixed.push({ name: `${phase.name}.run.function`, path: phase.executor.module });
    }
  }
  return fixed;
}
