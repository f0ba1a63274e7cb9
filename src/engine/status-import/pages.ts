import {
  type ReadPage,
  readStatusPage,
  type StatusFinding,
  statusPageLimits,
} from '../../import/status-page/read.ts';
import type { ReadCheckpoint } from '../../import/status-page/read-page.ts';
import type { Stage, Unit } from '../../model/definition.ts';
import type { StatusTrouble } from '../../model/failure.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import { isMadeByPawl } from '../../projections/status-page/render.ts';
import type { Workspace } from '../open/workspace.ts';

/** A page that lies where the unit's own would, though there is no run. */
export interface FoundPage {
  readonly stage: Stage;
  readonly unit: Unit;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly page: ReadPage;
  readonly findings: readonly StatusFinding[];
  /** Pawl wrote it: the journal was lost, or is somewhere else. */
  readonly isOurs: boolean;
  /** The page under the other name, with or without the dot. */
  readonly twin: { readonly path: string; readonly page: ReadPage } | undefined;
}

/** A workspace with more units than that was not written by hand. */
const unitsMax = 1_000;

/** What others have written, or what is left of a run whose journal is gone. */
export function findPages(workspace: Workspace): FoundPage[] {
  const { layout, stages } = workspace.loaded.pipeline;
  const pattern = layout.status;
  if (pattern === undefined || pattern.includes('{run}')) return [];
  const found: FoundPage[] = [];
  for (const stage of stages) {
    if (stage.units.length > unitsMax) continue;
    for (const unit of stage.units) {
      const own = expandPattern(pattern, unit);
      const [first, second] = [...new Set([own, withoutDot(own)])].flatMap(
        (path) => readAt(workspace, stage, path) ?? [],
      );
      if (first !== undefined) found.push({ stage, unit, ...first, twin: second });
    }
  }
  return found;
}

type PageFile = Pick<FoundPage, 'path' | 'bytes' | 'page' | 'findings' | 'isOurs'>;

function readAt({ env, root }: Workspace, { phases }: Stage, path: string): PageFile | undefined {
  const stat = env.disk.stat(`${root}/${path}`);
  if (stat === undefined) return undefined;
  // What is no file, or longer than anybody writes, is not read, and not taken for nothing either.
  const isReadable = stat.kind === 'file' && stat.size <= statusPageLimits.charactersMax * 4;
  const bytes = (isReadable ? env.disk.read(`${root}/${path}`) : undefined) ?? new Uint8Array();
  const text = new TextDecoder().decode(bytes);
  const read = readStatusPage(text, { stages: phases.map(({ name }) => name) });
  return { path, bytes, ...read, isOurs: isMadeByPawl(text) };
}

/** Why a page cannot be used: an unknown status or stage is never taken for a fresh start. */
export function pageTrouble({ path, page, findings, unit }: FoundPage): StatusTrouble[] {
  const wrong = findings.filter(({ code }) => unclear.has(code));
  const troubles = wrong.map(({ line, code, ...facts }) => ({ path, line, code, facts: { ...facts } }));
  if (page.unit !== undefined && page.unit !== unit.id)
    return [{ path, line: 1, code: 'of-another-unit', facts: { value: page.unit } }];
  if (page.status === undefined && troubles.length === 0)
    return [{ path, line: 1, code: 'status-missing', facts: {} }];
  return troubles as StatusTrouble[];
}

const unclear: ReadonlySet<string> = new Set([
  'page-too-large',
  'no-known-key',
  'status-missing',
  'status-unknown',
  'status-contradicts',
  'stage-unknown',
  'stage-status-unknown',
  'current-stage-contradicts',
  'current-stage-contradicts-status',
  'stage-listed-twice',
  'key-contradicts',
  'columns-unknown',
  'too-many-entries',
]);

/** What a page and the one under the other name say differently. */
export function differencesFromTwin({ page, twin }: FoundPage): string[] {
  if (twin === undefined) return [];
  const other = twin.page;
  const parts: Readonly<Record<string, (of: ReadPage) => unknown>> = {
    status: ({ status }) => status,
    'current stage': ({ currentStage }) => currentStage,
    'spec hash': ({ specHash }) => specHash,
    'completed stages': ({ completed }) => completed.map(({ stage, artifact }) => [stage, artifact]),
    'human checkpoints': ({ checkpoints }) => checkpoints.map(({ name, cleared }) => [name, cleared]),
  };
  return Object.keys(parts).filter(
    (name) => JSON.stringify(parts[name]?.(page)) !== JSON.stringify(parts[name]?.(other)),
  );
}

/** Ticked boxes. Only a journal shows that a person decided. */
export function tickedBoxes({ page }: FoundPage): ReadCheckpoint[] {
  return page.checkpoints.filter(({ cleared }) => cleared);
}

function withoutDot(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return path[at] === '.' ? path.slice(0, at) + path.slice(at + 1) : path;
}
