import type { Layout, Pipeline, StateSpec } from '../model/definition.ts';
import type { LoadContext } from './context.ts';
import type { LoadedPipeline } from './loaded.ts';
import type { Manifest } from './manifest.ts';
import { folderOf, usePath, usePathPattern } from './paths.ts';
import { fillPattern, parsePattern } from './pattern.ts';
import { suggestion } from './problems.ts';
import { nearest } from './suggest.ts';

/** Reads where the files that people look at lie. */
export function resolveLayout(
  context: LoadContext,
  layout: Manifest['layout'],
  identity: Pipeline['identity'],
): Layout {
  const { reader, problems } = context;
  const { ledger, run, progress, audit_log: auditLog } = layout ?? {};
  if (run !== undefined) checkRunFolder(context, run, identity);
  const once = (path: string | undefined, key: string) => {
    if (path === undefined) return undefined;
    const at = `layout.${key}`;
    checkFields(context, path, run === undefined ? [] : ['run'], at);
    return usePath(reader, problems, path, at);
  };
  return {
    ledger: ledger === undefined ? undefined : usePathPattern(reader, problems, ledger, 'layout.ledger'),
    run: run === undefined ? undefined : usePathPattern(reader, problems, run, 'layout.run'),
    progress: once(progress, 'progress'),
    auditLog: once(auditLog, 'audit_log'),
    unitKey: layout?.unit_key ?? 'unit',
    doneKey: layout?.done_key ?? 'finished',
  };
}

/** Runs lie side by side in one folder, so that all of them can be found whatever they are called. */
function checkRunFolder(context: LoadContext, run: string, identity: Pipeline['identity']): void {
  checkFields(context, run, ['date', ...Object.keys(identity)], 'layout.run');
  if (/[{}]/.test(folderOf(run)))
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
    if (typeof part === 'string' || valid.includes(part.field)) continue;
    const near = suggestion(nearest(part.field, valid));
    context.problems.add('pattern-unknown-field', at, { found: part.field, valid, ...near });
  }
}

/** The folder of a new run, as it would be called on a day (`YYYYMMDD`). */
export function runFolderName({ layout, identity }: Pipeline, day: string): string | undefined {
  if (layout.run === undefined) return undefined;
  const parsed = parsePattern(layout.run);
  if ('wrong' in parsed) throw new Error(`not a pattern: ${layout.run}`);
  const name = fillPattern(parsed.pattern, (field) => (field === 'date' ? day : asFileName(identity[field])));
  if (typeof name !== 'string') throw new Error(`no field ${name.field} for ${layout.run}`);
  return name;
}

/** Where the runs of a pipeline lie beside one another; undefined: only where all runs do. */
export function runFoldersParent({ layout }: Pipeline): string | undefined {
  return layout.run === undefined ? undefined : folderOf(layout.run);
}

/** An identity may hold any text; a folder's name may not. */
function asFileName(text = ''): string {
  return text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
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
  const { layout } = pipeline;
  const placed = {
    ...layout,
    ledger: put(layout.ledger),
    progress: put(layout.progress),
    auditLog: put(layout.auditLog),
  };
  return {
    ...loaded,
    pipeline: {
      ...pipeline,
      stages,
      layout: placed,
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
