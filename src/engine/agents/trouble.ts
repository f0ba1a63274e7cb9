import type { AgentName } from './supports.ts';

/** Why nothing was planned, or not everything was written. */
export type AgentTrouble =
  /** A settings file says nothing that could be understood; the place is where that shows first. */
  | { readonly reason: 'settings-unreadable'; readonly problem: string; readonly place: SettingsPlace }
  /** It can be read, but something else stands where entries would have to go. */
  | {
      readonly reason: 'settings-unexpected';
      /** `hooks.Stop` */
      readonly key: string;
      readonly expected: 'object' | 'array';
      readonly place: SettingsPlace;
    }
  /** No settings of anybody's are that large. */
  | { readonly reason: 'settings-too-large'; readonly path: string; readonly sizeBytesMax: number }
  /** What lies there is no file that could be edited. */
  | { readonly reason: 'not-a-file'; readonly path: string }
  /** A link to something that is not there: nobody can tell where to write. */
  | { readonly reason: 'link-leads-nowhere'; readonly path: string }
  /** Somebody has written to it since the plan was shown. Nothing was written. */
  | { readonly reason: 'changed-since-shown'; readonly path: string }
  /** The folder that is to become a plugin is one of somebody else's. */
  | { readonly reason: 'another-plugin'; readonly path: string; readonly name: string }
  /** Settings of the user were asked for, and nobody knows where those are. */
  | { readonly reason: 'no-home' }
  | {
      readonly reason: 'disk-failed';
      readonly code: string;
      readonly operation: string;
      readonly path: string;
      /** What was written before that. */
      readonly written: readonly string[];
    };

export interface SettingsPlace {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** Where an offset is, as editors count. */
export function placeIn(path: string, text: string, offset: number): SettingsPlace {
  const before = text.slice(0, offset).split('\n');
  return { path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** What a plan leaves out, or what somebody has to do besides. */
export type InstallNote =
  /** There is a status line of somebody else's, here or in the user's settings: it is kept. */
  | { readonly note: 'status-line-taken'; readonly path: string }
  /** There is a server called `pawl` that is not Pawl: it is kept. */
  | { readonly note: 'server-name-taken'; readonly path: string }
  /** There is a file of somebody else's where one of Pawl's belongs: it is kept. */
  | { readonly note: 'file-taken'; readonly path: string }
  /** The settings are shared, and start Pawl by a path of this machine. */
  | { readonly note: 'works-here-only'; readonly command: string }
  /** The agent runs new hooks only after somebody has looked at them. */
  | { readonly note: 'trust-hooks'; readonly agent: AgentName; readonly where: string }
  /** The agent keeps its servers in a file that it rewrites all the time: it has a command for that. */
  | { readonly note: 'server-by-command'; readonly command: readonly string[] }
  /** The agent does not tell a server of all projects which one it is for. */
  | { readonly note: 'server-per-project'; readonly agent: AgentName }
  /** The agent also runs the hooks of Claude Code: with both installed it is told everything twice. */
  | { readonly note: 'claude-hooks-run-too'; readonly agent: AgentName; readonly path: string }
  /** Not removed: other agents that are installed use it too. */
  | { readonly note: 'shared'; readonly path: string; readonly agents: readonly AgentName[] };
