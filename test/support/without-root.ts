import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterFile } from './after-file.ts';
import { type Running, start } from './command.ts';
import { tempFolder } from './temp.ts';
import { projectRoot, type TestWorkspace } from './workspace.ts';

/* Permissions do not bind the superuser: tests of them call the command as a user whom they bind. */

const uid = 65_534;
let copiedProgram: string | undefined;

/**
 * Starts the command in the workspace as a user whom permissions bind. Undefined where that user can reach neither Node
 * nor the temporary folder, for example because both are below a private home: such a test skips itself.
 */
export function callWithoutRoot(
  workspace: TestWorkspace,
): ((...args: string[]) => Running['ended']) | undefined {
  if (process.getuid?.() !== 0) return (...args) => start(workspace, args).ended;
  openToOthers(workspace);
  const bin = readableProgram();
  const probe = spawnSync(process.execPath, [bin, '--version'], {
    cwd: workspace.root,
    env: { ...workspace.env },
    uid,
    gid: uid,
  });
  if (probe.status !== 0) return undefined;
  return (...args) => start(workspace, args, { uid, bin }).ended;
}

/** The workspace and what lies beside it belong to the other user, and every folder on the way may be passed. */
function openToOthers({ root }: TestWorkspace): void {
  const beside = dirname(root);
  execFileSync('chown', ['-R', `${uid}:${uid}`, beside]);
  for (const folder of [beside, dirname(beside)]) chmodSync(folder, 0o755);
}

/** A copy of the command, because the clone itself may be in a folder that only its owner may enter. */
function readableProgram(): string {
  if (copiedProgram !== undefined) return copiedProgram;
  const folder = tempFolder();
  afterFile(() => {
    copiedProgram = undefined;
  });
  for (const path of ['bin', 'dist', 'package.json'])
    cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  chmodSync(dirname(folder), 0o755);
  copiedProgram = join(folder, 'bin/pawl.js');
  return copiedProgram;
}
