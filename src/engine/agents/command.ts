import type { AgentName } from './supports.ts';
import { shellWord, shellWords } from './words.ts';

/** How Pawl is started from the settings of an agent. */
export interface Launch {
  /** As a line for a shell, without what Pawl is to do. */
  readonly shell: string;
  /** The same for a status line, which is given fewer variables than a hook. */
  readonly statusLine: string;
  /** As a program with its arguments, for servers, which are started without a shell. */
  readonly argv: readonly string[];
  /** The package lies in the project, and is started from there. */
  readonly isLocal: boolean;
  /** It names a folder of this machine, so it starts nothing on another one. */
  readonly isOfThisMachine: boolean;
  /** Somebody has said so, and means it for what is there already, too. */
  readonly isTold: boolean;
}

/** What decides how Pawl is started. */
export interface LaunchFacts {
  readonly agent: AgentName;
  readonly scope: 'project' | 'user';
  /** The command `pawl` is found in any folder. */
  readonly isOnPath: boolean;
  /** The project has the package among its own. */
  readonly isInProject: boolean;
  /** The project is a git repository, and not a folder of one. */
  readonly isGitTop: boolean;
  /** The program that is running now: `bin/pawl.js` of its package. */
  readonly program: string;
  /** Somebody has said how. */
  readonly command?: readonly string[] | undefined;
}

/**
 * A hook is waited for at every step of an agent, so it is started without `npx` where that can be had. What the
 * project has among its packages comes first: its settings are shared, and so is that version. An absolute path is
 * right on one machine only, so it comes last. The name of the package alone is never handed to `npx`, because it would
 * start whatever a registry has under that name.
 */
export function chooseLaunch(facts: LaunchFacts): Launch {
  if (facts.command !== undefined && facts.command.length > 0)
    return { ...plainLaunch(facts.command), isTold: true };
  if (facts.scope === 'project' && facts.isInProject) return localLaunch(facts);
  if (facts.isOnPath) return plainLaunch(['pawl']);
  return { ...plainLaunch(['node', facts.program]), isOfThisMachine: true };
}

/** How words start Pawl to have it do something, and what comes after that; undefined where they do not. */
export interface PawlCall {
  /** Variables that are set for this call: `PAWL_ACTOR=me`. */
  readonly assigned: readonly string[];
  readonly launch: readonly string[];
  readonly rest: readonly string[];
}

export function pawlCall(words: readonly string[], task: readonly string[]): PawlCall | undefined {
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  if (start === -1) return undefined;
  // Options of the launcher come before the package; more words than these are no launcher that is known.
  for (let end = start + 1; end <= Math.min(words.length - task.length, start + launchWordsMax); end++) {
    if (!task.every((word, at) => words[end + at] === word)) continue;
    const launch = words.slice(start, end);
    return isLaunch(launch)
      ? { assigned: words.slice(0, start), launch, rest: words.slice(end + task.length) }
      : undefined;
  }
  return undefined;
}

/** One of those that are chosen here, by this version or an earlier one, and not made up by a person. */
export function isOwnLaunch(words: readonly string[]): boolean {
  const line = words.join(' ');
  const [node, program = ''] = words;
  const isProgram =
    words.length === 2 && node === 'node' && program.startsWith('/') && program.endsWith('/bin/pawl.js');
  return (
    isProgram || ['pawl', 'npx -y pawl', 'npx --no-install pawl'].includes(line) || ownLocalLaunches.has(line)
  );
}

const localFile = 'node_modules/pawl/bin/pawl.js';

function plainLaunch(argv: readonly string[]): Launch {
  const shell = argv.map(shellWord).join(' ');
  return { shell, statusLine: shell, argv, isLocal: false, isOfThisMachine: false, isTold: false };
}

function localLaunch({ agent, isGitTop }: LaunchFacts): Launch {
  const argv = ['npx', '--no-install', 'pawl'];
  const folder = agent === 'codex' && !isGitTop ? undefined : projectFolders[agent];
  return {
    shell: folder === undefined ? argv.join(' ') : `node ${folder}${localFile}`,
    statusLine: `node ${statusLineFolder}${localFile}`,
    argv,
    isLocal: true,
    isOfThisMachine: false,
    isTold: false,
  };
}

/** How a hook is told the folder of the project; nothing where hooks are started in it. */
const projectFolders: Readonly<Record<AgentName, string>> = {
  claude: '"$CLAUDE_PROJECT_DIR"/',
  gemini: '"$GEMINI_PROJECT_DIR"/',
  codex: '"$(git rev-parse --show-toplevel)"/',
  cursor: '',
  copilot: '',
  opencode: '',
};

/** A status line is not promised the variable that hooks have, and is started in the folder most of the time. */
const statusLineFolder = `"\${CLAUDE_PROJECT_DIR:-.}"/`;

const launchWordsMax = 8;
const launchers = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bun', 'bunx', 'node']);

function isLaunch(words: readonly string[]): boolean {
  const program = nameOf(words.at(-1) ?? '');
  if (!/^pawl(@.*|\.js|\.cmd|\.exe)?$/.test(program)) return false;
  return words.length === 1 || launchers.has(nameOf(words[0] ?? '').replace(/\.(cmd|exe)$/, ''));
}

const nameOf = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

const ownLocalLaunches = new Set(
  [...Object.values(projectFolders), statusLineFolder].map((folder) =>
    (shellWords(`node ${folder}${localFile}`) ?? []).join(' '),
  ),
);
