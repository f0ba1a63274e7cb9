import { canonicalJson, type JsonObject } from '../base/json.ts';
import type {
  DeclaredFile,
  LayoutSpec,
  Models,
  Phase,
  Pipeline,
  Stage,
  StateSpec,
  Unit,
} from '../model/definition.ts';
import { moduleOf } from '../model/executor.ts';
import { runFileNames } from '../model/run-folder.ts';
import { canonicalManifest } from './canonical.ts';
import { resolveCode } from './code/policy.ts';
import { checkName, type LoadContext } from './context.ts';
import { resolveDuration } from './durations.ts';
import { resolveForeign } from './foreign.ts';
import { checkOnce, exampleRunFolder, resolveLayout } from './layout.ts';
import type { Reader } from './loaded.ts';
import { resolveNotify } from './notify.ts';
import { usePath } from './paths.ts';
import { channelsDefault } from './phases/checkpoints.ts';
import { madeFrom } from './phases/checks.ts';
import { checkPrices, resolveBudget, resolveModels } from './phases/models.ts';
import {
  checkOutputPaths,
  checkStateUse,
  type FixedFile,
  resolveState,
  type UnitOutputFile,
} from './phases/outputs.ts';
import { resolvePhases } from './phases/phases.ts';
import { declaredProjections } from './projections.ts';
import type { Manifest, ManifestPhase, ManifestUnits } from './schema/manifest.ts';
import { nearest, type ProblemList, suggestion } from './text/problems.ts';
import { findCycles } from './units/graph.ts';
import { type EarlierPhase, resolveUnits, type StageUnits } from './units/units.ts';
import { withoutPolicies } from './without-policies.ts';

const concurrencyDefault = 4;
const graceMsDefault = 10_000;
const waitMsDefault = 5 * 60_000;
const staleAfterMsDefault = 14 * 24 * 60 * 60_000;
const confirmAboveDefault = { steps: 20, usd: 1 };

/** Reads a manifest of the right shape into a pipeline, and says everything that is wrong with it. */
export function resolvePipeline(context: LoadContext, manifest: Manifest, file: string): Pipeline {
  for (const name of context.files.keys()) checkName(context, name, `inputs.${name}`);
  const state = resolveState(context, manifest.state);
  const identity = resolveIdentity(manifest);
  const layout = resolveLayout(context, manifest.layout, identity);
  if (state !== undefined) checkOnce(context, state.path, layout.run, 'state.path');
  const models = resolveModels(context, manifest.models);
  const budget = resolveBudget(context, manifest.budget, 'budget');
  const drafts = resolveStages(context, manifest, state, models);
  checkPrices(
    context,
    models,
    budget,
    drafts.flatMap(({ resolved }) => resolved),
  );
  checkStateUse(context, state, drafts);
  const shown = filesOfPawl(layout, state);
  const written = drafts.map((draft) => ({
    units: draft.units.units,
    files: [...outputFiles(draft, layout), ...shown.ofUnits],
  }));
  checkOutputPaths(context, written, [...readFiles(context, state, drafts, file), ...shown.ofRun]);
  const canonical = canonicalManifest(
    manifest as JsonObject,
    drafts.map(({ resolved }) => resolved),
  );
  const compared = withoutPolicies(canonical);
  return {
    name: manifest.pipeline,
    identity,
    files: [...context.files.values()],
    state,
    stages: drafts.map(({ name, failures, units: listedUnits, resolved }): Stage => {
      const { units, order, source, isOpen, isGlobbed, onChange, isWritten } = listedUnits;
      const listed = {
        ...(source && { source }),
        ...(isOpen && { isOpen }),
        ...(isGlobbed && { isGlobbed }),
      };
      return { name, units, ...listed, order, onChange, isWritten, phases: resolved, failures };
    }),
    layout: { ...layout, spec: resolveSpec(context, manifest.layout?.spec, drafts) },
    pace: {
      concurrency: manifest.pace?.concurrency ?? concurrencyDefault,
      graceMs: resolveDuration(context, manifest.pace?.grace, graceMsDefault, 0, 'pace.grace'),
      staleAfterMs: resolveDuration(
        context,
        manifest.pace?.stale_after,
        staleAfterMsDefault,
        1,
        'pace.stale_after',
      ),
      waitMs: resolveDuration(context, manifest.pace?.wait, waitMsDefault, 0, 'pace.wait'),
    },
    models,
    ...(budget && { budget }),
    durability: manifest.durability ?? 'power',
    channels: manifest.channels ?? channelsDefault,
    ...(manifest.notify && { notify: resolveNotify(context, manifest.notify) }),
    ...(manifest.foreign && { foreign: resolveForeign(manifest.foreign) }),
    onChange: manifest.on_change,
    confirmAbove: {
      steps: manifest.confirm_above?.steps ?? confirmAboveDefault.steps,
      usd: manifest.confirm_above?.usd ?? confirmAboveDefault.usd,
    },
    manifest: compared,
    ...(canonicalJson(compared) !== canonicalJson(canonical) && { manifestWithPolicies: canonical }),
  };
}

