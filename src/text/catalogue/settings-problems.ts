import type { AgentTrouble, InstallNote } from '../../engine/agents/trouble.ts';
import { plain } from '../style/plain.ts';
import { list } from '../style/words.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';

/** Every trouble that only settings of an agent have. A failing disk is reported like any other. */
type SettingsTrouble = Exclude<AgentTrouble, { reason: 'disk-failed' }>;

interface SettingsWords<Trouble> {
  /** What is wrong, in one line. */
  title(trouble: Trouble): string;
  next?(trouble: Trouble): string[];
}

interface InstallNoteWords<Note> {
  words(note: Note): string;
}

export function isAgentTrouble<T extends { readonly reason: string }>(
  trouble: T,
): trouble is Extract<T, { readonly reason: SettingsTrouble['reason'] }> {
  return Object.hasOwn(settingsProblems, trouble.reason);
}

export function agentTroubleTitle(trouble: AgentTrouble): string {
  if (trouble.reason === 'disk-failed')
    return `${plain(trouble.operation)} of ${plain(trouble.path)} failed: ${plain(trouble.code)}`;
  const entry: SettingsWords<SettingsTrouble> = settingsProblems[trouble.reason];
  return entry.title(trouble);
}

export function agentTroubleNext(trouble: SettingsTrouble): string[] {
  const entry: SettingsWords<SettingsTrouble> = settingsProblems[trouble.reason];
  return entry.next?.(trouble) ?? [];
}

export function installNoteWords(note: InstallNote): string {
  const entry: InstallNoteWords<InstallNote> = installNotes[note.note];
  return entry.words(note);
}

/** Why the settings of a coding agent were not changed. The exit code is that of the command itself. */
export const settingsProblems = makeEntries<
  SettingsTrouble['reason'],
  {
    readonly [Reason in SettingsTrouble['reason']]: SettingsWords<
      Extract<SettingsTrouble, { reason: Reason }>
    >;
  }
>(
  {
    follows: 'Nothing is written: settings that are not understood are left exactly as they are.',
    ways: ['mend the file, then install again'],
    exitCode: exitCodes.refused,
    page: 'docs/guide/coding-agents.md',
  },
  {
    'settings-unreadable': {
      title: (trouble) => {
        const { path, line, column } = trouble.place;
        return `${plain(path)}:${line}:${column} cannot be understood (${plain(trouble.problem)}); nothing was written`;
      },
      next: () => ['mend the file, then install again'],
      what: 'A settings file of the agent is no JSON or TOML that could be read.',
    },
    'settings-unexpected': {
      title: (trouble) => {
        const { path, line, column } = trouble.place;
        return `${plain(path)}:${line}:${column}: ${plain(trouble.key)} is no ${trouble.expected}; nothing was written`;
      },
      next: () => ['mend the file, then install again'],

      what: 'A settings file can be read, but something else stands where entries of Pawl would have to go.',
    },
    'settings-too-large': {
      title: (trouble) =>
        `${plain(trouble.path)} is larger than ${trouble.sizeBytesMax} bytes; nothing was written`,
      what: 'A settings file is larger than anybody’s settings are.',
    },
    'not-a-file': {
      title: (trouble) => `${plain(trouble.path)} is no file`,

      what: 'What lies at the path of the settings is no file.',
      ways: ['move it away, then install again'],
    },
    'link-leads-nowhere': {
      title: (trouble) => `${plain(trouble.path)} is a link that leads nowhere`,

      what: 'The settings file is a link to something that is not there.',
      ways: ['mend the link, then install again'],
    },
    'changed-since-shown': {
      title: (trouble) => `${plain(trouble.path)} has changed since it was shown; nothing was written`,
      next: () => ['look at the difference again'],

      what: 'Somebody has written to the file since the difference was shown.',
      ways: ['look at the difference again'],
    },
    'another-plugin': {
      title: (trouble) => `${plain(trouble.path)} is the plugin ${plain(trouble.name)}; nothing was written`,
      next: () => ['give another folder'],

      what: 'The folder that was given for a plugin holds a plugin of somebody else’s.',
      ways: ['give another folder'],
    },
    'no-home': {
      title: () => 'nobody knows where the settings of the user are: HOME is not set',

      what: 'Settings of the user were asked for, and HOME is not set: nobody knows where they are.',
      ways: ['set HOME, or install it in the project without --user'],
    },
  },
);

/** What an installation leaves out, or what the user has to do as well. */
export const installNotes = makeEntries<
  InstallNote['note'],
  { readonly [Note in InstallNote['note']]: InstallNoteWords<Extract<InstallNote, { note: Note }>> }
>(
  {
    follows: 'Everything else is installed.',
    ways: ['pawl agents shows what is installed'],
    page: 'docs/guide/coding-agents.md',
  },
  {
    'status-line-taken': {
      words: (note) =>
        `${plain(note.path)} has a status line already, which is kept; without Pawl's the fill of the context stays unknown`,

      what: 'There is a status line of somebody else’s. It is kept, and how full the context is stays unknown.',
    },
    'server-name-taken': {
      words: (note) => `${plain(note.path)} has a server called pawl that is another one; it is kept`,
      what: 'Another MCP server has the name of Pawl’s. It is kept.',
    },
    'file-taken': {
      words: (note) => `${plain(note.path)} is somebody else's; it is kept`,
      what: 'There is a file of somebody else’s where one of Pawl’s belongs. It is kept.',
    },
    'works-here-only': {
      words: (note) =>
        `Pawl is neither in the project nor on the PATH, so this starts it by its path on this machine: ${plain(note.command)}. Others need the package in the project (npm install pawl) or pawl on their PATH; then install again`,

      what: 'Pawl is neither a package of the project nor on the PATH, so its path on this machine was written. Settings with it work on no other machine.',
      ways: ['install the package in the project, or put the command on the PATH; then install again'],
    },
    'trust-hooks': {
      words: (note) => `${note.agent} runs new hooks only once you have looked at them: ${plain(note.where)}`,

      what: 'The agent runs new hooks only after somebody has looked at them.',
      ways: ['look at them in the agent, at the place that is named'],
    },
    'server-by-command': {
      words: (note) => `to add the server for all projects: ${note.command.map(plain).join(' ')}`,

      what: 'The agent keeps its servers in a file that it rewrites all the time, and has a command for adding one.',
      ways: ['call the command that is shown'],
    },
    'server-per-project': {
      words: (note) =>
        `${note.agent} does not tell a server which project it is for; install it in the project`,

      what: 'The agent does not tell a server of all projects which one it is for.',
      ways: ['install it in the project, without --user'],
    },
    'claude-hooks-run-too': {
      words: (note) =>
        `${note.agent} also runs the hooks in ${plain(note.path)}: with both it is told everything twice`,

      what: 'The agent also runs the hooks of Claude Code: with both installed it is told everything twice.',
      ways: ['install one of the two'],
    },
    shared: {
      words: (note) => `${plain(note.path)} stays: ${list([...note.agents])} use it too`,

      what: 'A file is not removed because other agents that are installed use it too.',
      follows: 'It goes with the last of them.',
    },
  },
);
