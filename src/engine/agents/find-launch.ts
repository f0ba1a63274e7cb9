import { packageRoot } from '../../base/program.ts';
import type { Disk } from '../../disk/disk.ts';
import { chooseLaunch, type Launch } from './command.ts';
import type { AgentName } from './supports.ts';
import { shellWord } from './words.ts';

/** Whose launch is wanted, and where. */
interface LaunchRequest {
  readonly agent: AgentName;
  readonly scope: 'project' | 'user';
  readonly root: string;
  /** The user has said how Pawl is started. */
  readonly command?: readonly string[] | undefined;
  /** `PATH` of the process. */
  readonly path: string | undefined;
}

/** How an agent starts Pawl: what the user has said, or what works on this machine. */
export function findLaunch(disk: Disk, { agent, scope, root, command, path = '' }: LaunchRequest): Launch {
  return chooseLaunch({
    agent,
    scope,
    command,
    isOnPath: isOnPath(disk, path),
    isInProject: disk.realpath(`${root}/node_modules/pawl/bin/pawl.js`) !== undefined,
    isGitTop: disk.stat(`${root}/.git`) !== undefined,
    program: `${packageRoot}bin/pawl.js`,
  });
}

/** The command that starts Pawl in this folder, as it is typed in a shell. */
export function commandIn(disk: Disk, root: string, path: string | undefined): string {
  const { argv } = findLaunch(disk, { agent: 'claude', scope: 'project', root, path });
  return argv.map(shellWord).join(' ');
}

/** What `npx` and npm scripts put on the path is there for the time of one call. */
function isOnPath(disk: Disk, path: string): boolean {
  return path
    .split(':')
    .some(
      (folder) =>
        folder.startsWith('/') &&
        !folder.includes('/node_modules/') &&
        disk.realpath(`${folder}/pawl`) !== undefined,
    );
}
