import type { AgentTrouble, InstallNote } from '../../engine/agents/trouble.ts';
import type { UsageProblem } from '../../model/failure.ts';
import type { CallProblem } from '../catalogue/call-problems.ts';
import { makeEntries } from '../catalogue/entry.ts';
import { exitCodes } from '../catalogue/exit-codes.ts';

/** What is wrong with a call before the engine is asked. The exit code is that of the command itself. */
export const callProblems = makeEntries<CallProblem['reason']>(
  {
    follows: 'Nothing is done.',
    ways: ['pawl help with the command shows how it is called'],
    page: 'docs/reference/commands.md',
  },
  {
    'unknown-command': { what: 'There is no command of that name.', ways: ['pawl help lists the commands'] },
    'unknown-option': { what: 'The command has no such option.' },
    'unknown-reason': {
      what: 'pawl explain was asked about a word that Pawl never says.',
      ways: ['pawl explain alone lists every reason'],
    },
    'missing-argument': { what: 'The command needs an argument that was not given.' },
    'missing-value': { what: 'An option that takes a value came without one.' },
    'too-many-arguments': { what: 'More arguments were given than the command takes.' },
    'bad-value': { what: 'The value of an option is none that it can have; what is expected is said.' },
    'folder-not-found': { what: 'The folder that -C names does not exist, or cannot be entered.' },
    'needs-yes': {
      what: 'What the command does is a person’s to decide, and there is no terminal in which one could be asked.',
      ways: ['a person looks at it, then adds --yes'],
    },
    declined: {
      what: 'A person was asked and said no.',
      follows: 'Nothing is changed.',
      ways: ['call it again whenever you like'],
    },
    'unknown-example': {
      what: 'pawl init has no example of that name.',
      follows: 'Nothing is written. Those that there are are named.',
      ways: ['pawl help init lists them'],
    },
    'files-exist': {
      what: 'pawl init would have to overwrite files that are there already.',
      follows: 'Nothing is written.',
      ways: ['choose a folder of its own'],
    },
    'not-a-report': {
      what: 'pawl report would have to overwrite a file that is no page of its own.',
      follows: 'Nothing is written.',
      ways: ['name another file with -o'],
    },
  },
);

/** A call that cannot be meant, whatever is on disk. */
export const usageProblems = makeEntries<UsageProblem['code']>(
  {
    follows: 'Nothing is done. What is possible is named.',
    ways: ['pawl help with the command shows how it is called'],
    exitCode: exitCodes.usage,
    page: 'docs/reference/commands.md',
  },
  {
    'reason-required': {
      what: 'An option that opens a guard or a limit takes a --reason, and there is none.',
      ways: ['add --reason and a sentence: it is recorded for those who come later'],
    },
    'unknown-phase': {
      what: 'No phase of the pipeline has that name.',
      ways: ['pawl status lists the phases'],
    },
    'unknown-change': {
      what: 'A change was answered by a name that no change has.',
      ways: ['pawl plan prints the name of each change'],
    },
    'two-answers': {
      what: 'One change was given two answers: --rerun-change and --keep-change name it.',
      ways: ['give one of them'],
    },
    'unknown-unit': {
      what: 'No unit has that name, or none matches the pattern.',
      ways: ['pawl status lists the units'],
    },
    'unknown-cell': {
      what: 'There is no such unit and phase. A cell is written UNIT/PHASE.',
      ways: ['pawl status lists both'],
    },
    'unknown-attempt': {
      what: 'The phase of that unit was never tried under this number.',
      ways: ['pawl logs UNIT/PHASE lists the attempts'],
    },
    'bad-actor': {
      what: 'A name that cannot be an actor’s: small letters, digits, dots, dashes and underscores, and none that Pawl uses itself.',
      ways: ['give another name with --actor, or in PAWL_ACTOR'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'unknown-output': { what: 'The phase declares no output of that name.' },
    'unknown-role': {
      what: 'No phase of the pipeline is claimed by that role.',
      ways: ['the roles stand in the manifest: run: { task: ROLE }'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'flags-exclude': {
      what: 'Two options were given that mean different things.',
      ways: ['give one of them'],
    },
    'needs-flag': { what: 'An option or an answer makes no sense without another one beside it.' },
    'not-for-question': {
      what: 'The answer does not go with what is asked: a changed file is kept or restarted from, anything else is approved or rejected.',
      ways: ['pawl show with the number says what is asked'],
      page: 'docs/guide/checkpoints.md',
    },
  },
);

/** Why the settings of a coding agent were not changed. The exit code is that of the command itself. */
export const settingsProblems = makeEntries<Exclude<AgentTrouble['reason'], 'disk-failed'>>(
  {
    follows: 'Nothing is written: settings that are not understood are left exactly as they are.',
    ways: ['mend the file, then install again'],
    page: 'docs/guide/coding-agents.md',
  },
  {
    'settings-unreadable': { what: 'A settings file of the agent is no JSON or TOML that could be read.' },
    'settings-unexpected': {
      what: 'A settings file can be read, but something else stands where entries of Pawl would have to go.',
    },
    'settings-too-large': { what: 'A settings file is larger than anybody’s settings are.' },
    'not-a-file': {
      what: 'What lies at the path of the settings is no file.',
      ways: ['move it away, then install again'],
    },
    'link-leads-nowhere': {
      what: 'The settings file is a link to something that is not there.',
      ways: ['mend the link, then install again'],
    },
    'changed-since-shown': {
      what: 'Somebody has written to the file since the difference was shown.',
      ways: ['look at the difference again'],
    },
    'another-plugin': {
      what: 'The folder that was given for a plugin holds a plugin of somebody else’s.',
      ways: ['give another folder'],
    },
    'no-home': {
      what: 'Settings of the user were asked for, and HOME is not set: nobody knows where they are.',
      ways: ['set HOME, or install it in the project without --user'],
    },
  },
);

/** What an installation leaves out, or what somebody has to do besides. */
export const installNotes = makeEntries<InstallNote['note']>(
  {
    follows: 'Everything else is installed.',
    ways: ['pawl agents shows what is installed'],
    page: 'docs/guide/coding-agents.md',
  },
  {
    'status-line-taken': {
      what: 'There is a status line of somebody else’s. It is kept, and how full the context is stays unknown.',
    },
    'server-name-taken': { what: 'Another MCP server has the name of Pawl’s. It is kept.' },
    'file-taken': { what: 'There is a file of somebody else’s where one of Pawl’s belongs. It is kept.' },
    'works-here-only': {
      what: 'Pawl is neither a package of the project nor on the PATH, so its path on this machine was written. Settings with it work on no other machine.',
      ways: ['install the package in the project, or put the command on the PATH; then install again'],
    },
    'trust-hooks': {
      what: 'The agent runs new hooks only after somebody has looked at them.',
      ways: ['look at them in the agent, at the place that is named'],
    },
    'server-by-command': {
      what: 'The agent keeps its servers in a file that it rewrites all the time, and has a command for adding one.',
      ways: ['call the command that is shown'],
    },
    'server-per-project': {
      what: 'The agent does not tell a server of all projects which one it is for.',
      ways: ['install it in the project, without --user'],
    },
    'claude-hooks-run-too': {
      what: 'The agent also runs the hooks of Claude Code: with both installed it is told everything twice.',
      ways: ['install one of the two'],
    },
    shared: {
      what: 'A file is not removed because other agents that are installed use it too.',
      follows: 'It goes with the last of them.',
    },
  },
);