/** What the page about a unit calls its spec. */
function resolveSpec(
  context: LoadContext,
  written: string | undefined,
  drafts: readonly StageDraft[],
): LayoutSpec['spec'] {
  if (written === undefined || context.files.has(written)) return written;
  const outputs = drafts.flatMap(({ resolved }) =>
    resolved.flatMap(({ name, outputs }) => outputs.map((output) => ({ phase: name, output: output.name }))),
  );
  const found = outputs.find(({ phase, output }) => `${phase}.${output}` === written);
  if (found !== undefined) return found;
  const valid = [...context.files.keys(), ...outputs.map(({ phase, output }) => `${phase}.${output}`)];
  const facts = { found: written, valid: valid.slice(0, 20), ...suggestion(nearest(written, valid)) };
  context.problems.add('unknown-input', 'layout.spec', facts);
  return undefined;
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
      return { name, path: usePath(reader, problems, written, at), onChange: undefined };
    }
    const path = usePath(reader, problems, written.path, `${at}.path`);
    return { name, path, onChange: written.on_change === 'block' ? 'refuse' : written.on_change };
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
  readonly failures: Stage['failures'];
  readonly units: StageUnits;
  readonly phases: Readonly<Record<string, ManifestPhase>>;
  readonly resolved: readonly Phase[];
}

function resolveStages(
  context: LoadContext,
  manifest: Manifest,
  state: StateSpec | undefined,
  models: Models,
): StageDraft[] {
  const named = manifest.models?.use ?? {};
  const channels = manifest.channels ?? channelsDefault;
  const code = resolveCode(context, manifest.code, 'code');
  const takenIds = new Set<string>();
  const takenPhases = new Set<string>();
  const takenStages = new Set<string>();
  const earlier = new Map<string, EarlierPhase>();
  return writtenStages(context, manifest).map(({ name, base, units, phases, failures = 'stop' }) => {
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
    const listed = resolveUnits(context, units, unitsAt, takenIds, earlier);
    const view = { state, channels, models, named, code, reuse: manifest.reuse };
    const resolved = resolvePhases(context, phases, listed, view, earlier, at);
    checkPrevious(context, listed, resolved, unitsAt);
    for (const phase of resolved)
      earlier.set(phase.name, { stage: name, units: listed.units.length, outputs: phase.outputs });
    return { name, at, unitsAt, failures, units: listed, phases, resolved };
  });
}

/** Where each unit takes what the one before it has made, none may need one that comes later. */
function checkPrevious(
  context: LoadContext,
  { units, order }: StageUnits,
  phases: readonly Phase[],
  at: string,
): void {
  // In a chain no unit may need a later one anyway, and that problem is reported at the need.
  if (order === 'chain' || units.every(({ needs }) => needs.length === 0)) return;
  const takes = ({ inputs }: Phase) =>
    inputs.some((input) => input.kind === 'elsewhere' && input.of === 'previous');
  if (!phases.some(takes)) return;
  const needs = new Map(units.map((unit) => [unit.id, unit.needs]));
  const all = new Map(units.map(({ id, needs }, nth) => [id, [...needs, ...idsOf(units[nth - 1])]]));
  for (const cycle of findCycles(all)) {
    const isOfNeeds = cycle.slice(1).every((need, nth) => needs.get(cycle[nth] ?? '')?.includes(need));
    if (!isOfNeeds) context.problems.add('unit-cycle', at, { cycle });
  }
}

