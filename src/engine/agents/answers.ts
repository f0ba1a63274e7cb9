import type { TextDiff } from '../observe/text-diff.ts';
import type { AgentState } from './states.ts';
import type { AgentName } from './supports.ts';
import type { InstallNote } from './trouble.ts';

/** `pawl agents`. */
export type AgentsAnswer =
  | { readonly action: 'list'; readonly agents: readonly AgentState[] }
  | {
      readonly action: 'install' | 'uninstall';
      readonly agent: AgentName;
      readonly changes: readonly InstallChange[];
      readonly notes: readonly InstallNote[];
      /** False: only shown. */
      readonly isApplied: boolean;
    };

export interface InstallChange {
  readonly path: string;
  readonly change: 'made' | 'changed' | 'removed';
  readonly diff: TextDiff['lines'];
}
