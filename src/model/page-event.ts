import type { OutputRecord } from './result-event.ts';

/**
 * A status page of people or of another tool became part of the run. It says what the page says and no result can: the
 * results that were taken from it are events of their own.
 */
export interface PageImported {
  readonly type: 'page_imported';
  readonly unit: string;
  /** Where the page was, relative to the workspace. */
  readonly path: string;
  readonly status: string;
  /** The run id that the page names. */
  readonly run?: string;
  /** The phase that was under way, and the files that it had left at its output paths. */
  readonly partial?: {
    readonly phase: string;
    readonly outputs: Readonly<Record<string, OutputRecord>>;
  };
  /** Files of stages that run again, by phase and output, where the phase continues from what is there. */
  readonly handed?: Readonly<Record<string, Readonly<Record<string, OutputRecord>>>>;
  /** Rounds that were used before, by the phase with the gate. */
  readonly rounds?: Readonly<Record<string, number>>;
  /** Attempts that had failed before, by phase. */
  readonly failures?: Readonly<Record<string, number>>;
  readonly clusters?: readonly ImportedCluster[];
  /** Boxes that are ticked on the page. */
  readonly ticks?: readonly ImportedTick[];
  readonly notes?: readonly ImportedNote[];
}

/** A defect, and in how many rounds it was found. */
export interface ImportedCluster {
  readonly defect: string;
  readonly count: number;
}

export interface ImportedTick {
  readonly name: string;
  readonly by?: string;
  readonly at?: string;
}

export interface ImportedNote {
  readonly at?: string;
  readonly text: string;
}

/** Where questions about an imported page are asked: their names are no checkpoint's. */
export const pagePlaces = {
  /** The page waits for a person, and the manifest has no checkpoint there. */
  waiting: 'page:waiting',
  /** Whether the boxes that are ticked on the page count. */
  ticks: 'page:ticks',
} as const;

export function isPagePlace(place: string): boolean {
  return place === pagePlaces.waiting || place === pagePlaces.ticks;
}