function idsOf(unit: Unit | undefined): string[] {
  return unit === undefined ? [] : [unit.id];
}

interface WrittenStage {
  readonly name: string;
  /** What the paths of its parts begin with. */
  readonly base: string;
  readonly units: ManifestUnits;
  readonly phases: Readonly<Record<string, ManifestPhase>>;
  readonly failures?: Stage['failures'] | undefined;
}

/** The stages as written, or the one that `units` and `phases` at the top stand for. */
function writtenStages(context: LoadContext, manifest: Manifest): WrittenStage[] {
  const { units, phases, stages, failures } = manifest;
  if (stages !== undefined) {
    for (const key of ['units', 'phases', 'failures'] as const) {
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
  return [{ name: 'main', base: '', units, phases, failures }];
}

function outputFiles(draft: StageDraft, { run }: LayoutSpec): UnitOutputFile[] {
  const place = placing(run);
  return draft.resolved.flatMap((phase) =>
    phase.outputs.map(({ name, path }) => ({
      name: `${phase.name}.${name}`,
      pattern: place(path),
      at: `${draft.at}.${phase.name}.outputs.${name}`,
    })),
  );
}

/** What Pawl itself writes, for people and for its own use. */
function filesOfPawl(
  layout: LayoutSpec,
  state: StateSpec | undefined,
): { readonly ofRun: readonly FixedFile[]; readonly ofUnits: readonly UnitOutputFile[] } {
  const place = placing(layout.run);
  const own = layout.run === undefined ? [] : runFileNames.map((name) => `{run}/${name}`);
  const ofRun: FixedFile[] = own.map((name) => ({ name, path: place(name) }));
  const ofUnits: UnitOutputFile[] = [];
  for (const file of declaredProjections(layout, state)) {
    const { at } = file;
    if (file.scope === 'run') ofRun.push({ name: at, at, path: place(file.path) });
    else ofUnits.push({ name: at, at, pattern: place(file.pattern) });
  }
  return { ofRun, ofUnits };
}

/** Where a run's files would lie: their own folder is known only when there is a run. */
function placing(run: string | undefined): (path: string) => string {
  const folder = exampleRunFolder(run);
  return (path) => (folder === undefined ? path : path.replaceAll('{run}', () => folder));
}

/** What the pipeline reads: no output may lie there. */
function readFiles(
  context: LoadContext,
  state: StateSpec | undefined,
  drafts: readonly StageDraft[],
  manifestFile: string,
): FixedFile[] {
  const fixed: FixedFile[] = manifestFile === '' ? [] : [{ name: manifestFile, path: manifestFile }];
  for (const { name, path } of context.files.values()) fixed.push({ name: `inputs.${name}`, path });
  if (state !== undefined) fixed.push({ name: 'state.initial', path: state.initial });
  for (const path of drafts.flatMap(({ units }) => units.sources)) fixed.push({ name: path, path });
  for (const phase of drafts.flatMap(({ resolved }) => resolved)) {
    for (const [role, path] of Object.entries(phase.prompt ?? {})) {
      if (path !== undefined) fixed.push({ name: `${phase.name}.prompt.${role}`, path });
    }
    for (const [nth, { prompt }] of phase.ladder.entries()) {
      if (prompt !== undefined) fixed.push({ name: `${phase.name}.ladder[${nth}].prompt`, path: prompt });
    }
    const module = moduleOf(phase);
    if (module !== undefined) fixed.push({ name: `${phase.name}.run.function`, path: module });
    for (const { name, check } of phase.outputs) {
      const path = check && madeFrom(check).path;
      if (path !== undefined) fixed.push({ name: `${phase.name}.outputs.${name}.check`, path });
    }
  }
  return fixed;
}
