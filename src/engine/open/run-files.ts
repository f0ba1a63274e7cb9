import { type RunFileName, runFile } from '../../model/run-folder.ts';

/*
 * Where a run keeps its journal, and who writes to it. Folders are relative to the workspace, paths are absolute.
 */

/** The actor that carries out plans; whoever holds it holds the run. */
export const runnerActor = 'runner';

export function eventsFolder(root: string, folder: string): string {
  return `${root}/${runFile(folder, 'events')}`;
}

export function snapshotPath(root: string, folder: string): string {
  return `${root}/${runFile(folder, 'snapshot')}`;
}

/** What the turn of visitors is called, in the run's own folder. */
export const deskName = 'desk' satisfies RunFileName;

/** What the hooks of coding agents have left, once it is taken in. */
export const hooksActor = 'hooks';

/** Everything that people decide is in one journal. */
export const peopleActor = 'people';

/** Names under which nobody can come from outside. */
export function isReservedActor(name: string): boolean {
  return name === runnerActor || name === peopleActor || name === hooksActor;
}
