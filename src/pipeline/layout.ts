import type { LayoutSpec, Pipeline, Stage, StateSpec } from '../model/definition.ts';
import type { LoadContext } from './context.ts';
import type { LoadedPipeline } from './loaded.ts';
import { parentFolder, usePath, usePathPattern } from './paths.ts';
import { fillPattern, parsePattern } from './pattern.ts';
import { forLayoutFiles } from './projections.ts';
import type { Manifest } from './schema/manifest.ts';
import { nearest, suggestion } from './text/problems.ts';

/** Reads where the files that people look at lie. */
export function resolveLayout(
  context: LoadContext,
  layout: Manifest['layout'],
  identity: Pipeline['identity'],
): LayoutSpec {
  const { reader, problems } = context;
  const run = layout?.run;
  if (run !== undefined) checkRunFolder(context, run, identity);
  const files = forLayoutFiles((_, { key, scope }) => {
    const path = layout?.[key];
    const at = `layout.${key}`;
    if (path === undefined) return undefined;
    if (scope === 'unit') return usePathPattern(reader, problems, path, at);
    checkOnce(context, path, run, at);
    return usePath(reader, problems, path, at);
  });
  return {
    ...files,
    spec: undefined,
    run: run === undefined ? undefined : usePath(reader, problems, run, 'layout.run'),
    unitKey: layout?.unit_key ?? 'unit',
    doneKey: layout?.done_key ?? 'finished',
  };
}

/** The path of a file that there is once in a run knows nothing but the run's folder, and that only where there is one. */
export function checkOnce(context: LoadContext, path: string, run: string | undefined, at: string): void {
  checkFields(context, path, run === undefined ? [] : ['run'], at);
}

/** Runs lie side by side in one folder, so that all of them can be found whatever they are called. */
function checkRunFolder(context: LoadContext, run: string, identity: Pipeline['identity']): void {
  checkFields(context, run, ['date', 'id', ...Object.keys(identity)], 'layout.run');
  if (/[{}]/.test(parentFolder(run)))
    context.problems.add('wrong-type', 'layout.run', {
      expected: 'fields in the last part only',
      found: run,
    });
}

function checkFields(context: LoadContext, text: string, valid: readonly string[], at: string): void {
  const parsed = parsePattern(text);
  if ('wrong' in parsed) {
    context.problems.add('pattern-unknown-field', at, { found: parsed.wrong });
    return;
  }
  for (const part of parsed.pattern) {
    if (typeof part === 'string') continue;
    const { field, width } = part;
    if (!valid.includes(field)) {
      const near = suggestion(nearest(field, valid));
      context.problems.add('pattern-unknown-field', at, { found: field, valid, ...near });
    } else if (width !== undefined) {
      // All of them are texts: there is no number to pad.
      context.problems.add('wrong-type', at, { expected: `{${field}}`, found: `{${field}:0${width}}` });
    }
  }
}

/** The folder of a new run, as it would be called on a day (`YYYYMMDD`) and with an id. */
export function runFolderName(
  { layout, identity }: Pipeline,
  { day, id }: { readonly day: string; readonly id: string },
): string | undefined {
  if (layout.run === undefined) return undefined;
  const parsed = parsePattern(layout.run);
  if ('wrong' in parsed) throw new Error(`not a pattern: ${layout.run}`);
  const name = fillPattern(parsed.pattern, (field) => {
    if (field === 'id') return id;
    return field === 'date' ? day : asFileName(identity[field]);
  });
  if (typeof name !== 'string') throw new Error(`no field ${name.field} for ${layout.run}`);
  return name;
}

/** The folder's name tells the run's id. */
export function isFolderNamedById({ layout }: Pipeline): boolean {
  return layout.run?.includes('{id}') ?? false;
}

/** Where the runs of a pipeline lie beside one another; undefined: only where all runs do. */
export function runFoldersParent({ layout }: Pipeline): string | undefined {
  return layout.run === undefined ? undefined : parentFolder(layout.run);
}

const fieldLengthMax = 64;

/** An identity may hold any text; a folder's name may not, and it must not be empty. */
function asFileName(text = ''): string {
  const plain = text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return plain.slice(0, fieldLengthMax) || 'run';
}

/** A pipeline whose patterns name the folder of one run. What its results depend on is the same in every run. */
export function placePipeline(loaded: LoadedPipeline, folder: string): LoadedPipeline {
  const { pipeline } = loaded;
  if (pipeline.layout.run === undefined) return loaded;
  const put = <Path extends string | undefined>(path: Path) =>
    path?.replaceAll('{run}', () => folder) as Path;
  const stages = pipeline.stages.map((stage) => ({
    ...stage,
    phases: stage.phases.map((phase) => ({
      ...phase,
      outputs: phase.outputs.map((output) => ({ ...output, path: put(output.path) })),
    })),
  }));
  return {
    ...loaded,
    pipeline: {
      ...pipeline,
      stages,
      layout: { ...pipeline.layout, ...forLayoutFiles((name) => put(pipeline.layout[name])) },
      state: pipeline.state && placeState(pipeline.state, put),
    },
  };
}

function placeState(state: StateSpec, put: (path: string) => string): StateSpec {
  return { ...state, path: put(state.path), snapshots: put(state.snapshots) };
}

/** A run's folder that no other file lies in, for checking paths before there is a run. */
export function exampleRunFolder(run: string | undefined): string | undefined {
  return run?.replaceAll(/\{[^}]*\}/g, '0');
}

/** What a run is mostly about: people count its units when they ask how far it is. */
export function largestStage(stages: readonly Stage[]): Stage {
  const [first, ...others] = stages;
  if (first === undefined) throw new Error('a pipeline without stages');
  return others.reduce((most, stage) => (stage.units.length > most.units.length ? stage : most), first);
}
