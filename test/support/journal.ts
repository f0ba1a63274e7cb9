import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkspace } from './workspace.ts';

/** An event as it stands in the file: read by the test itself, not by the code that is tested. */
export interface RawEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly unit?: string;
  readonly phase?: string;
  readonly attempt?: number;
  readonly round?: number;
  readonly [field: string]: unknown;
}

/** The only run of a workspace, as a path relative to it. */
export function runFolder({ root }: TestWorkspace): string {
  const runs = readdirSync(join(root, '.pawl/runs'));
  if (runs.length !== 1) throw new Error(`expected one run, there are: ${runs.join(', ')}`);
  return `.pawl/runs/${runs[0]}`;
}

/** An actor's segments, oldest first, as paths relative to the workspace; the runner's unless another is named. */
export function segments(workspace: TestWorkspace, actor = 'runner'): string[] {
  return segmentsIn(workspace, runFolder(workspace), actor);
}

function segmentsIn(workspace: TestWorkspace, run: string, actor: string): string[] {
  const folder = `${run}/events/${actor}`;
  if (actor !== 'runner' && !existsSync(join(workspace.root, folder))) return [];
  const names = readdirSync(join(workspace.root, folder)).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => `${folder}/${name}`);
}

/** Every whole event of an undamaged journal, in order. */
export function events(workspace: TestWorkspace, actor = 'runner'): RawEvent[] {
  return eventsIn(workspace, runFolder(workspace), actor);
}

/** The same of the run in this folder. */
export function eventsIn(workspace: TestWorkspace, run: string, actor = 'runner'): RawEvent[] {
  return segmentsIn(workspace, run, actor).flatMap((path) => {
    const lines = readFileSync(join(workspace.root, path), 'utf8').split('\n');
    // A kill may have torn the last one.
    return lines.flatMap((line) => (line.endsWith('"}') ? [JSON.parse(line)] : [])).filter(isEvent);
  });
}

export function eventsOf(workspace: TestWorkspace, type: string, actor = 'runner'): RawEvent[] {
  return events(workspace, actor).filter((event) => event.type === type);
}

function isEvent(record: unknown): record is RawEvent {
  return typeof record === 'object' && record !== null && 'seq' in record && 'type' in record;
}
