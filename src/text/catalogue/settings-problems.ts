import { unreachable } from '../../base/result.ts';
import type { AgentTrouble, InstallNote } from '../../engine/agents/trouble.ts';
import { plain } from '../style/plain.ts';
import { list } from '../style/words.ts';

export function installNoteWords(note: InstallNote): string {
  switch (note.note) {
    case 'status-line-taken':
      return `${plain(note.path)} has a status line already, which is kept; without Pawl's the fill of the context stays unknown`;
    case 'server-name-taken':
      return `${plain(note.path)} has a server called pawl that is another one; it is kept`;
    case 'file-taken':
      return `${plain(note.path)} is somebody else's; it is kept`;
    case 'works-here-only':
      return `Pawl is neither in the project nor on the PATH, so this starts it by its path on this machine: ${plain(note.command)}. Others need the package in the project (npm install pawl) or pawl on their PATH; then install again`;
    case 'trust-hooks':
      return `${note.agent} runs new hooks only once you have looked at them: ${plain(note.where)}`;
    case 'server-by-command':
      return `to add the server for all projects: ${note.command.map(plain).join(' ')}`;
    case 'server-per-project':
      return `${note.agent} does not tell a server which project it is for; install it in the project`;
    case 'claude-hooks-run-too':
      return `${note.agent} also runs the hooks in ${plain(note.path)}: with both it is told everything twice`;
    case 'shared':
      return `${plain(note.path)} stays: ${list([...note.agents])} use it too`;
    default:
      return unreachable(note);
  }
}

/** What only the settings of an agent can be the matter with. A disk that fails is told of as any other. */
type SettingsTrouble = Exclude<AgentTrouble, { reason: 'disk-failed' }>;

const settingsReasons: Readonly<Record<SettingsTrouble['reason'], true>> = {
  'settings-unreadable': true,
  'settings-unexpected': true,
  'settings-too-large': true,
  'not-a-file': true,
  'link-leads-nowhere': true,
  'changed-since-shown': true,
  'another-plugin': true,
  'no-home': true,
};

export function isAgentTrouble<T extends { readonly reason: string }>(
  trouble: T,
): trouble is Extract<T, { readonly reason: SettingsTrouble['reason'] }> {
  return Object.hasOwn(settingsReasons, trouble.reason);
}

export function agentTroubleTitle(trouble: AgentTrouble): string {
  switch (trouble.reason) {
    case 'settings-unreadable': {
      const { path, line, column } = trouble.place;
      return `${plain(path)}:${line}:${column} cannot be understood (${plain(trouble.problem)}); nothing was written`;
    }
    case 'settings-unexpected': {
      const { path, line, column } = trouble.place;
      return `${plain(path)}:${line}:${column}: ${plain(trouble.key)} is no ${trouble.expected}; nothing was written`;
    }
    case 'settings-too-large':
      return `${plain(trouble.path)} is larger than ${trouble.sizeBytesMax} bytes; nothing was written`;
    case 'not-a-file':
      return `${plain(trouble.path)} is no file`;
    case 'link-leads-nowhere':
      return `${plain(trouble.path)} is a link that leads nowhere`;
    case 'changed-since-shown':
      return `${plain(trouble.path)} has changed since it was shown; nothing was written`;
    case 'another-plugin':
      return `${plain(trouble.path)} is the plugin ${plain(trouble.name)}; nothing was written`;
    case 'no-home':
      return 'nobody knows where the settings of the user are: HOME is not set';
    case 'disk-failed':
      return `${plain(trouble.operation)} of ${plain(trouble.path)} failed: ${plain(trouble.code)}`;
    default:
      return unreachable(trouble);
  }
}

export function agentTroubleNext(trouble: AgentTrouble): string[] {
  switch (trouble.reason) {
    case 'settings-unreadable':
    case 'settings-unexpected':
      return ['mend the file, then install again'];
    case 'changed-since-shown':
      return ['look at the difference again'];
    case 'another-plugin':
      return ['give another folder'];
    case 'disk-failed':
      return trouble.written.length === 0
        ? []
        : [`written before: ${list(trouble.written.map(plain), filesMax)}`];
    default:
      return [];
  }
}

const filesMax = 12;
