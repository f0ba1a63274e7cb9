/*
 * What a run keeps for itself in its own folder, wherever a layout has put that: no output may lie there, and it goes
 * with the run. `docs/formats/README.md` tells people of the same names.
 */

/** Where Pawl keeps everything of a workspace, unless a layout has put a run elsewhere. */
export const keptFolder = '.pawl';

/** What a name in a run's folder is for. */
export type RunFileUse =
  /** Says where outputs came from: it stays while any of them is kept. */
  | 'history'
  /** Comes about on the way to a result. */
  | 'work'
  /** Made from the journal, and can be deleted. */
  | 'made';

const uses = {
  /** The journal: a folder for each actor. */
  events: 'history',
  /** The ledger at some point of the journal, so that opening costs what came after. */
  snapshot: 'history',
  /** The manifest in force, and every one before it. */
  'manifest.lock.json': 'history',
  /** Whose turn it is to claim, complete or decide something. */
  desk: 'work',
  /** What each attempt was given and has left. */
  attempts: 'work',
  /** Outputs on their way to their paths. */
  staging: 'work',
  /** Files that stood in the way and were not ours. */
  aside: 'work',
  /** Segments of the journal in which nothing could be read, moved here by a repair. */
  damaged: 'work',
  /** Status pages of others, as they were when their run was taken over. */
  imported: 'history',
  /** What hooks of coding agents have left to be taken in. */
  inbox: 'work',
  /** Left by earlier versions of Pawl, which remembered there what they answered when there was nothing to do. */
  settled: 'made',
  /** What the run is, and where its journal stood. */
  'run.json': 'made',
  /** The brief: the document, the page for agents, and where every journal stood. */
  'brief.yaml': 'made',
  'RESUME.md': 'made',
  'brief.json': 'made',
} as const satisfies Record<string, RunFileUse>;

export type RunFileName = keyof typeof uses;

/** Where a run keeps something of its own; relative or absolute as its folder is. */
export function runFile(folder: string, name: RunFileName): string {
  return `${folder}/${name}`;
}

/** What a name in a run's folder is for; undefined: it is not the run's own. */
export function runFileUse(name: string): RunFileUse | undefined {
  return Object.hasOwn(uses, name) ? uses[name as RunFileName] : undefined;
}

export const runFileNames = Object.keys(uses) as readonly RunFileName[];
